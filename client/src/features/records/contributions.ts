/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { onCells, onRows } from '#client/menu-places.ts';

export const commands = {
  recordsOpen: {
    id: 'identityQueries.records.open',
    title: 'Open...',
    category: 'Records',
    palette: 'identityQueries.connection == connected && !identityQueries.hasNoRecords',
  },
  recordsOpenFiltered: {
    id: 'identityQueries.records.openFiltered',
    title: 'Find...',
    category: 'Records',
    palette: 'identityQueries.connection == connected && !identityQueries.hasNoRecords',
    icon: '$(filter)',
    menus: onRows('records', /^(collection|activities)$/, ['inline@1', '1_open@2']),
  },
  recordsStreamToFile: {
    id: 'identityQueries.records.streamToFile',
    title: 'Save to File...',
    palette: 'false',
    icon: '$(cloud-download)',
    menus: onRows('records', /^(collection|activities)$/, ['2_file@1']),
  },
  recordOpenSelected: {
    id: 'identityQueries.record.openSelected',
    title: 'Open This Record',
    palette: 'identityQueries.hasResults',
    menus: [onCells('5_service@1', 'hasRecord')],
  },
  recordOpenById: { id: '_identityQueries.record.openById' },
  recordShowJson: {
    id: 'identityQueries.record.showJson',
    title: 'Show Record as JSON',
    icon: '$(json)',
    palette: 'resourceScheme == identity-record',
    menus: [
      {
        in: 'editor/title',
        when: 'resourceScheme == identity-record && resourceLangId == identity-record',
        group: 'navigation@2',
      },
    ],
    keys: [{ key: 'alt+j', when: 'editorTextFocus && editorLangId == identity-record' }],
  },
  /** Reads the record or the saved query of the editor again. */
  reload: {
    id: 'identityQueries.reload',
    title: 'Reload from Service',
    icon: '$(refresh)',
    palette: 'resourceScheme =~ /^identity-(record|query)$/',
    menus: [
      { in: 'editor/title', when: 'resourceScheme == identity-record', group: 'navigation@1' },
      { in: 'editor/title', when: 'resourceScheme == identity-query', group: '1_versions@2' },
    ],
  },
  /** Shows the records that refer to a record; the target of links in records. */
  recordReferring: { id: '_identityQueries.record.referring' },
  recordsFocus: { id: '_identityQueries.records.focus' },
} as const satisfies Contributions['commands'];

export const views = {
  records: {
    id: 'identityQueries.records',
    name: 'Records',
    container: 'identityQueries',
    order: 3,
    visibility: 'collapsed',
    initialSize: 20,
    when: '!identityQueries.hasNoRecords',
    welcome: [
      {
        key: 'records',
        contents: "The service's records appear here once you are connected.",
        when: 'identityQueries.connection != connected',
      },
    ],
  },
} as const satisfies Contributions['views'];

export const languages = [
  {
    id: 'identity-record',
    aliases: ['Identity Record'],
    extensions: ['.identity-record'],
    grammar: { scopeName: 'source.identity-record', path: './syntaxes/identity-record.tmLanguage.json' },
  },
] as const satisfies Contributions['languages'];

export const contextKeys = {
  /** Whether the service says that it has no collections of records. */
  hasNoRecords: 'identityQueries.hasNoRecords',
} as const satisfies Contributions['contextKeys'];
