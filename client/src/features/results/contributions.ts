/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { onCells, overRows } from '#client/menu-places.ts';

export const contextKeys = {
  /** Whether this window has had a result. */
  hasResults: 'identityQueries.hasResults',
  /** Never true: the page of the rows handles these keys itself, and the bindings let the menus show them. */
  rowsOwnKeys: 'identityQueries.rowsOwnKeys',
} as const satisfies Contributions['contextKeys'];

const rowsOwnKeys = `focusedView == identityQueries.results && ${contextKeys.rowsOwnKeys}`;

export const commands = {
  resultsOpenFile: { id: '_identityQueries.results.openFile' },
  resultsCopy: {
    id: 'identityQueries.results.copy',
    title: 'Copy',
    palette: 'false',
    menus: [onCells('1_copy@1')],
    keys: [{ key: 'ctrl+c', mac: 'cmd+c', when: rowsOwnKeys }],
  },
  resultsCopyWithHeaders: {
    id: 'identityQueries.results.copyWithHeaders',
    title: 'Copy with Column Names',
    palette: 'identityQueries.hasResults',
    menus: [onCells('1_copy@2')],
    keys: [{ key: 'ctrl+shift+c', mac: 'cmd+shift+c', when: rowsOwnKeys }],
  },
  /** Asks for the format. */
  resultsCopyAs: {
    id: 'identityQueries.results.copyAs',
    title: 'Copy As (CSV, JSON, Markdown, SQL)...',
    palette: 'identityQueries.hasResults',
  },
  resultsCopyAsCsv: {
    id: 'identityQueries.results.copyAsCsv',
    title: 'Copy as CSV',
    palette: 'false',
    menus: [{ in: 'identityQueries.menu.copyAs', group: '1_format@1' }],
  },
  resultsCopyAsJson: {
    id: 'identityQueries.results.copyAsJson',
    title: 'Copy as JSON',
    palette: 'false',
    menus: [{ in: 'identityQueries.menu.copyAs', group: '1_format@2' }],
  },
  resultsCopyAsMarkdown: {
    id: 'identityQueries.results.copyAsMarkdown',
    title: 'Copy as Markdown Table',
    palette: 'false',
    menus: [{ in: 'identityQueries.menu.copyAs', group: '1_format@3' }],
  },
  resultsCopyAsInList: {
    id: 'identityQueries.results.copyAsInList',
    title: 'Copy as SQL IN List',
    palette: 'false',
    menus: [{ in: 'identityQueries.menu.copyAs', group: '1_format@4' }],
  },
  resultsCopyAsInsert: {
    id: 'identityQueries.results.copyAsInsert',
    title: 'Copy as SQL INSERT',
    palette: 'false',
    menus: [{ in: 'identityQueries.menu.copyAs', group: '1_format@5' }],
  },
  /** Available in queries and in records opened from rows; on the rows page, the same key returns to the query. */
  resultsFocusRows: {
    id: 'identityQueries.results.focusRows',
    title: 'Go to Rows',
    palette: 'editorLangId == identity-sql || resourceScheme == identity-record',
    keys: [
      { key: 'ctrl+f6', when: 'editorTextFocus && editorLangId == identity-sql' },
      { key: 'ctrl+f6', when: 'editorTextFocus && editorLangId == identity-record' },
    ],
  },
  /** Moves the rows that commands apply to, as the others do; later results open in the same place. */
  resultsMove: {
    id: 'identityQueries.results.move',
    title: 'Show Results Beside or Below the Query',
    palette: 'identityQueries.hasResults || editorLangId == identity-sql',
    shortTitle: 'Show Beside or Below the Query',
    icon: '$(split-horizontal)',
    menus: overRows('4_place@1'),
  },
  resultsExport: {
    id: 'identityQueries.results.export',
    title: 'Export Rows (Excel, CSV, JSON)...',
    palette: 'identityQueries.hasResults',
    shortTitle: 'Export...',
    icon: '$(export)',
    menus: [...overRows('navigation@2'), onCells('5_export@1')],
  },
  resultsFilter: {
    id: 'identityQueries.results.filter',
    title: 'Filter Column...',
    palette: 'identityQueries.hasResults',
    menus: overRows('1_columns@2'),
  },
  resultsFilterByValue: {
    id: 'identityQueries.results.filterByValue',
    title: 'Filter by This Value',
    palette: 'false',
    menus: [onCells('3_filter@1')],
  },
  resultsFind: {
    id: 'identityQueries.results.find',
    title: 'Find in Rows',
    palette: 'identityQueries.hasResults',
    icon: '$(search)',
    menus: overRows('navigation@1'),
    keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: rowsOwnKeys }],
  },
  resultsChooseColumns: {
    id: 'identityQueries.results.chooseColumns',
    title: 'Choose Columns...',
    palette: 'identityQueries.hasResults',
    menus: overRows('1_columns@1'),
  },
  resultsShowRecord: {
    id: 'identityQueries.results.showRecord',
    title: 'Inspect Row',
    palette: 'identityQueries.hasResults',
    menus: [...overRows('1_columns@3'), onCells('4_show@1')],
    keys: [{ key: 'shift+enter', when: rowsOwnKeys }],
  },
  resultsShowChart: {
    id: 'identityQueries.results.showChart',
    title: 'Show Chart',
    palette: 'identityQueries.hasResults',
    menus: [...overRows('1_columns@4'), onCells('4_show@2')],
  },
  /** Offered if a command needs cells that a chart covers. */
  resultsHideChart: { id: '_identityQueries.results.hideChart' },
  resultsGroup: {
    id: 'identityQueries.results.group',
    title: 'Group Rows...',
    palette: 'identityQueries.hasResults',
    menus: [...overRows('1_columns@5'), onCells('4_show@3')],
  },
  resultsShowAsText: {
    id: 'identityQueries.results.showAsText',
    title: 'Show Rows as Text',
    palette: 'identityQueries.hasResults',
    menus: overRows('2_text@1'),
  },
  resultsAddToQuery: {
    id: 'identityQueries.results.addToQuery',
    title: 'Add to Query as WHERE or ORDER BY...',
    palette: 'identityQueries.hasResults',
    menus: [onCells('3_filter@2', 'hasQuery')],
  },
  resultsAddWhere: { id: '_identityQueries.results.addWhere' },
  resultsAddOrderBy: { id: '_identityQueries.results.addOrderBy' },
} as const satisfies Contributions['commands'];

