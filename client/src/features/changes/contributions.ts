/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

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
      {
        in: 'view/title',
        when: 'view == identityQueries.activity && identityQueries.connection == connected',
        group: '2_open@3',
      },
      {
        in: 'webview/context',
        when: "hasRecord && webviewSection == 'identityQueries.cells'",
        group: '5_service@2',
      },
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
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^openChange/',
        group: 'inline@1',
      },
    ],
  },
  changesStopFollowing: {
    id: 'identityQueries.changes.stopFollowing',
    title: 'Stop Following',
    palette: 'false',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^openChange/',
        group: '1_job@1',
      },
    ],
  },
  changesCheckAgain: {
    id: 'identityQueries.changes.checkAgain',
    title: 'Check Again',
    palette: 'false',
    icon: '$(refresh)',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\bunclear\\b/',
        group: 'inline@0',
      },
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\bunclear\\b/',
        group: '0_outcome@1',
      },
    ],
  },
  changesOpenRecord: {
    id: 'identityQueries.changes.openRecord',
    title: 'Open Record',
    palette: 'false',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\bone\\b/',
        group: '0_outcome@2',
      },
    ],
  },
  changesRepeat: {
    id: 'identityQueries.changes.repeat',
    title: 'Repeat...',
    palette: 'false',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\brepeatable\\b/',
        group: '0_outcome@3',
      },
    ],
  },
  changesCopyJobId: {
    id: 'identityQueries.changes.copyJobId',
    title: 'Copy Job ID',
    palette: 'false',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\bjob\\b/',
        group: '1_job@2',
      },
    ],
  },
  changesOpenJobById: { id: '_identityQueries.changes.openJobById' },
  changesExport: {
    id: 'identityQueries.changes.export',
    title: 'Export Audit Record...',
    palette: 'identityQueries.hasChanges',
    icon: '$(save)',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(open|ended)Change/',
        group: 'inline@2',
      },
    ],
  },
  changesClear: {
    id: 'identityQueries.changes.clear',
    title: 'Clear Finished Changes',
    palette: 'false',
    icon: '$(clear-all)',
    menus: [{ in: 'view/title', when: 'view == identityQueries.activity', group: 'navigation@2' }],
  },
  changesFocus: { id: '_identityQueries.changes.focus' },
  /** Returns all confirmations, for tests and other extensions. */
  changesCurrent: { id: '_identityQueries.changes.current' },
} as const satisfies Contributions['commands'];

/** Context keys for `when` clauses. */
export const contextKeys = {
  /** Whether the service is known not to support memberships. */
  noMemberships: 'identityQueries.noMemberships',
  /** Whether the Activity view lists changes. */
  hasChanges: 'identityQueries.hasChanges',
} as const satisfies Contributions['contextKeys'];
