/** Records of the service: the nine collections in the result panel, single records as documents. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../api/client/client.ts';
import type { CollectionId } from '../../../../api/contract/tables.ts';
import { commands, views } from '../../contributions.ts';
import { connectionKeyOf } from '../../../../core/src/connections/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { pauseWords } from '../../../../core/src/util/pause-words.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { waitingOutRateLimits } from '../../../../core/src/util/rate-limit.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { showInputBox } from '../../ui/shown/prompts.ts';
import { showQuickPick } from '../../ui/shown/quick-picks.ts';
import { createTreeView } from '../../ui/shown/tree-views.ts';
import type { ResultsFeature } from '../results/index.ts';
import { defaultWindow } from '../../../../core/src/records/activity-window.ts';
import { collectionOrder, collectionWords } from '../../../../core/src/records/collections.ts';
import { registerIdHover } from './id-hover.ts';
import { KnownRecords, type IdentifiedId } from './known-records.ts';
import {
  noSuchRecord,
  parseRecordUri,
  recordLanguage,
  recordUri,
  RecordDocuments,
  type RecordAddress,
} from './record-documents.ts';
import { collectionArgument, RecordsTree } from './records-tree.ts';
import type { ConnectedClient } from './open-records.ts';
import type { RecordsFilter } from '../../../../core/src/records/records-source.ts';

export interface RecordsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
}

export type { IdentifiedId } from './known-records.ts';
export type { RecordAddress } from './record-documents.ts';

export interface RecordsFeature extends DisposableLike {
  /** What a global id names; undefined when the service does not say. Never rejects. */
  identify(globalId: string): Promise<IdentifiedId | undefined>;
  /** Reads the open records of a connection again that are named by an id or refer to one. */
  readAgain(connectionKey: string, globalIds: ReadonlySet<string>): void;
  /** The record that the person looks at. */
  readonly shown: RecordAddress | undefined;
}

export function registerRecords({ log, session, results }: RecordsDependencies): RecordsFeature {
  const disposables = new DisposableStore();
  const tree = disposables.add(new RecordsTree(session));
  disposables.add(createTreeView(views.records, { treeDataProvider: tree }));
  const documents = disposables.add(new RecordDocuments(session));
  const known = disposables.add(new KnownRecords({ session, log }));
  disposables.add(registerIdHover(known));
  results.linkRecords({
    describe: async (globalId) => (await known.identify(globalId))?.words,
    open: (globalId) => void vscode.commands.executeCommand(commands.recordOpenById, globalId),
  });

  const connected = async (): Promise<ConnectedClient> => {
    await session.settled();
    const client = session.requireClient();
    const { state } = session;
    if (state.kind !== 'connected') throw new ExpectedError(vscode.l10n.t('Not connected.'));
    return { client, profile: state.profile };
  };

  const chooseFilter = async (collection: CollectionId, client: ServiceClient) => {
    const { askFilter } = await import('./ask-filter.ts');
    return await askFilter(collection, { client, log });
  };

  disposables.add(
    registerCommand(log, commands.recordsOpen, async (argument) => {
      const connection = await connected();
      const collection = collectionArgument(argument) ?? (await chooseCollection());
      if (collection === undefined) return;
      const { openRecords } = await import('./open-records.ts');
      const filter = collection === 'activities' ? { window: defaultWindow(Date.now()) } : {};
      await openRecords(results, connection, collection, filter);
    }),
  );
  disposables.add(
    registerCommand(log, commands.recordsOpenFiltered, async (argument) => {
      const connection = await connected();
      const collection = collectionArgument(argument) ?? (await chooseCollection());
      if (collection === undefined) return;
      const filter = await chooseFilter(collection, connection.client);
      if (filter === undefined) return;
      const { openRecords } = await import('./open-records.ts');
      await openRecords(results, connection, collection, filter);
    }),
  );
  disposables.add(
    registerCommand(log, commands.recordsStreamToFile, async (argument) => {
      const { client } = await connected();
      const collection = collectionArgument(argument) ?? (await chooseCollection());
      if (collection === undefined) return;
      const filter = filterArgument(argument) ?? (await chooseFilter(collection, client));
      if (filter === undefined) return;
      const { streamToFile } = await import('./stream-to-file.ts');
      return await streamToFile(results, { client, log }, collection, { filter, choice: choiceOf(argument) });
    }),
  );
  disposables.add(
    registerCommand(log, commands.recordOpenSelected, async () => {
      const selected = await results.selectedRows();
      const id = selected?.rows[0]?.[selected.firstColumn];
      if (id === undefined || id === null || id === '') {
        throw new ExpectedError(vscode.l10n.t('Select a cell with a global id first.'));
      }
      return await vscode.commands.executeCommand(commands.recordOpenById, id);
    }),
  );
  /** The next look-up ends the one before, which a rate limit may hold up for long. */
  let looking: AbortController | undefined;
  disposables.add({ dispose: () => looking?.abort() });
  disposables.add(
    registerCommand(log, commands.recordOpenById, async (argument) => {
      const { client, profile } = await connected();
      const globalId = typeof argument === 'string' ? argument : await askGlobalId();
      if (globalId === undefined) return;
      const found = await withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking for the record') },
        async (progress) => {
          looking?.abort();
          const { signal } = (looking = new AbortController());
          const { findRecord } = await import('../../../../core/src/records/find-record.ts');
          return await waitingOutRateLimits(
            () => findRecord(client, globalId, { signal, throwsRateLimit: true }),
            { signal, onPause: (delayMs) => progress.report({ message: pauseWords(delayMs) }) },
          );
        },
      );
      if (found === undefined) throw await explainMissing(client, globalId);
      await show(recordUri(connectionKeyOf(profile), found, 'text'));
    }),
  );
  disposables.add(
    registerCommand(log, commands.recordShowJson, async () => {
      const uri = activeRecord();
      await show(uri.with({ path: uri.path.replace(/\.identity-record$/, '.json') }));
    }),
  );
  disposables.add(registerCommand(log, commands.recordRefresh, () => documents.refresh(activeRecord())));
  disposables.add(
    registerCommand(log, commands.recordReferring, async (argument) => {
      const reference = parseReference(argument);
      if (reference === undefined) return;
      const { openReferring } = await import('./open-referring.ts');
      await openReferring(results, await connected(), reference);
    }),
  );
  disposables.add(
    registerCommand(log, commands.recordsFocus, () =>
      vscode.commands.executeCommand(`${views.records}.focus`),
    ),
  );
  return {
    identify: (globalId) => known.identify(globalId),
    readAgain: (connectionKey, globalIds) => documents.readAgain(connectionKey, globalIds),
    get shown() {
      const uri = vscode.window.activeTextEditor?.document.uri;
      return uri === undefined ? undefined : parseRecordUri(uri);
    },
    dispose: () => disposables.dispose(),
  };
}

