/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { connected, inTitle } from '#client/menu-places.ts';

export const commands = {
  /** Accepts the kind of what is opened (see `openers`), which is then not asked for. */
  openById: {
    id: 'identityQueries.openById',
    title: 'Open by ID or Link...',
    palette: 'identityQueries.connection != disconnected',
    icon: '$(search)',
    menus: [
      inTitle('savedQueries', '0_find@2', connected),
      inTitle('records', 'navigation@1', connected),
      inTitle('activity', '2_open@1', connected),
    ],
  },
} as const satisfies Contributions['commands'];
