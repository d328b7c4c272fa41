/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { inTitle } from '#client/menu-places.ts';

export const commands = {
  sandboxStart: { id: 'identityQueries.sandbox.start', title: 'Start Sandbox', icon: '$(beaker)' },
  sandboxStop: { id: '_identityQueries.sandbox.stop' },
  sandboxSwitch: {
    id: 'identityQueries.sandbox.switch',
    title: 'Switch Between Sandbox and Connection',
    palette: 'identityQueries.hasConnections',
    icon: '$(arrow-swap)',
    menus: [inTitle('savedQueries', 'navigation@9', 'identityQueries.connection != disconnected')],
  },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  sandboxRunning: 'identityQueries.sandboxRunning',
} as const satisfies Contributions['contextKeys'];