/** Applications and groups are no records of their own, but others refer to them. */
async function explainMissing(client: ServiceClient, globalId: string): Promise<ExpectedError> {
  const { backReferences } = await import('../../../../core/src/records/find-record.ts');
  // Without an answer there is nothing to add to what is known already.
  const references = await backReferences(client, globalId).catch(() => []);
  const count = references.reduce((sum, reference) => sum + reference.count, 0);
  if (count === 0) return new ExpectedError(noSuchRecord(globalId));
  return new ExpectedError(
    vscode.l10n.t(
      'No record has the global id {0}, but others refer to it: {1} times.',
      globalId,
      count.toLocaleString(),
    ),
    references.slice(0, 2).map(({ collection, field }) => ({
      title: vscode.l10n.t('Show {0} by {1}', collectionWords(collection).many, field),
      command: commands.recordReferring,
      arguments: [{ globalId, collection, field }],
    })),
  );
}

async function show(uri: vscode.Uri): Promise<void> {
  let document = await vscode.workspace.openTextDocument(uri);
  if (!uri.path.endsWith('.json') && document.languageId !== recordLanguage)
    document = await vscode.languages.setTextDocumentLanguage(document, recordLanguage);
  await vscode.window.showTextDocument(document, { preview: true });
}

/** @throws ExpectedError when no record is in front. */
function activeRecord(): vscode.Uri {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || parseRecordUri(uri) === undefined) {
    throw new ExpectedError(vscode.l10n.t('Open a record first.'), [
      { title: vscode.l10n.t('Open Record by Global Id...'), command: commands.recordOpenById },
    ]);
  }
  return uri;
}

async function chooseCollection(): Promise<CollectionId | undefined> {
  const items = collectionOrder.map((collection) => {
    const words = collectionWords(collection);
    return { label: `$(${words.icon}) ${words.many}`, detail: words.description, collection };
  });
  const title = vscode.l10n.t('Open Records');
  return (await showQuickPick(items, { title, matchOnDetail: true }))?.collection;
}

async function askGlobalId(): Promise<string | undefined> {
  const answer = await showInputBox({
    title: vscode.l10n.t('Open Record by Global Id'),
    prompt: vscode.l10n.t('The global id of the record'),
    validateInput: (text) =>
      text.trim() === '' || text.trim().length > 200
        ? vscode.l10n.t('A global id, for example from a global_id column.')
        : undefined,
  });
  return answer?.trim();
}

function parseReference(argument: unknown) {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { globalId, field } = argument as { readonly globalId?: unknown; readonly field?: unknown }; // read as unknown
  const collection = collectionArgument(argument);
  if (collection === undefined || collection === 'enrollmentViaAuthenticator') return undefined;
  if (typeof globalId !== 'string' || typeof field !== 'string') return undefined;
  return { globalId, field, collection };
}

/** A filter that was chosen already: that of the rows that are shown. */
function filterArgument(argument: unknown): RecordsFilter | undefined {
  const filter: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'filter') : undefined;
  if (typeof filter !== 'object' || filter === null) return undefined;
  const { applicationInstanceId, window } = filter as Readonly<Record<string, unknown>>; // an object, read as unknown
  const { from, to } = (typeof window === 'object' && window !== null ? window : {}) as Readonly<
    Record<string, unknown>
  >; // as above
  return {
    ...(typeof applicationInstanceId === 'string' ? { applicationInstanceId } : {}),
    ...(typeof from === 'number' && typeof to === 'number' ? { window: { from, to } } : {}),
  };
}

/** A file and a form that were chosen already. */
function choiceOf(argument: unknown): Parameters<ResultsFeature['exportRows']>[1] {
  if (typeof argument !== 'object' || argument === null) return {};
  const { format, uri } = argument as { readonly format?: unknown; readonly uri?: unknown }; // read as unknown
  return {
    format: format === 'csv' || format === 'jsonl' ? format : undefined,
    uri: uri instanceof vscode.Uri ? uri : undefined,
  };
}
