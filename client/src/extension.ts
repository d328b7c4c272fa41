/** Activates the extension: creates the log and the session, then registers each feature. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { setTranslations } from '#base/texts.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { commands, contextKeys } from './contributions.ts';
import { registerActivity } from './features/activity/index.ts';
import { registerAgents } from './features/agents/index.ts';
import { registerChanges } from './features/changes/index.ts';
import { registerClearData } from './features/clear-data/index.ts';
import { registerComparisons } from './features/comparisons/index.ts';
import { registerConnection } from './features/connection/index.ts';
import { KeptOutcomes, registerControls } from './features/controls/index.ts';
import { DocumentModels, registerDocuments } from './features/documents/index.ts';
import { registerEvidence } from './features/evidence/index.ts';
import { registerExports } from './features/exports/index.ts';
import { registerHistory } from './features/history/index.ts';
import { startLanguage, type LanguageFeature } from './features/language/index.ts';
import { tidyStorage } from './features/left-overs/index.ts';
import { registerLibrary } from './features/library/index.ts';
import { registerModels } from './features/models/index.ts';
import { registerOpenById } from './features/open-by-id/index.ts';
import { registerOwnData } from './features/own-data/index.ts';
import { registerRecords } from './features/records/index.ts';
import { registerResults } from './features/results/index.ts';
import { registerRuns } from './features/runs/index.ts';
import { registerSandbox } from './features/sandbox/index.ts';
import { registerSavedQueries, type SavedQueriesFeature } from './features/saved-queries/index.ts';
import { registerSourceControl } from './features/source-control/index.ts';
import { registerStatus } from './features/status/index.ts';
import { ConnectionNames } from './session/connection-names.ts';
import { readConnections } from './session/connection-settings.ts';
import { FolderAnswers } from './session/folder-answers.ts';
import { memoryIn } from './session/memory-in.ts';
import { openClient } from './session/open-client.ts';
import { withOrderedStores } from './session/ordered-memento.ts';
import { SecretStore } from './session/secrets.ts';
import { Session } from './session/session.ts';
import { registerFailureDetails } from './ui/failure-details.ts';
import { locale } from './ui/locale.ts';
import { registerCommand } from './ui/register-command.ts';

/** This window's language server, for `deactivate`. */
let runningLanguage: LanguageFeature | undefined;

