/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { onRows } from '#client/menu-places.ts';

export const commands = {
  /** Copies the ID that the service gave the export or the job of a row. */
  activityCopyId: {
    id: 'identityQueries.activity.copyId',
    title: 'Copy ID',
    palette: 'false',
    menus: onRows('activity', /^export\.|^(openChange|endedChange|changeTarget)\..*\bjob\b/, ['2_id@1']),
  },
} as const satisfies Contributions['commands'];

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
