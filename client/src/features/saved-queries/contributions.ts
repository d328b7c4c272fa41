/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { connected, inTitle, onRows } from '#client/menu-places.ts';

const rowHasFocus = 'focusedView == identityQueries.savedQueries && listFocus && !inputFocus';

/** The argument of keys in the view, since the editor passes no row to them. */
const focusedRow = { row: 'focused' } as const;

export const commands = {
  /** A draft; from the row of a folder, one that is saved there. */
  queryNew: {
    id: 'identityQueries.query.new',
    title: 'New Query',
    icon: '$(new-file)',
    menus: [
      inTitle('savedQueries', 'navigation@1', connected),
      ...onRows('savedQueries', 'group', ['1_open@1']),
    ],
  },
  /** Handles Ctrl+S in a draft. */
  querySaveDraft: { id: '_identityQueries.query.saveDraft' },
  savedQueryOpen: {
    id: 'identityQueries.savedQuery.open',
    title: 'Open Saved Query...',
    palette: 'identityQueries.connection != disconnected',
    icon: '$(go-to-file)',
    menus: [inTitle('savedQueries', '0_find@1', connected)],
  },
  savedQuerySaveSelectionAsNew: {
    id: 'identityQueries.savedQuery.saveSelectionAsNew',
    title: 'Save Selection as Query...',
    icon: '$(save-as)',
    palette: 'editorHasSelection && editorLangId =~ /sql/',
    menus: [
      {
        in: 'editor/context',
        when: 'editorHasSelection && editorLangId =~ /sql/ && identityQueries.connection == connected',
        group: '1_run@3',
      },
    ],
  },
  savedQuerySaveAsNew: {
    id: 'identityQueries.savedQuery.saveAsNew',
    title: 'Save as New...',
    icon: '$(save-as)',
    palette: 'editorLangId == identity-sql',
    menus: [
      { in: 'editor/title', when: 'resourceLangId == identity-sql', group: 'navigation@2' },
      { in: 'editor/context', when: 'editorLangId == identity-sql', group: '1_run@2' },
    ],
  },
  /** Accepts an ID or a link. */
  savedQueryOpenById: { id: '_identityQueries.savedQuery.openById' },
  savedQueryRename: {
    id: 'identityQueries.savedQuery.rename',
    title: 'Rename...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(edit)',
    menus: [
      { in: 'editor/title', when: 'resourceScheme == identity-query', group: '1_query@2' },
      ...onRows('savedQueries', /\bsavedQuery\b/, ['3_change@1']),
    ],
    keys: [{ key: 'f2', when: rowHasFocus, args: focusedRow }],
  },
  savedQueryEditDetails: {
    id: 'identityQueries.savedQuery.editDetails',
    title: 'Edit Description or Model...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(note)',
    menus: onRows('savedQueries', /\bsavedQuery\b/, ['3_change@2']),
  },
  savedQueryChangeModel: { id: '_identityQueries.savedQuery.changeModel' },
  savedQueryEditDescription: { id: '_identityQueries.savedQuery.editDescription' },
  savedQueryDuplicate: {
    id: 'identityQueries.savedQuery.duplicate',
    title: 'Duplicate...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(files)',
    menus: onRows('savedQueries', /\bsavedQuery\b/, ['3_change@4']),
  },
  /** Ctrl+S: the editor's own save says "Unable to write file" for every failure, and hangs while the person decides. */
  querySave: {
    id: 'identityQueries.query.save',
    title: 'Save This Query',
    icon: '$(save)',
    palette: 'editorLangId == identity-sql && resourceScheme =~ /^(untitled|identity-query)$/',
    keys: [
      {
        key: 'ctrl+s',
        mac: 'cmd+s',
        when: 'editorTextFocus && editorLangId == identity-sql && resourceScheme =~ /^(untitled|identity-query)$/',
      },
    ],
  },
  savedQuerySave: { id: '_identityQueries.savedQuery.save' },
  savedQuerySaveAll: {
    id: 'identityQueries.savedQuery.saveAll',
    title: 'Save All Queries',
    icon: '$(save-all)',
    palette: 'identityQueries.hasUnsavedQueries',
    keys: [
      {
        key: 'ctrl+k s',
        mac: 'alt+cmd+s',
        when: 'editorTextFocus && editorLangId == identity-sql && identityQueries.hasUnsavedQueries',
      },
    ],
  },
  savedQueryReload: { id: '_identityQueries.savedQuery.reload' },
  savedQueryCompareWithNewest: {
    id: 'identityQueries.savedQuery.compareWithNewest',
    title: 'Compare with Newest Version',
    category: 'Saved Query',
    icon: '$(diff)',
    palette: 'resourceScheme == identity-query',
    menus: [{ in: 'editor/title', when: 'resourceScheme == identity-query', group: '1_versions@1' }],
  },
  conflictSettle: {
    id: 'identityQueries.conflict.settle',
    title: 'Resolve Save Conflict...',
    icon: '$(git-merge)',
    palette: 'resource in identityQueries.conflictedQueries',
    menus: [
      {
        in: 'editor/title',
        when: 'resource in identityQueries.conflictedQueries && !isInDiffEditor',
        group: 'navigation@-1',
      },
    ],
  },
  conflictCompare: { id: '_identityQueries.conflict.compare' },
  conflictSaveMine: {
    id: 'identityQueries.conflict.saveMine',
    title: 'Save Mine over Theirs',
    icon: '$(save)',
    palette: 'false',
    menus: [
      {
        in: 'editor/title',
        when: 'resource in identityQueries.conflictedQueries && isInDiffEditor',
        group: 'navigation@-2',
      },
    ],
  },
  conflictTakeTheirs: {
    id: 'identityQueries.conflict.takeTheirs',
    title: 'Take Theirs',
    icon: '$(cloud-download)',
    palette: 'false',
    menus: [
      {
        in: 'editor/title',
        when: 'resource in identityQueries.conflictedQueries && isInDiffEditor',
        group: 'navigation@-3',
      },
    ],
  },
  conflictMerge: {
    id: 'identityQueries.conflict.merge',
    title: 'Merge with Theirs',
    icon: '$(git-merge)',
    palette: 'false',
    menus: [
      {
        in: 'editor/title',
        when: 'resource in identityQueries.conflictedQueries && isInDiffEditor',
        group: 'navigation@-4',
      },
    ],
  },
  conflictNextMarker: {
    id: 'identityQueries.conflict.nextMarker',
    title: 'Go to Next Conflict Marker',
    palette: 'resource in identityQueries.conflictedQueries',
    icon: '$(arrow-down)',
  },
  /** Keeps one side of a marked overlap. */
  conflictAcceptMarked: { id: '_identityQueries.conflict.acceptMarked' },
  /** Saves, undoes or shows an unsaved merge. */
  conflictAfterMerge: { id: '_identityQueries.conflict.afterMerge' },
  savedQueryDelete: {
    id: 'identityQueries.savedQuery.delete',
    title: 'Delete...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(trash)',
    menus: onRows('savedQueries', /\bsavedQuery\b/, ['9_delete@1']),
    keys: [{ key: 'delete', mac: 'cmd+backspace', when: rowHasFocus, args: focusedRow }],
  },
  savedQueryCopy: {
    id: 'identityQueries.savedQuery.copy',
    title: 'Copy Link or ID...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(copy)',
    menus: [
      { in: 'editor/title', when: 'resourceScheme =~ /^identity-query(-version)?$/', group: '1_query@3' },
      ...onRows('savedQueries', /\b(savedQuery|queryVersion)\b/, ['4_copy@1']),
    ],
  },
  savedQueryCopyId: { id: '_identityQueries.savedQuery.copyId' },
  savedQueryCopyLink: { id: '_identityQueries.savedQuery.copyLink' },
  /** Adds to the favorites, or removes from them. */
  savedQueryFavourite: {
    id: 'identityQueries.savedQuery.favourite',
    title: 'Add to Favorites or Remove',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(star-empty)',
    menus: onRows('savedQueries', /\bsavedQuery\b/, ['inline@1', '1_open@3']),
  },
  savedQueryShowVersions: {
    id: 'identityQueries.savedQuery.showVersions',
    title: 'Show Versions...',
    category: 'Saved Query',
    palette: 'resourceScheme == identity-query',
    icon: '$(history)',
    menus: [{ in: 'editor/title', when: 'resourceScheme == identity-query', group: '1_query@1' }],
  },
  savedQueryVersionOpen: { id: '_identityQueries.savedQueryVersion.open' },
  /** Asks with what, unless `{ with }` says it. */
  savedQueryVersionCompare: {
    id: 'identityQueries.savedQueryVersion.compare',
    title: 'Compare...',
    category: 'Version',
    palette: 'resourceScheme =~ /^identity-query(-version)?$/',
    icon: '$(diff)',
    menus: [
      { in: 'editor/title', when: 'resourceScheme == identity-query-version', group: 'navigation@3' },
      ...onRows('savedQueries', /\bqueryVersion\b/, ['inline@1'], '!(viewItem =~ /\\bfirst\\b/)'),
      ...onRows('savedQueries', /\bqueryVersion\b/, ['2_compare@1']),
    ],
  },
  savedQueryVersionRestore: {
    id: 'identityQueries.savedQueryVersion.restore',
    title: 'Restore...',
    category: 'Version',
    palette: 'resourceScheme =~ /^identity-query(-version)?$/',
    icon: '$(discard)',
    menus: [
      { in: 'editor/title', when: 'resourceScheme == identity-query-version', group: 'navigation@4' },
      ...onRows('savedQueries', /\bqueryVersion\b/, ['3_restore@1'], '!(viewItem =~ /\\bnewest\\b/)'),
    ],
  },
  savedQueriesRefresh: {
    id: 'identityQueries.savedQueries.refresh',
    title: 'Refresh',
    category: 'Saved Queries',
    palette: 'identityQueries.connection == connected',
    icon: '$(refresh)',
    menus: [inTitle('savedQueries', 'navigation@2', connected)],
  },
  /** Clears the filter if there is one. Accepts the words. */
  savedQueriesFilter: {
    id: 'identityQueries.savedQueries.filter',
    title: 'Filter or Show All',
    category: 'Saved Queries',
    icon: '$(filter)',
    palette: 'identityQueries.connection == connected && view.identityQueries.savedQueries.visible',
    menus: [inTitle('savedQueries', 'navigation@3', connected)],
  },
  savedQueriesClearFilter: { id: '_identityQueries.savedQueries.clearFilter' },
  /** Accepts a group or a sort order. */
  savedQueriesArrange: {
    id: 'identityQueries.savedQueries.arrange',
    title: 'Group or Sort By...',
    category: 'Saved Queries',
    palette: 'identityQueries.connection == connected && view.identityQueries.savedQueries.visible',
    icon: '$(list-tree)',
    menus: [inTitle('savedQueries', '0_look@1', connected)],
  },
  savedQueriesClearRecent: { id: '_identityQueries.savedQueries.clearRecent' },
  savedQueriesClearLocalHistory: { id: '_identityQueries.savedQueries.clearLocalHistory' },
  /** Shows more rows of a group in the view; accepts the group's key. */
  savedQueriesShowMore: { id: '_identityQueries.savedQueries.showMore' },
} as const satisfies Contributions['commands'];

