/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { connected, inTitle, onCells, onRows } from '#client/menu-places.ts';

export const commands = {
  /**
   * Asks what to change. The menu of a record's editor means that record, and that of the rows the selected ones; from
   * the palette, they are offered.
   */
  changesMake: {
    id: 'identityQueries.changes.make',
    title: 'Make a Change...',
    icon: '$(tools)',
    palette: 'identityQueries.connection == connected',
    menus: [
      inTitle('activity', '2_open@3', connected),
      onCells('5_service@2', 'hasRecord'),
      { in: 'editor/title', when: 'resourceScheme == identity-record', group: 'navigation@3' },
    ],
  },
  changesDisableAccount: { id: '_identityQueries.changes.disableAccount' },
  changesRemoveAccountAccess: { id: '_identityQueries.changes.removeAccountAccess' },
  changesRemoveGroupAccess: { id: '_identityQueries.changes.removeGroupAccess' },
  changesAddMember: { id: '_identityQueries.changes.addMember' },
  changesRemoveMember: { id: '_identityQueries.changes.removeMember' },
  changesOfSelection: { id: '_identityQueries.changes.ofSelection' },
  changesOfRecord: { id: '_identityQueries.changes.ofRecord' },
  changesStop: {
    id: 'identityQueries.changes.stop',
    title: 'Stop Sending',
    palette: 'false',
    icon: '$(debug-stop)',
    menus: onRows('activity', /^openChange/, ['inline@1']),
  },
  changesStopFollowing: {
    id: 'identityQueries.changes.stopFollowing',
    title: 'Stop Following',
    palette: 'false',
    menus: onRows('activity', /^openChange/, ['1_job@1']),
  },
  changesCheckAgain: {
    id: 'identityQueries.changes.checkAgain',
    title: 'Check Again',
    palette: 'false',
    icon: '$(refresh)',
    menus: onRows('activity', /^(openChange|endedChange|changeTarget)\..*\bunclear\b/, [
      'inline@0',
      '0_outcome@1',
    ]),
  },
  changesOpenRecord: {
    id: 'identityQueries.changes.openRecord',
    title: 'Open Record',
    palette: 'false',
    menus: onRows('activity', /^(openChange|endedChange|changeTarget)\..*\bone\b/, ['0_outcome@2']),
  },
  changesRepeat: {
    id: 'identityQueries.changes.repeat',
    title: 'Repeat...',
    palette: 'false',
    menus: onRows('activity', /^(openChange|endedChange|changeTarget)\..*\brepeatable\b/, ['0_outcome@3']),
  },
  changesOpenJobById: { id: '_identityQueries.changes.openJobById' },
  changesExport: {
    id: 'identityQueries.changes.export',
    title: 'Export Audit Record...',
    palette: 'identityQueries.hasChanges',
    icon: '$(save)',
    menus: onRows('activity', /^(open|ended)Change/, ['inline@2']),
  },
  changesClear: {
    id: 'identityQueries.changes.clear',
    title: 'Clear Finished Changes',
    palette: 'false',
    icon: '$(clear-all)',
    menus: [inTitle('activity', 'navigation@2')],
  },
  changesFocus: { id: '_identityQueries.changes.focus' },
  /** Returns all confirmations, for tests and other extensions. */
  changesCurrent: { id: '_identityQueries.changes.current' },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  /** Whether the service is known not to support memberships. */
  noMemberships: 'identityQueries.noMemberships',
  /** Whether the Activity view lists changes. */
  hasChanges: 'identityQueries.hasChanges',
} as const satisfies Contributions['contextKeys'];
