/**
 * Every id that package.json and the code share: commands with their argument, views, settings, context keys.
 * test/unit/client/contributions.test.ts compares this with package.json both ways.
 */

/** Commands. Ids that start with `_` are internal and not in the palette or in package.json. */
export const commands = {
  connectionAdd: 'identityQueries.connection.add',
  connectionConnect: 'identityQueries.connection.connect',
  connectionDisconnect: 'identityQueries.connection.disconnect',
  connectionUpdateSecret: 'identityQueries.connection.updateSecret',
  connectionRetry: 'identityQueries.connection.retry',
  connectionEdit: 'identityQueries.connection.edit',
  connectionTest: 'identityQueries.connection.test',
  connectionSignOut: 'identityQueries.connection.signOut',
  connectionDelete: 'identityQueries.connection.delete',
  connectionMoveSecrets: 'identityQueries.connection.moveSecrets',
  /** Asks again what a folder's connection may; takes its name. */
  connectionReview: 'identityQueries.connection.review',
  /** Copies the report of the last test. */
  connectionCopyReport: 'identityQueries.connection.copyReport',
  /** Answers the state (a StateSnapshot), for tests and other extensions. */
  connectionState: '_identityQueries.connection.state',
  networkUpdatePassphrase: 'identityQueries.network.updatePassphrase',
  sandboxStart: 'identityQueries.sandbox.start',
  sandboxStop: 'identityQueries.sandbox.stop',
  sandboxSwitch: 'identityQueries.sandbox.switch',
  queryNew: 'identityQueries.query.new',
  querySelectModel: 'identityQueries.query.selectModel',
  queryRun: 'identityQueries.query.run',
  queryRunInNewResult: 'identityQueries.query.runInNewResult',
  queryRunAll: 'identityQueries.query.runAll',
  queryRunWithValueSets: 'identityQueries.query.runWithValueSets',
  savedQueryRun: 'identityQueries.savedQuery.run',
  /** Opens the parameter form whatever the settings say. Takes (uri, position), else the active editor's. */
  parametersEdit: 'identityQueries.parameters.edit',
  /** Answers the open parameter form: texts by name, null for NULL. For tests and other extensions. */
  parametersSubmit: '_identityQueries.parameters.submit',
  parametersForget: 'identityQueries.parameters.forget',
  parametersForgetQuery: 'identityQueries.parameters.forgetQuery',
  runCancel: 'identityQueries.run.cancel',
  runAgain: 'identityQueries.run.again',
  runGoToError: 'identityQueries.run.goToError',
  /** Sends what a question of the present result is about, as its button does. */
  runAnyway: '_identityQueries.run.anyway',
  /** Lists what is running, to look at it or to cancel it. */
  runsShow: '_identityQueries.runs.show',
  historyShow: 'identityQueries.history.show',
  /** Compares the run that the active editor shows with another. */
  historyCompare: 'identityQueries.history.compare',
  historyClear: 'identityQueries.history.clear',
  resultsCopy: 'identityQueries.results.copy',
  resultsCopyWithHeaders: 'identityQueries.results.copyWithHeaders',
  resultsCopyAsCsv: 'identityQueries.results.copyAsCsv',
  resultsCopyAsJson: 'identityQueries.results.copyAsJson',
  resultsCopyAsMarkdown: 'identityQueries.results.copyAsMarkdown',
  resultsCopyAsInList: 'identityQueries.results.copyAsInList',
  resultsCopyAsInsert: 'identityQueries.results.copyAsInsert',
  resultsExport: 'identityQueries.results.export',
  /**
   * Compares the present result with another. Takes what is decided already: `{ with, load, keys, ignored }` (see
   * features/comparisons/compare-request.ts).
   */
  resultsCompare: 'identityQueries.results.compare',
  resultsKeep: 'identityQueries.results.keep',
  resultsForgetKept: 'identityQueries.results.forgetKept',
  comparisonChooseKeys: 'identityQueries.comparison.chooseKeys',
  comparisonChooseColumns: 'identityQueries.comparison.chooseColumns',
  comparisonSwap: 'identityQueries.comparison.swap',
  comparisonCopySummary: 'identityQueries.comparison.copySummary',
  /** Runs two versions of a saved query and compares their rows; takes a row of the view. */
  savedQueryCompareResults: 'identityQueries.savedQuery.compareResults',
  resultsFilter: 'identityQueries.results.filter',
  resultsFilterByValue: 'identityQueries.results.filterByValue',
  resultsFind: 'identityQueries.results.find',
  resultsChooseColumns: 'identityQueries.results.chooseColumns',
  resultsShowRecord: 'identityQueries.results.showRecord',
  resultsShowChart: 'identityQueries.results.showChart',
  resultsShowAsText: 'identityQueries.results.showAsText',
  resultsAddWhere: 'identityQueries.results.addWhere',
  resultsAddOrderBy: 'identityQueries.results.addOrderBy',
  resultsCopyEvidence: 'identityQueries.results.copyEvidence',
  evidenceVerify: 'identityQueries.evidence.verify',
  /** Answers how the present result stands (a ResultView), for tests and other extensions. */
  resultsCurrent: '_identityQueries.results.current',
  savedQueryOpen: 'identityQueries.savedQuery.open',
  savedQueryCreate: 'identityQueries.savedQuery.create',
  savedQuerySaveSelectionAsNew: 'identityQueries.savedQuery.saveSelectionAsNew',
  savedQuerySaveAsNew: 'identityQueries.savedQuery.saveAsNew',
  savedQueryOpenById: 'identityQueries.savedQuery.openById',
  savedQueryRename: 'identityQueries.savedQuery.rename',
  savedQueryChangeModel: 'identityQueries.savedQuery.changeModel',
  savedQueryEditDescription: 'identityQueries.savedQuery.editDescription',
  savedQueryDuplicate: 'identityQueries.savedQuery.duplicate',
  savedQuerySave: 'identityQueries.savedQuery.save',
  savedQuerySaveAll: 'identityQueries.savedQuery.saveAll',
  savedQueryReload: 'identityQueries.savedQuery.reload',
  savedQueryCompareWithNewest: 'identityQueries.savedQuery.compareWithNewest',
  conflictSettle: 'identityQueries.conflict.settle',
  conflictCompare: 'identityQueries.conflict.compare',
  conflictSaveMine: 'identityQueries.conflict.saveMine',
  conflictTakeTheirs: 'identityQueries.conflict.takeTheirs',
  conflictMerge: 'identityQueries.conflict.merge',
  conflictNextMarker: 'identityQueries.conflict.nextMarker',
  /** Keeps one side of a marked overlap. */
  conflictAcceptMarked: '_identityQueries.conflict.acceptMarked',
  savedQueryDelete: 'identityQueries.savedQuery.delete',
  savedQueryCopyId: 'identityQueries.savedQuery.copyId',
  savedQueryCopyLink: 'identityQueries.savedQuery.copyLink',
  savedQueryAddToFavourites: 'identityQueries.savedQuery.addToFavourites',
  savedQueryRemoveFromFavourites: 'identityQueries.savedQuery.removeFromFavourites',
  savedQueryShowVersions: 'identityQueries.savedQuery.showVersions',
  savedQueryVersionOpen: 'identityQueries.savedQueryVersion.open',
  savedQueryVersionCompareWithCurrent: 'identityQueries.savedQueryVersion.compareWithCurrent',
  savedQueryVersionCompareWithPrevious: 'identityQueries.savedQueryVersion.compareWithPrevious',
  savedQueryVersionCompareWithEditor: 'identityQueries.savedQueryVersion.compareWithEditor',
  savedQueryVersionRestore: 'identityQueries.savedQueryVersion.restore',
  savedQueriesRefresh: 'identityQueries.savedQueries.refresh',
  savedQueriesFilter: 'identityQueries.savedQueries.filter',
  savedQueriesClearFilter: 'identityQueries.savedQueries.clearFilter',
  savedQueriesGroupBy: 'identityQueries.savedQueries.groupBy',
  savedQueriesSortBy: 'identityQueries.savedQueries.sortBy',
  savedQueriesClearRecent: 'identityQueries.savedQueries.clearRecent',
  savedQueriesClearLocalHistory: 'identityQueries.savedQueries.clearLocalHistory',
  /** Shows more rows of a group of the view: its key. */
  savedQueriesShowMore: '_identityQueries.savedQueries.showMore',
  modelsRefresh: 'identityQueries.models.refresh',
  /** Answers what is known of the models (a ModelsState), for tests and other extensions. */
  modelsCurrent: '_identityQueries.models.current',
  modelsSearch: 'identityQueries.models.search',
  modelsFilter: 'identityQueries.models.filter',
  modelsClearFilter: 'identityQueries.models.clearFilter',
  modelsInsertName: 'identityQueries.models.insertName',
  modelsCopyName: 'identityQueries.models.copyName',
  modelsCopyQualifiedName: 'identityQueries.models.copyQualifiedName',
  modelsCopyAsSelect: 'identityQueries.models.copyAsSelect',
  modelsPreview: 'identityQueries.models.preview',
  modelsShowUses: 'identityQueries.models.showUses',
  driftCheckAll: 'identityQueries.savedQueries.checkAll',
  driftClear: 'identityQueries.drift.clear',
  driftShowProblems: 'identityQueries.drift.showProblems',
  /** Opens a broken saved query where one of its findings is: its id, and the place of the finding. */
  driftOpenFinding: '_identityQueries.drift.openFinding',
  modelsNewQueryFromTable: 'identityQueries.models.newQueryFromTable',
  recordsOpen: 'identityQueries.records.open',
  recordsOpenFiltered: 'identityQueries.records.openFiltered',
  recordsStreamToFile: 'identityQueries.records.streamToFile',
  recordOpenSelected: 'identityQueries.record.openSelected',
  recordOpenById: 'identityQueries.record.openById',
  recordShowJson: 'identityQueries.record.showJson',
  recordRefresh: 'identityQueries.record.refresh',
  /** Shows the records that refer to one: the target of links in records. */
  recordReferring: '_identityQueries.record.referring',
  recordsFocus: '_identityQueries.records.focus',
  changesDisableAccount: 'identityQueries.changes.disableAccount',
  changesRemoveAccountAccess: 'identityQueries.changes.removeAccountAccess',
  changesRemoveGroupAccess: 'identityQueries.changes.removeGroupAccess',
  changesAddMember: 'identityQueries.changes.addMember',
  changesRemoveMember: 'identityQueries.changes.removeMember',
  changesOfSelection: 'identityQueries.changes.ofSelection',
  changesOfRecord: 'identityQueries.changes.ofRecord',
  changesStop: 'identityQueries.changes.stop',
  changesStopFollowing: 'identityQueries.changes.stopFollowing',
  changesCopyJobId: 'identityQueries.changes.copyJobId',
  changesOpenJobById: 'identityQueries.changes.openJobById',
  changesExport: 'identityQueries.changes.export',
  changesClear: 'identityQueries.changes.clear',
  changesFocus: '_identityQueries.changes.focus',
  /** Answers every confirmation with its targets, for tests and other extensions. */
  changesCurrent: '_identityQueries.changes.current',
  exportsCreate: 'identityQueries.exports.create',
  exportsOpenById: 'identityQueries.exports.openById',
  exportsSave: 'identityQueries.exports.save',
  exportsContinue: 'identityQueries.exports.continue',
  exportsDiscardPart: 'identityQueries.exports.discardPart',
  exportsOpenInResults: 'identityQueries.exports.openInResults',
  exportsCreateAgain: 'identityQueries.exports.createAgain',
  exportsCopyId: 'identityQueries.exports.copyId',
  exportsForget: 'identityQueries.exports.forget',
  /** Answers the exports of the present connection, for tests and other extensions. */
  exportsCurrent: '_identityQueries.exports.current',
  languageRestart: 'identityQueries.language.restart',
  /** Copies a report that a code action of the server made. */
  /** Shows what a code means: the one it is given, else that of the finding at the cursor. */
  languageExplainFinding: 'identityQueries.language.explainFinding',
  languageReportFalsePositive: 'identityQueries.language.reportFalsePositive',
  logShow: 'identityQueries.log.show',
} as const;
export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  savedQueries: 'identityQueries.savedQueries',
  models: 'identityQueries.models',
  records: 'identityQueries.records',
  drift: 'identityQueries.drift',
  exports: 'identityQueries.exports',
  jobs: 'identityQueries.jobs',
  results: 'identityQueries.results',
} as const;

