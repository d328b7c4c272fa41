/* Apart from the launcher, since a very old Node does not understand `import()`. */
'use strict';

const emitWarning = process.emitWarning;

// Node 22 calls node:sqlite an experiment, which says nothing to whoever exports a file.
process.emitWarning = function (warning, ...rest) {
  if (rest[0] === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return;
  emitWarning.call(process, warning, ...rest);
};

import('./dist/cli.js');
