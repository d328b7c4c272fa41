/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { onRows } from '#client/menu-places.ts';

export const commands = {
  queryRun: {
    id: 'identityQueries.query.run',
    title: 'Run Query',
    icon: '$(play)',
    // Without a query in view, a saved query can be chosen.
    palette: 'editorLangId == identity-sql || identityQueries.connection == connected',
    menus: [
      { in: 'editor/title/run', when: 'resourceLangId == identity-sql', group: 'navigation@1' },
      { in: 'editor/context', when: 'editorLangId == identity-sql', group: '1_run@1' },
    ],
    // Menus show the last of the keys. F5 runs a query in pgAdmin and SQL Server Management Studio.
    keys: [
      { key: 'f5', when: 'editorTextFocus && editorLangId == identity-sql && !inDebugMode' },
      { key: 'ctrl+enter', mac: 'cmd+enter', when: 'editorTextFocus && editorLangId == identity-sql' },
    ],
  },
  queryRunInNewResult: {
    id: 'identityQueries.query.runInNewResult',
    title: 'Run in New Result Tab',
    palette: 'editorLangId == identity-sql',
    menus: [{ in: 'editor/title/run', when: 'resourceLangId == identity-sql', group: 'navigation@3' }],
  },
  queryRunAll: {
    id: 'identityQueries.query.runAll',
    title: 'Run All Statements',
    icon: '$(run-all)',
    palette: 'editorLangId == identity-sql',
    menus: [{ in: 'editor/title/run', when: 'resourceLangId == identity-sql', group: 'navigation@2' }],
  },
  /** Asks which of the two is meant. */
  queryRunSeveralTimes: {
    id: 'identityQueries.query.runSeveralTimes',
    title: 'Run with Value Sets or on Several Connections...',
    icon: '$(run-coverage)',
    palette: 'editorLangId == identity-sql',
    menus: [{ in: 'editor/title/run', when: 'resourceLangId == identity-sql', group: 'navigation@4' }],
  },
  queryRunWithValueSets: { id: '_identityQueries.query.runWithValueSets' },
  queryRunOnSeveral: { id: '_identityQueries.query.runOnSeveral' },
  savedQueryRun: {
    id: 'identityQueries.savedQuery.run',
    title: 'Run',
    palette: 'false',
    category: 'Saved Query',
    icon: '$(play)',
    menus: onRows('savedQueries', /\bsavedQuery\b/, ['1_open@2']),
  },
  /** Opens the parameter form regardless of the settings. Accepts (uri, position); otherwise uses the active editor. */
  parametersEdit: {
    id: 'identityQueries.parameters.edit',
    title: 'Edit Parameters and Run...',
    icon: '$(edit)',
    palette: 'editorLangId == identity-sql',
    menus: [
      { in: 'editor/title/run', when: 'resourceLangId == identity-sql', group: 'navigation@5' },
      { in: 'editor/context', when: 'editorLangId == identity-sql', group: '1_run@1' },
    ],
  },
  /** Submits the open parameter form: text by parameter name, null for NULL. For tests and other extensions. */
  parametersSubmit: { id: '_identityQueries.parameters.submit' },
  parametersForget: { id: '_identityQueries.parameters.forget' },
  parametersForgetQuery: { id: '_identityQueries.parameters.forgetQuery' },
  functionsForget: { id: '_identityQueries.functions.forget' },
  runCancel: {
    id: 'identityQueries.run.cancel',
    title: 'Cancel Run',
    palette: 'identityQueries.isRunning',
    icon: '$(debug-stop)',
    enablement: 'identityQueries.isRunning',
    menus: [
      {
        in: 'editor/title/run',
        when: 'resourceLangId == identity-sql && identityQueries.isRunning',
        group: 'navigation@9',
      },
    ],
  },
  runAgain: {
    id: 'identityQueries.run.again',
    title: 'Run Again',
    palette: 'identityQueries.hasResults',
    icon: '$(debug-rerun)',
  },
  runGoToError: { id: '_identityQueries.run.goToError' },
  /** Sends the query for which the current result requests confirmation, like the result's button. */
  runAnyway: { id: '_identityQueries.run.anyway' },
  /** Lists running queries, to show or cancel them. */
  runsShow: { id: '_identityQueries.runs.show' },
  /** Returns the state of the current result (a ResultView), for tests and other extensions. */
  resultsCurrent: { id: '_identityQueries.results.current' },
} as const satisfies Contributions['commands'];

export const settings = {
  runRequireReadOnlyProof: {
    name: 'run.requireReadOnlyProof',
    restricted: true,
    type: 'boolean',
    scope: 'machine',
    default: true,
    markdownDescription:
      'Ask before sending a query that is not proven read-only. A query counts as proven only if it is a single `SELECT` that writes nothing and takes no locks. All its functions, operators and types must belong to PostgreSQL or a known extension and have no side effects. If a query calls a function with side effects, the editor asks before each run. If it calls an unknown function, the editor asks before its first run on a connection. The editor also asks if a query cannot be checked. A query that changes data is never sent. Tables and views are trusted. If this setting is off, it is up to the service to reject queries that change data, and the editor asks only if a query cannot be checked. A folder cannot change this setting.',
  },
  runRememberParameters: {
    name: 'run.rememberParameters',
    restricted: true,
    type: 'boolean',
    default: true,
    description:
      'Keep parameter values on this machine: the last ones, which are offered again, and those of runs in the history. Turn this off if values are confidential. Secret values are never kept.',
  },
  runAskParameters: {
    name: 'run.askParameters',
    restricted: true,
    type: 'string',
    enum: ['always', 'whenNeeded'],
    enumDescriptions: [
      'Always, filled in with the last values. Press Enter to run.',
      'Only if a value is missing. Otherwise the query runs with its last values.',
    ],
    default: 'always',
    description: 'When to show the parameter form before a run. Edit Parameters and Run... always shows it.',
  },
  runTimeLimitSeconds: {
    name: 'run.timeLimitSeconds',
    restricted: true,
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 86400,
    description: 'Time limit for a run, in seconds. 0 means no limit.',
  },
} as const satisfies Contributions['settings'];

export const contextKeys = {
  /** Whether a query is running. */
  isRunning: 'identityQueries.isRunning',
} as const satisfies Contributions['contextKeys'];