/** Context keys that `when` clauses of package.json may name. */
export const contextKeys = {
  /** One of the kinds of ConnectionState. */
  connection: 'identityQueries.connection',
  /** While the connection has failed: one of the kinds of failure (session/connection-failure.ts). */
  connectionFailure: 'identityQueries.connectionFailure',
  /** Whether at least one connection is configured. */
  hasConnections: 'identityQueries.hasConnections',
  /** Whether the service was seen to have no memberships. */
  noMemberships: 'identityQueries.noMemberships',
  sandboxRunning: 'identityQueries.sandboxRunning',
  /** Whether all saved queries were checked, so that there is something to show of it. */
  savedQueriesChecked: 'identityQueries.savedQueriesChecked',
  /** Whether the Models view shows only what matches a filter. */
  modelsFiltered: 'identityQueries.modelsFiltered',
  /** Whether the Saved Queries view shows only what matches a filter. */
  savedQueriesFiltered: 'identityQueries.savedQueriesFiltered',
  /** Addresses of the open saved queries that are in a conflict. */
  conflictedQueries: 'identityQueries.conflictedQueries',
  /** Whether saved queries have unsaved edits. */
  hasUnsavedQueries: 'identityQueries.hasUnsavedQueries',
  /** Whether a query is running. */
  isRunning: 'identityQueries.isRunning',
} as const;