export function activate(given: vscode.ExtensionContext): void {
  const context = withOrderedStores(given);
  setTranslations(vscode.l10n.bundle ?? {}, locale);
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);
  const log = disposables.add(vscode.window.createOutputChannel('Identity Queries', { log: true }));
  disposables.add(registerCommand(log, commands.logShow, () => log.show()));
  const { id: extensionId } = context.extension;
  disposables.add(registerCommand(log, commands.firstSteps, () => openFirstSteps(extensionId)));
  disposables.add(registerFailureDetails());

  const secrets = new SecretStore(context.secrets);
  const version = (context.extension.packageJSON as { version: string }).version; // our own manifest
  const folderAnswers = disposables.add(new FolderAnswers(context.workspaceState));
  const clients = {
    log,
    secrets,
    settings: () => readConnections((digest) => folderAnswers.of(digest)),
    userAgent: `identity-queries/${version}`,
    memory: memoryIn(dataFolder(process.env)),
  };
  const session = disposables.add(new Session(clients));
  const names = disposables.add(new ConnectionNames(session, context.workspaceState));
  disposables.add(registerStatus({ session, secrets }));
  const language = disposables.add(startLanguage({ context, log }));
  runningLanguage = language;
  const outcomes = disposables.add(
    new KeptOutcomes(context.workspaceState, () =>
      session.state.kind === 'disconnected' ? undefined : connectionKeyOf(session.state.profile),
    ),
  );
  const savedQueries = disposables.add(registerSavedQueries({ context, log, session, names, outcomes }));
  const sourceControl = disposables.add(
    registerSourceControl({
      log,
      session,
      uriOf: savedQueries.uriOf,
      onDidChangeQuery: savedQueries.onDidChange,
    }),
  );
  const documentModels = new DocumentModels({
    context,
    session,
    recordOf: (uri) => savedQueries.recordOf(uri) ?? sourceControl.recordOf(uri),
    connectionOf: savedQueries.connectionOf,
    markedModel: () => models.models()?.find(({ isDefault }) => isDefault === true)?.name,
  });
  const modelOf = (document: vscode.TextDocument) => documentModels.modelOf(document);
  // The history adds its own: it needs the runs, which need this.
  const homes = [savedQueries.homeOf];
  const homeOf = (uri: vscode.Uri) => homes.map((each) => each(uri)).find((home) => home !== undefined);
  savedQueries.offerCreating(modelOf);
  const models = disposables.add(
    registerModels({
      context,
      log,
      session,
      modelOf,
      connectionOf: (uri) => documentModels.connectionOf(uri),
      queries: savedQueries.known,
      uriOf: savedQueries.uriOf,
      language,
      publish: (connection, known) => language.setCatalogue(connection, known),
    }),
  );
  disposables.add(
    registerDocuments({
      log,
      session,
      documentModels,
      onDidChangeRecords: (listener) =>
        vscode.Disposable.from(
          savedQueries.onDidChange(listener),
          sourceControl.onDidChange(() => void listener(undefined)),
        ),
      models: models.models,
      want: models.want,
      publish: (uri, model, connection) => language.setDocumentModel(uri, model, connection),
      homeOf,
    }),
  );
  const results = disposables.add(registerResults({ context, log }));
  const activity = disposables.add(registerActivity(log));
  disposables.add(registerExports({ context, log, session, results, activity }));
  const records = disposables.add(registerRecords({ log, session, names, results, homeOf }));
  disposables.add(
    registerChanges({
      ...{ context, log, session, names, results, records, activity },
      references: (text) => language.references(text),
    }),
  );
  const isSavedQuery = (id: string) => savedQueries.known.get(id) !== undefined;
  disposables.add(registerOpenById({ log, session, isSavedQuery }));
  const runs = disposables.add(
    registerRuns({
      context,
      log,
      session,
      results,
      connections: () => clients.settings().connections,
      openClient: (profile) =>
        openClient(profile, clients, {
          onAccessLost: () => undefined,
          onGrantedScopes: () => undefined,
          onReach: () => undefined,
        }),
      connectionNameOf: (key) => names.nameOf(key),
      statements: (document, range) => language.statements(document, range),
      modelOf,
      tablesOf: (model) => models.models()?.find(({ name }) => name === model)?.tables ?? [],
      missedName: models.noteMissedName,
      describe: (document) => describe(document, savedQueries),
      homeOf: ({ uri }) => homeOf(uri),
      savedQueries: savedQueriesToRun(savedQueries),
    }),
  );
  models.offerPreviews((document) => runs.run(document));
  disposables.add(savedQueries.onDidCreate((made) => runs.carryOver(made)));
  disposables.add(savedQueries.onDidMove(({ from, to }) => runs.noteMoved(from, to)));
  disposables.add(savedQueries.onDidChange(() => runs.followNames()));
  disposables.add(language.lowerRules(runs.lowered));
  disposables.add(registerComparisons({ context, log, session, results, runs, savedQueries }));
  const controls = disposables.add(
    registerControls({
      context,
      log,
      session,
      queries: savedQueries.known,
      uriOf: savedQueries.uriOf,
      fileOfQuery: sourceControl.fileOfQuery,
      onDidChangeFiles: sourceControl.onDidChange,
      outcomes,
      homeOf,
      statements: (document, range) => language.statements(document, range),
      modelOf,
      run: (document, options) => runs.run(document, options),
    }),
  );
  disposables.add(
    registerLibrary({
      context,
      log,
      models: models.models,
      wantModels: models.want,
      ensureModels: models.ensure,
      onDidChangeModels: models.onDidChange,
      findControls: controls.find,
    }),
  );
  const history = disposables.add(registerHistory({ context, log, runs, session, names }));
  homes.push((uri) => history.homeOf(uri));
  disposables.add(
    registerEvidence({
      log,
      session,
      results,
      runs,
      readVersion: savedQueries.readVersion,
      findRun: (isWanted) => history.find(isWanted),
      extensionVersion: version,
    }),
  );
  disposables.add(registerClearData({ log }));
  disposables.add(registerAgents({ context, log, session, version, runs, language }));
  const sandbox = disposables.add(registerSandbox({ context, log, session, secrets }));
  const ownData = disposables.add(registerOwnData({ context, log, session, secrets }));
  disposables.add(
    registerConnection({
      ...clients,
      context,
      session,
      names,
      folderAnswers,
      version,
      sandboxProfile: sandbox.profile,
      startSandbox: sandbox.start,
      ownProfiles: ownData.profiles,
      connectOwn: ownData.connect,
      startOwn: ownData.start,
      unsavedQueries: savedQueries.unsavedQueries,
    }),
  );
  // Cleaning up after closed windows can wait until this window is ready.
  setImmediate(() => void tidyStorage(context, log));
}

/** The editor awaits `deactivate` before ending the extension host; it does not await disposables. */
export async function deactivate(): Promise<void> {
  await runningLanguage?.stop();
  runningLanguage = undefined;
}

/** Returns the display name of a document: the name of its saved query, or its file name. */
function describe(document: vscode.TextDocument, savedQueries: SavedQueriesFeature) {
  const fileName = document.uri.path.split('/').at(-1) ?? document.uri.path;
  const record = savedQueries.recordOf(document.uri);
  return {
    title: fileName.replace(/\.identity\.sql$/, ''),
    savedQuery: record && { id: record.query_id, name: record.name, version: record.version },
  };
}

function savedQueriesToRun({ known, uriOf, nowOf, pick }: SavedQueriesFeature) {
  return {
    nowOf,
    async pick(title: string) {
      const query = await pick(title);
      return query && uriOf(query);
    },
    uriOf(queryId: string) {
      const query = known.get(queryId);
      return query && uriOf(query);
    },
  };
}

async function openFirstSteps(extensionId: string): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${extensionId}#identityQueries.welcome`,
  );
  // Not awaited: the steps are open already.
  void countFirstSteps();
}

async function countFirstSteps(): Promise<void> {
  for (const [count, waitMs] of [2_000, 8_000].entries()) {
    await pause(waitMs);
    await vscode.commands.executeCommand('setContext', contextKeys.firstStepsShown, count + 1);
  }
}
