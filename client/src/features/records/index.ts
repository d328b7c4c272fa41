/** The service's records: nine collections in the result panel, and single records as documents. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, views } from '#client/contributions.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import { foreignConnectionOf } from '#client/session/connection-of-rows.ts';
import type { Session } from '#client/session/session.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { createTreeView } from '#client/ui/shown/tree-views.ts';
import type { ResultsFeature } from '../results/index.ts';
import { registerIdHover } from './id-hover.ts';
import { KnownRecords, type IdentifiedId } from './known-records.ts';
import { RecordCommands } from './record-commands.ts';
import { parseRecordUri, RecordDocuments, type RecordAddress } from './record-documents.ts';
import { RecordsTree } from './records-tree.ts';

export interface RecordsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly names: ConnectionNames;
  readonly results: ResultsFeature;
  readonly homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined;
}

export type { IdentifiedId } from './known-records.ts';
export { collectionOfKey } from './records-key.ts';

export interface RecordsFeature extends DisposableLike {
  /** Returns the record with the given global ID, or undefined if unknown. Never rejects. */
  identify(globalId: string): Promise<IdentifiedId | undefined>;
  /** Rereads open records of a connection that have one of these IDs or refer to one. */
  readAgain(connectionKey: string, globalIds: ReadonlySet<string>): void;
  /** The record in the active editor. */
  readonly shown: RecordAddress | undefined;
}

export function registerRecords({
  log,
  session,
  names,
  results,
  homeOf,
}: RecordsDependencies): RecordsFeature {
  const disposables = new DisposableStore();
  const tree = disposables.add(new RecordsTree(session, log));
  disposables.add(createTreeView(views.records, { treeDataProvider: tree }));
  const rowsOf = { session, names };
  const documents = disposables.add(new RecordDocuments(session));
  const known = disposables.add(new KnownRecords({ session, log }));
  disposables.add(registerIdHover(known, homeOf));
  results.linkRecords({
    describe: async (globalId, connections) =>
      foreignConnectionOf(rowsOf, connections) === undefined
        ? (await known.identify(globalId))?.words
        : undefined,
    open: (globalId, connections) =>
      void vscode.commands.executeCommand(commands.recordOpenById, globalId, { connections }),
  });
  const own = disposables.add(new RecordCommands({ log, ...rowsOf, results, documents, known, tree }));
  own.register(commandsIn(disposables, log));
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