/** Settings, without the `identityQueries.` in front. Types and defaults are in session/settings.ts. */
export const settingsSection = 'identityQueries';
export const settings = {
  connections: 'connections',
  requestTimeoutSeconds: 'network.requestTimeoutSeconds',
  clientAuthentication: 'network.clientAuthentication',
  networkTotalTimeoutSeconds: 'network.totalTimeoutSeconds',
  networkCaFile: 'network.caFile',
  networkClientCertificate: 'network.clientCertificate',
  networkClientKey: 'network.clientKey',
  networkUseEditorFetch: 'network.useEditorFetch',
  resultsLocation: 'results.location',
  resultsPageSize: 'results.pageSize',
  resultsRowLimit: 'results.rowLimit',
  resultsCopyNullAs: 'results.copyNullAs',
  resultsExportNullAs: 'results.exportNullAs',
  resultsExportByteOrderMark: 'results.exportByteOrderMark',
  resultsGuardFormulas: 'results.guardFormulas',
  inlayHintsParameterTypes: 'inlayHints.parameterTypes',
  inlayHintsColumnCount: 'inlayHints.columnCount',
  codeLensEnabled: 'codeLens.enabled',
  runRequireReadOnlyProof: 'run.requireReadOnlyProof',
  runRememberParameters: 'run.rememberParameters',
  runAskParameters: 'run.askParameters',
  runParameterBinding: 'run.parameterBinding',
  runTimeLimitSeconds: 'run.timeLimitSeconds',
  historyEnabled: 'history.enabled',
  historyRetentionDays: 'history.retentionDays',
  historyParameterValues: 'history.parameterValues',
  savedQueriesFollowNewer: 'savedQueries.followNewer',
  severities: 'severities',
  dialect: 'dialect',
  modelsRefreshAfterMinutes: 'models.refreshAfterMinutes',
} as const;
