/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { connected, inTitle, onRows } from '#client/menu-places.ts';

export const commands = {
  modelsRefresh: {
    id: 'identityQueries.models.refresh',
    title: 'Refresh',
    category: 'Models',
    palette: 'identityQueries.connection == connected',
    icon: '$(refresh)',
    menus: [inTitle('models', 'navigation@3', connected)],
  },
  /** Returns the known models (a ModelsState), for tests and other extensions. */
  modelsCurrent: { id: '_identityQueries.models.current' },
  modelsSearch: {
    id: 'identityQueries.models.search',
    title: 'Search Models, Tables and Columns...',
    palette: 'identityQueries.connection == connected',
    shortTitle: 'Search...',
    icon: '$(search)',
    menus: [inTitle('models', 'navigation@1', 'identityQueries.connection != disconnected')],
  },
  /** Clears the filter if there is one. */
  modelsFilter: {
    id: 'identityQueries.models.filter',
    title: 'Filter or Show All',
    category: 'Models',
    icon: '$(filter)',
    palette: 'identityQueries.connection == connected && view.identityQueries.models.visible',
    menus: [inTitle('models', 'navigation@2', 'identityQueries.connection != disconnected')],
  },
  modelsClearFilter: { id: '_identityQueries.models.clearFilter' },
  modelsInsertName: {
    id: 'identityQueries.models.insertName',
    title: 'Insert Name at Cursor',
    icon: '$(insert)',
    palette: 'false',
    menus: [
      ...onRows('models', /^column/, ['inline@2']),
      ...onRows('models', /^(model|table|column)/, ['2_insert@1']),
    ],
  },
  modelsCopy: {
    id: 'identityQueries.models.copy',
    title: 'Copy Name or SELECT...',
    icon: '$(copy)',
    palette: 'false',
    menus: onRows('models', /^(model|table|column)/, ['3_copy@1']),
  },
  modelsCopyName: { id: '_identityQueries.models.copyName' },
  modelsCopyQualifiedName: { id: '_identityQueries.models.copyQualifiedName' },
  modelsCopyAsSelect: { id: '_identityQueries.models.copyAsSelect' },
  modelsPreview: {
    id: 'identityQueries.models.preview',
    title: 'Preview First 100 Rows',
    icon: '$(open-preview)',
    palette: 'false',
    menus: onRows('models', /^table/, ['inline@1', '1_new@1'], connected),
  },
  /** Of a row, or of the column at the cursor. */
  modelsShowUses: {
    id: 'identityQueries.models.showUses',
    title: 'Show Saved Queries That Read This...',
    icon: '$(references)',
    palette: 'editorLangId == identity-sql && identityQueries.connection == connected',
    menus: [
      ...onRows('models', /used$/, ['inline@3', '4_uses@1']),
      {
        in: 'editor/context',
        when: 'editorLangId == identity-sql && identityQueries.connection == connected',
        group: '3_columns@1',
      },
    ],
  },
  driftCheckAll: {
    id: 'identityQueries.savedQueries.checkAll',
    title: 'Check All Saved Queries',
    palette: 'identityQueries.connection == connected',
    icon: '$(checklist)',
    enablement: 'identityQueries.connection == connected',
    menus: [
      inTitle('savedQueries', '2_check@1', connected),
      inTitle('models', '2_check@1', connected),
      inTitle('drift', 'navigation@2', connected),
    ],
  },
  driftClear: {
    id: 'identityQueries.drift.clear',
    title: 'Clear List of Broken Saved Queries',
    icon: '$(clear-all)',
    palette: 'identityQueries.savedQueriesChecked',
    menus: [inTitle('drift', 'navigation@3')],
  },
  driftShowProblems: {
    id: 'identityQueries.drift.showProblems',
    title: 'Open List of Broken Saved Queries',
    icon: '$(go-to-file)',
    palette: 'identityQueries.savedQueriesChecked',
    menus: [inTitle('drift', 'navigation@1')],
  },
  modelsNewQueryFromTable: {
    id: 'identityQueries.models.newQueryFromTable',
    title: 'New Query from Table',
    icon: '$(new-file)',
    palette: 'false',
    menus: onRows('models', /^table/, ['inline@2', '1_new@2']),
  },
} as const satisfies Contributions['commands'];

export const views = {
  models: {
    id: 'identityQueries.models',
    name: 'Models',
    container: 'identityQueries',
    order: 2,
    initialSize: 20,
    welcome: [
      {
        key: 'models',
        contents: "Once you are connected, the service's models appear here with their tables and columns.",
        when: 'identityQueries.connection != connected && identityQueries.connection != connecting && identityQueries.connection != failed',
      },
      { key: 'connecting', contents: 'Connecting...', when: 'identityQueries.connection == connecting' },
    ],
  },
  drift: {
    id: 'identityQueries.drift',
    name: 'Broken Saved Queries',
    container: 'identityQueries',
    order: 4,
    when: 'identityQueries.savedQueriesChecked',
  },
} as const satisfies Contributions['views'];

export const settings = {
  modelsRefreshAfterMinutes: {
    name: 'models.refreshAfterMinutes',
    restricted: true,
    type: 'number',
    minimum: 0,
    default: 60,
    description:
      'Minutes after which models, tables and columns are reloaded when the window or the Models view gets focus. Where a service lists its tables, at most five, also while the window has the focus. If 0, they are reloaded only when you choose Refresh.',
  },
} as const satisfies Contributions['settings'];

export const contextKeys = {
  /** Whether all saved queries have been checked, so there is a result to show. */
  savedQueriesChecked: 'identityQueries.savedQueriesChecked',
} as const satisfies Contributions['contextKeys'];
