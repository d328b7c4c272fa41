/** Connects the parts of saving: files, save machines, conflicts, checks for newer versions, and recovery on restart. */
import * as vscode from 'vscode';
import { ServerFaultError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { contextKeys, settings, settingsSection } from '#client/contributions.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { VersionStore } from '#core/saved-queries/version-store.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { ConflictCommands } from '../conflicts/conflict-commands.ts';
import { registerConflictLenses } from '../conflicts/conflict-lenses.ts';
import { showConflictStatus } from '../conflicts/conflict-status.ts';
import { versionAndAuthor } from '../conflicts/conflict-view.ts';
import { NewerVersions } from '../following/newer-versions.ts';
import { QueryTabs } from '../following/query-tabs.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { parseSavedQueryUri, type SavedQueryAddress } from '../records/saved-query-uri.ts';
import { BaseArchive } from './base-archive.ts';
import { BufferTracker } from './buffer-tracker.ts';
import { DocumentSaves } from './document-saves.ts';
import type { OpenQueries } from './open-queries.ts';
import { registerSaveCommands } from './save-commands.ts';
import { notReverted } from './save-failures.ts';
import { SavedQueryFileSystem } from './saved-query-file-system.ts';

export interface SavingDependencies extends FeatureDependencies {
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly versions: VersionStore;
  readonly onGone: (address: SavedQueryAddress) => void;
  /** Explains why a query that a person opened could not be read, and throws. */
  readonly explainUnread: (uri: vscode.Uri, error: unknown) => Promise<never>;
}

export interface Saving extends DisposableLike {
  readonly fileSystem: SavedQueryFileSystem;
  readonly tabs: QueryTabs;
  readonly newerVersions: NewerVersions;
}

export function registerSaving(deps: SavingDependencies): Saving {
  const { context, log, session, connections, store, queries, versions, onGone } = deps;
  const disposables = new DisposableStore();
  const saves = disposables.add(
    new DocumentSaves({
      queries,
      labels: (base, theirs) => ({
        mine:
          base.version === 0
            ? vscode.l10n.t('mine')
            : vscode.l10n.t('mine, edited from version {0}', base.version),
        theirs: versionAndAuthor(theirs),
      }),
      onRecord: (uri, record) => {
        const address = parseSavedQueryUri(uri);
        if (address !== undefined) fileSystem.noteRecord(address.connection, record);
      },
    }),
  );
  const fileSystem: SavedQueryFileSystem = disposables.add(
    new SavedQueryFileSystem({
      session,
      connections,
      store,
      queries,
      versions,
      saves,
      onOffline: (...shown) => void sayOffline(log, ...shown),
      onGone,
      onNotOpened: (uri, error) => void tellNotOpened(deps, uri, error),
      onNotReverted: (uri, error) => void presentFailure(log, 'reverting a query', notReverted(uri, error)),
    }),
  );
  disposables.add(
    vscode.workspace.registerFileSystemProvider(savedQueryScheme, fileSystem, { isCaseSensitive: true }),
  );
  const archiveFolder = context.storageUri ?? context.globalStorageUri;
  const archive = new BaseArchive(vscode.Uri.joinPath(archiveFolder, 'bases'));
  disposables.add(new BufferTracker({ queries, archive, saves, fileSystem, log }));
  disposables.add(registerSaveCommands({ connections, queries, saves, fileSystem, log }));
  disposables.add(new ConflictCommands({ connections, queries, saves, fileSystem, log }));
  disposables.add(registerConflictLenses({ queries, log }));
  disposables.add(showConflictStatus(queries));
  const tabs = disposables.add(new QueryTabs({ queries, fileSystem, connections }));
  const newerVersions = disposables.add(
    new NewerVersions({ session, connections, store, queries, saves, fileSystem, tabs, log, follows }),
  );

  const publishConflicts = () => {
    const addresses = queries.conflicts().map((uri) => uri.toString());
    void vscode.commands.executeCommand('setContext', contextKeys.conflictedQueries, addresses);
  };
  disposables.add(queries.onDidChangeConflicts(publishConflicts));
  return { fileSystem, tabs, newerVersions, dispose: () => disposables.dispose() };
}

/** Says why a query could not be opened. */
async function tellNotOpened(
  { log, explainUnread }: Pick<SavingDependencies, 'log' | 'explainUnread'>,
  uri: vscode.Uri,
  error: unknown,
): Promise<void> {
  await explainUnread(uri, error).catch((failure: unknown) =>
    presentFailure(log, 'opening a query', failure, {
      title: vscode.l10n.t('Try Again'),
      command: 'vscode.open',
      arguments: [uri],
    }),
  );
}

async function sayOffline(
  log: Logger,
  record: SavedQuery,
  connection: string,
  error: unknown,
): Promise<void> {
  const isNotChosen = error instanceof ExpectedError;
  const actions = isNotChosen ? error.actions : [];
  const message = offlineWords(record, connection, error);
  const chosen = await showInformationMessage(message, ...actions.map(({ title }) => title));
  const action = actions.find(({ title }) => title === chosen);
  if (action === undefined) return;
  try {
    await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  } catch (failure) {
    void presentFailure(log, action.command, failure);
  }
}

function offlineWords({ name, version }: SavedQuery, connection: string, error: unknown): string {
  if (error instanceof ExpectedError)
    return vscode.l10n.t(
      'Not connected to {0}. "{1}" shows version {2}, the last one seen here.',
      connection,
      name,
      version,
    );
  if (error instanceof ServerFaultError)
    return vscode.l10n.t(
      'The service is not available ({0}). "{1}" shows version {2}, the last one seen here.',
      error.status ?? error.code,
      name,
      version,
    );
  return vscode.l10n.t(
    `The service can't be reached. "{0}" shows version {1}, the last one seen here.`,
    name,
    version,
  );
}

function follows(): boolean {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return configuration.get<unknown>(settings.savedQueriesFollowNewer) === true;
}