export const views = {
  savedQueries: {
    id: 'identityQueries.savedQueries',
    name: 'Saved Queries',
    container: 'identityQueries',
    order: 1,
    initialSize: 40,
    welcome: [
      {
        key: 'none',
        contents:
          '[Start Sandbox](command:identityQueries.sandbox.start)\n[Connect to Your PostgreSQL...](command:identityQueries.ownData.connect)\n[Add Connection...](command:identityQueries.connection.add)\nQuery identity and access data with SQL. The sandbox needs no account: it is a complete service on this machine, with sample data.\nHave a service? You need its address, a client ID and a client secret.\n[Show First Steps](command:identityQueries.firstSteps)',
        when: 'identityQueries.connection == disconnected && !identityQueries.hasConnections',
      },
      {
        key: 'disconnected',
        contents:
          'Not connected.\n[Connect...](command:identityQueries.connection.connect)\n[Start Sandbox](command:identityQueries.sandbox.start)\n[Connect to Your PostgreSQL...](command:identityQueries.ownData.connect)',
        when: 'identityQueries.connection == disconnected && identityQueries.hasConnections',
      },
      { key: 'connecting', contents: 'Connecting...', when: 'identityQueries.connection == connecting' },
      { key: 'starting', contents: 'Starting...', when: '!identityQueries.connection' },
    ],
  },
} as const satisfies Contributions['views'];

export const settings = {
  savedQueriesFollowNewer: {
    name: 'savedQueries.followNewer',
    restricted: true,
    type: 'boolean',
    default: false,
    description:
      'Reload an open saved query automatically when a newer version is found and you have no unsaved edits. If off, a notice offers to reload or compare.',
  },
} as const satisfies Contributions['settings'];

export const contextKeys = {
  /** URIs of open saved queries in conflict. */
  conflictedQueries: 'identityQueries.conflictedQueries',
  /** Whether this window has opened a saved query; used by the walkthrough. */
  hasOpenedQuery: 'identityQueries.hasOpenedQuery',
  /** Whether any saved query has unsaved changes. */
  hasUnsavedQueries: 'identityQueries.hasUnsavedQueries',
} as const satisfies Contributions['contextKeys'];
