/** @import { Split } from './split-bundle.js' */

/**
 * The files of the extension: code that runs at startup, code loaded to connect, code loaded for agents, and code loaded
 * by single commands.
 * @type {Split}
 */
export const extensionSplit = {
  name: 'client',
  entry: 'client/src/extension.ts',
  groups: { service: /^api\//, agents: /^core\/src\/agents\//, commands: /./ },
};
