/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  changesDisableAccount: {
    id: 'identityQueries.changes.disableAccount',
    title: 'Disable Account...',
    palette: 'identityQueries.connection == connected',
  },
  changesRemoveAccountAccess: {
    id: 'identityQueries.changes.removeAccountAccess',
    title: "Remove Account's Access to Application...",
    palette: 'identityQueries.connection == connected',
  },
  changesRemoveGroupAccess: {
    id: 'identityQueries.changes.removeGroupAccess',
    title: "Remove Group's Access to Application...",
    palette: 'identityQueries.connection == connected',
  },
  changesAddMember: {
    id: 'identityQueries.changes.addMember',
    title: 'Add Account to Group...',
    palette: 'identityQueries.connection == connected && !identityQueries.noMemberships',
  },
  changesRemoveMember: {
    id: 'identityQueries.changes.removeMember',
    title: 'Remove Account from Group...',
    palette: 'identityQueries.connection == connected && !identityQueries.noMemberships',
  },
  changesOfSelection: {
    id: 'identityQueries.changes.ofSelection',
    title: 'Change Selected Records...',
    palette: 'identityQueries.hasResults',
    menus: [
      { in: 'webview/context', when: "webviewSection == 'identityQueries.cells'", group: '5_service@2' },
    ],
  },
  changesOfRecord: {
    id: 'identityQueries.changes.ofRecord',
    title: 'Change This Record...',
    icon: '$(tools)',
    palette: 'resourceScheme == identity-record',
    menus: [{ in: 'editor/title', when: 'resourceScheme == identity-record', group: 'navigation@3' }],
  },
  changesStop: {
    id: 'identityQueries.changes.stop',
    title: 'Stop Sending Changes',
    palette: 'identityQueries.hasChanges',
    shortTitle: 'Stop Sending',
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
    title: 'Stop Following Job',
    palette: 'identityQueries.hasChanges',
    shortTitle: 'Stop Following',
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
    title: 'Check Outcome of Change Again',
    shortTitle: 'Check Again',
    icon: '$(refresh)',
    palette: 'false',
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
    title: 'Open Record of Change',
    shortTitle: 'Open Record',
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
    title: 'Repeat Change...',
    shortTitle: 'Repeat...',
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
    shortTitle: 'Copy Job ID',
    palette: 'false',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.activity && viewItem =~ /^(openChange|endedChange|changeTarget)\\..*\\bjob\\b/',
        group: '1_job@2',
      },
    ],
  },
  changesOpenJobById: {
    id: 'identityQueries.changes.openJobById',
    title: 'Open Job by ID...',
    palette: 'false',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.activity && identityQueries.connection == connected',
        group: '2_open@2',
      },
    ],
  },
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
    palette: 'identityQueries.hasChanges',
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
