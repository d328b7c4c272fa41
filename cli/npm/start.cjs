/* Separate from the launcher, since very old versions of Node cannot parse `import()`. */
'use strict';

const emitWarning = process.emitWarning;

// Node 22 warns that node:sqlite is experimental, which does not concern the users of this program.
process.emitWarning = function (warning, ...rest) {
  if (rest[0] === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return;
  emitWarning.call(process, warning, ...rest);
};

import('./dist/cli.js');
