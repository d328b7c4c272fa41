#!/usr/bin/env node
/* Runs on any Node version, however old; the code that it loads needs a recent one. */
'use strict';

const version = process.versions.node;
const parts = version.split('.').map(Number);

if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  process.stderr.write(
    'identity-queries: needs Node 22.19 or newer, and this is Node ' +
      version +
      '.\nGet a newer one from https://nodejs.org, then run the command again.\n',
  );
  process.exitCode = 2;
} else {
  require('./start.cjs');
}
