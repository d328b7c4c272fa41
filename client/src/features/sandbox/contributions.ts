/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  sandboxStart: { id: 'identityQueries.sandbox.start', title: 'Start Sandbox', icon: '$(beaker)' },
  sandboxStop: {
    id: 'identityQueries.sandbox.stop',
    title: 'Stop Sandbox',
    palette: 'identityQueries.sandboxRunning',
    icon: '$(debug-stop)',
    enablement: 'identityQueries.sandboxRunning',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.sandboxRunning',
        group: '1_connection@3',
      },
    ],
  },
  sandboxSwitch: {
    id: 'identityQueries.sandbox.switch',
    title: 'Switch Between Sandbox and Connection',
    palette: 'identityQueries.hasConnections',
    icon: '$(arrow-swap)',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.connection != disconnected',
        group: 'navigation@9',
      },
    ],
  },
} as const satisfies Contributions['commands'];

/** Context keys for `when` clauses. */
export const contextKeys = {
  sandboxRunning: 'identityQueries.sandboxRunning',
} as const satisfies Contributions['contextKeys'];
