/**
 * Who may set a setting. `safe`: any folder. `restricted`: only a trusted folder. `user`: only the user's own
 * settings.
 */
export type Decision = 'safe' | 'restricted' | 'user';

export const decisions: Readonly<Record<string, readonly [decision: Decision, reason: string]>> = {
  'identityQueries.connections': [
    'restricted',
    'It says where secrets go. Of a trusted folder, what runs, reads, writes or uses plain HTTP is asked about besides.',
  ],
  'identityQueries.ai.maxRows': ['user', 'A folder must not let agents take more.'],
  'identityQueries.ai.maxBytes': ['user', 'A folder must not let agents take more.'],
  'identityQueries.ai.callsPerMinute': ['user', 'A folder must not let agents ask more often.'],
  'identityQueries.ai.sensitiveColumns': ['user', 'A folder must not open columns to agents.'],
  'identityQueries.network.requestTimeoutSeconds': ['user', 'A folder must not make every request fail.'],
  'identityQueries.network.caFile': ['user', 'Whoever names an authority can read what goes to the service.'],
  'identityQueries.network.clientCertificate': [
    'user',
    'It names a file that is read and proves who we are.',
  ],
  'identityQueries.network.clientKey': ['user', 'It names a file with a private key.'],
  'identityQueries.network.useEditorFetch': ['user', 'It switches off our own rules for certificates.'],
  'identityQueries.results.duckdb': ['user', 'It names a program that runs.'],
  'identityQueries.run.requireReadOnlyProof': [
    'user',
    'Off, statements that write are sent. No folder has a reason to decide that.',
  ],
  'identityQueries.run.askParameters': ['restricted', 'A run would go with values that nobody has seen.'],
  'identityQueries.run.rememberParameters': ['restricted', 'Off for confidential values; on, they are kept.'],
  'identityQueries.run.timeLimitSeconds': [
    'restricted',
    'Without a limit a run never ends; with one of a second none works.',
  ],
  'identityQueries.dialect': [
    'restricted',
    'The proof of reading reads the text by it: a wrong one hides a DELETE.',
  ],
  'identityQueries.severities': ['restricted', 'It silences the findings that warn of the folder itself.'],
  'identityQueries.controls.watchMinutes': [
    'restricted',
    'A folder must not make its controls run all the time.',
  ],
  'identityQueries.format.keywordCase': [
    'safe',
    'A formatter that changes the meaning is refused, whatever it is told.',
  ],
  'identityQueries.format.width': ['safe', 'It breaks lines and changes no word.'],
  'identityQueries.history.retentionDays': [
    'restricted',
    'Fewer days delete the trace, more keep it too long.',
  ],
  'identityQueries.results.guardFormulas': ['restricted', 'Off, a row becomes a formula in a spreadsheet.'],
  'identityQueries.results.nullAs': [
    'restricted',
    'It is written for others as if it were data: a formula, too.',
  ],
  'identityQueries.results.rowLimit': [
    'restricted',
    'Rows are kept in memory up to it, and a low one hides the rest.',
  ],
  'identityQueries.results.pageSize': ['restricted', 'One row a page makes a million requests of one run.'],
  'identityQueries.savedQueries.followNewer': [
    'restricted',
    "A colleague's new text would stand in an open editor without a question.",
  ],
  'identityQueries.models.refreshAfterMinutes': [
    'restricted',
    'It sends requests each time the window is in focus.',
  ],
  'identityQueries.results.location': ['safe', 'It only says where rows are shown.'],
  'identityQueries.results.copyColumnNames': ['safe', 'A line of names more or less changes no value.'],
};
