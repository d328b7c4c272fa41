#!/usr/bin/env node
/* Understood by any Node, however old: what comes behind it needs a new one. */
'use strict';

const version = process.versions.node;

if (Number(version.split('.')[0]) < 22) {
  process.stderr.write(
    'identity-queries: needs Node 22 or newer, and this is Node ' +
      version +
      '.\nGet a newer one from https://nodejs.org, then run the command again.\n',
  );
  process.exitCode = 2;
} else {
  require('./start.cjs');
}
