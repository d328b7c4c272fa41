/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { inTitle } from '#client/menu-places.ts';

export const commands = {
  /** Accepts the kinds of data (see KindOfData), which are then not asked for. */
  clearLocalData: {
    id: 'identityQueries.clearLocalData',
    title: 'Clear Local Data...',
    icon: '$(clear-all)',
    menus: [inTitle('savedQueries', '3_clear@1')],
  },
} as const satisfies Contributions['commands'];
