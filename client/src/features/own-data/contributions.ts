/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { inTitle } from '#client/menu-places.ts';

export const commands = {
  /** Accepts the key of a known database. */
  ownDataConnect: {
    id: 'identityQueries.ownData.connect',
    title: 'Connect to Your PostgreSQL...',
    icon: '$(database)',
    menus: [inTitle('savedQueries', '1_connection@5')],
  },
  ownDataRole: {
    id: 'identityQueries.ownData.makeRole',
    title: 'Make a Reading Role...',
    icon: '$(person-add)',
  },
  ownDataStop: { id: '_identityQueries.ownData.stop' },
  ownDataForget: { id: '_identityQueries.ownData.forget' },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  ownDataRunning: 'identityQueries.ownDataRunning',
} as const satisfies Contributions['contextKeys'];
