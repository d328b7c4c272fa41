/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  historyShow: { id: 'identityQueries.history.show', title: 'Show Run History...', icon: '$(history)' },
  /** Compares the run in the active editor with another. */
  historyCompare: {
    id: 'identityQueries.history.compare',
    title: 'Compare with Another Run...',
    icon: '$(diff)',
    palette: 'resourceScheme == identity-query-run',
    menus: [{ in: 'editor/title', when: 'resourceScheme == identity-query-run', group: 'navigation@1' }],
  },
  historyClear: { id: '_identityQueries.history.clear' },
} as const satisfies Contributions['commands'];

export const settings = {
  historyRetentionDays: {
    name: 'history.retentionDays',
    restricted: true,
    type: 'integer',
    default: 90,
    minimum: 0,
    maximum: 3650,
    description:
      'Number of days to keep runs on this machine: text, query and version, connection, duration, number of rows and outcome. Rows are never kept. 0 keeps no history.',
  },
} as const satisfies Contributions['settings'];
