/** What this feature contributes to the editor; `npm run manifest` makes the manifest of it. */
import type { Contributions } from '../../contribution-types.ts';

export const views = {
  activity: {
    id: 'identityQueries.activity',
    name: 'Activity',
    container: 'identityQueries',
    order: 5,
    visibility: 'collapsed',
    initialSize: 5,
    welcome: [
      {
        key: 'activity',
        contents:
          'Exports that the service prepares and changes that you confirm are followed here to their end.\n[Create Export...](command:identityQueries.exports.create)',
        when: 'identityQueries.connection == connected',
      },
      {
        key: 'activity.disconnected',
        contents: 'Exports and changes are followed here once you are connected.',
        when: 'identityQueries.connection != connected',
      },
    ],
  },
} as const satisfies Contributions['views'];
