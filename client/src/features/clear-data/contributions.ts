/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  /** Accepts the kinds of data (see KindOfData), which are then not asked for. */
  clearLocalData: {
    id: 'identityQueries.clearLocalData',
    title: 'Clear Local Data...',
    icon: '$(clear-all)',
    menus: [{ in: 'view/title', when: 'view == identityQueries.savedQueries', group: '3_clear@1' }],
  },
} as const satisfies Contributions['commands'];
