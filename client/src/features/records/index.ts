/** Records of the service: the nine collections in the result panel, single records as documents. */
import * as vscode from 'vscode';
import type { CollectionId } from '../../../../api/contract/tables.ts';
import { commands, views } from '../../contributions.ts';
import { connectionKeyOf } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import type { ResultsFeature } from '../results/index.ts';
import { defaultWindow } from './activity-window.ts';
import { collectionOrder, collectionWords } from './collections.ts';
import { registerIdHover } from './id-hover.ts';
import {
  noSuchRecord,
  parseRecordUri,
  recordLanguage,
  recordUri,
  RecordDocuments,
} from './record-documents.ts';
import { collectionArgument, RecordsTree } from './records-tree.ts';
import type { ConnectedClient } from './open-records.ts';

export interface RecordsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
}

export function registerRecords({ log, session, results }: RecordsDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const tree = disposables.add(new RecordsTree(session));
  disposables.add(vscode.window.createTreeView(views.records, { treeDataProvider: tree }));
  const documents = disposables.add(new RecordDocuments(session));
  disposables.add(registerIdHover({ session, log }));

  const connected = async (): Promise<ConnectedClient> => {
    await session.settled();
    const client = session.requireClient();
    const { state } = session;
    if (state.kind !== 'connected') throw new ExpectedError(vscode.l10n.t('Not connected.'));
    return { client, profile: state.profile };
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
      const { askFilter } = await import('./ask-filter.ts');
      const filter = await askFilter(collection, { client: connection.client, log });
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
      const filter = collection === 'activities' ? { window: defaultWindow(Date.now()) } : {};
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
  disposables.add(
    registerCommand(log, commands.recordOpenById, async (argument) => {
      const { client, profile } = await connected();
      const globalId = typeof argument === 'string' ? argument : await askGlobalId();
      if (globalId === undefined) return;
      const found = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking for the record') },
        async () => {
          const { findRecord } = await import('./find-record.ts');
          return await findRecord(client, globalId);
        },
      );
      if (found === undefined) throw new ExpectedError(noSuchRecord(globalId));
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
  return { dispose: () => disposables.dispose() };
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
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.collection;
}

async function askGlobalId(): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Open Record by Global Id'),
    prompt: vscode.l10n.t('The global id of the record'),
    validateInput: (text) =>
      text.trim() === '' || text.trim().length > 200 ? vscode.l10n.t('A global id, for example from a global_id column.') : undefined,
  });
  return answer?.trim();
} // prettier-ignore

function parseReference(argument: unknown) {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { globalId, field } = argument as { readonly globalId?: unknown; readonly field?: unknown }; // read as unknown
  const collection = collectionArgument(argument);
  if (collection === undefined || collection === 'enrollmentViaAuthenticator') return undefined;
  if (typeof globalId !== 'string' || typeof field !== 'string') return undefined;
  return { globalId, field, collection };
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
