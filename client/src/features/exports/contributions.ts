/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { connected, inTitle, onRows } from '#client/menu-places.ts';

/** Context keys available to `when` clauses. */
export const contextKeys = {
  /** Whether the connection has partial export files that can be resumed. */
  hasPartialExports: 'identityQueries.hasPartialExports',
} as const satisfies Contributions['contextKeys'];

export const commands = {
  exportsCreate: {
    id: 'identityQueries.exports.create',
    title: 'Create Export...',
    palette: 'identityQueries.connection == connected',
    icon: '$(add)',
    menus: [inTitle('activity', 'navigation@1', connected)],
  },
  exportsOpenById: { id: '_identityQueries.exports.openById' },
  exportsSave: {
    id: 'identityQueries.exports.save',
    title: 'Save...',
    icon: '$(cloud-download)',
    palette: 'false',
    menus: [
      ...onRows('activity', 'export.completed', ['inline@2', '0_save@1']),
      ...onRows('activity', 'export.completed.part', ['0_part@3']),
    ],
  },
  exportsContinue: {
    id: 'identityQueries.exports.continue',
    title: 'Continue Saving',
    category: 'Export',
    icon: '$(debug-continue)',
    palette: contextKeys.hasPartialExports,
    menus: onRows('activity', 'export.completed.part', ['inline@0', '0_part@1']),
  },
  exportsDiscardPart: {
    id: 'identityQueries.exports.discardPart',
    title: 'Discard Partial File',
    category: 'Export',
    icon: '$(trash)',
    palette: contextKeys.hasPartialExports,
    menus: onRows('activity', 'export.completed.part', ['0_part@2']),
  },
  /** Accepts a row of the view or a file; refuses anything else. */
  openInResults: {
    id: 'identityQueries.openInResults',
    title: 'Open in Results',
    icon: '$(table)',
    palette: 'false',
    menus: [
      ...onRows('activity', 'export.completed', ['inline@1', '0_save@2']),
      ...onRows('activity', 'export.completed.part', ['0_part@4']),
      {
        in: 'explorer/context',
        when: 'resourceScheme == file && resourceExtname =~ /^\\.(parquet|csv|tsv|jsonl|ndjson)$/i',
        group: '2_workspace@50',
      },
    ],
  },
  exportsCreateAgain: {
    id: 'identityQueries.exports.createAgain',
    title: 'Create Again',
    icon: '$(refresh)',
    palette: 'false',
    menus: onRows('activity', /^export\.(completed|failed)/, ['1_again@1']),
  },
  exportsForget: {
    id: 'identityQueries.exports.forget',
    title: 'Remove from List',
    icon: '$(close)',
    palette: 'false',
    menus: onRows('activity', /^export\./, ['3_forget@1']),
  },
  /** Returns the exports of the current connection, for tests and other extensions. */
  exportsCurrent: { id: '_identityQueries.exports.current' },
} as const satisfies Contributions['commands'];