export const submenus = {
  copyAs: {
    id: 'identityQueries.menu.copyAs',
    label: 'Copy As',
    menus: [onCells('1_copy@3')],
  },
} as const satisfies Contributions['submenus'];

export const views = {
  results: {
    id: 'identityQueries.results',
    name: 'Results',
    container: 'identityQueriesResults',
    order: 1,
    type: 'webview',
  },
} as const satisfies Contributions['views'];

export const settings = {
  resultsLocation: {
    name: 'results.location',
    type: 'string',
    enum: ['below', 'beside', 'active'],
    enumDescriptions: [
      'In the panel below the editors, one tab per document.',
      'In an editor tab beside the query.',
      'In an editor tab in the same editor group as the query.',
    ],
    default: 'below',
    description: "Where a query's rows appear. Results that are already open stay where they are.",
  },
  resultsPageSize: {
    name: 'results.pageSize',
    restricted: true,
    type: 'integer',
    default: 1000,
    minimum: 1,
    maximum: 10000,
    description: 'Rows per page. Small pages appear sooner; large pages load faster.',
  },
  resultsRowLimit: {
    name: 'results.rowLimit',
    restricted: true,
    type: 'integer',
    default: 1000000,
    minimum: 1,
    maximum: 10000000,
    description: 'Maximum number of rows fetched when you load all rows. Rows are kept in memory.',
  },
  resultsDuckDb: {
    name: 'results.duckdb',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    description:
      'Folder of the npm package @duckdb/node-api, an absolute path; ~ stands for your home folder. It opens Parquet files, and sorts and filters files that are larger than memory. Empty: the package that npm installed globally.',
  },
  resultsCopyColumnNames: {
    name: 'results.copyColumnNames',
    type: 'boolean',
    default: false,
    description: 'Start copied rows with a line of column names. A single cell is copied without its name.',
  },
  resultsNullAs: {
    name: 'results.nullAs',
    restricted: true,
    type: 'object',
    default: { copied: 'NULL', exported: '' },
    additionalProperties: false,
    properties: { copied: { type: 'string' }, exported: { type: 'string' } },
    markdownDescription:
      'Text for NULL: `copied` in copied cells, `exported` in exported CSV, TSV and Markdown files. If `exported` is set, an empty string is written as `""`.',
  },
  resultsGuardFormulas: {
    name: 'results.guardFormulas',
    restricted: true,
    type: 'boolean',
    default: true,
    description:
      'Put an apostrophe before text that a spreadsheet would run as a formula, in copied cells and in CSV and TSV files. Such text starts with =, +, -, @, a tab or a line break, possibly after spaces, quotes, semicolons or line breaks. This also applies to column names and the NULL text; numbers are left unchanged. The extension removes the apostrophe when it reads the file again.',
  },
} as const satisfies Contributions['settings'];
