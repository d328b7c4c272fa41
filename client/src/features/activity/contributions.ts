/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

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
          'Your exports and changes appear here.\n[Create Export...](command:identityQueries.exports.create)',
        when: 'identityQueries.connection == connected',
      },
      {
        key: 'activity.disconnected',
        contents: 'Your exports and changes appear here once you are connected.',
        when: 'identityQueries.connection != connected',
      },
    ],
  },
} as const satisfies Contributions['views'];
