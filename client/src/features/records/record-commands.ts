/** The record commands. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { commands, views } from '#client/contributions.ts';
import { connectedClient } from '#client/session/connected-client.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import { requireConnectionOfRows } from '#client/session/connection-of-rows.ts';
import type { Session } from '#client/session/session.ts';
import {
  either,
  given,
  instanceOf,
  listOf,
  number,
  object,
  oneOf,
  optional,
  text,
} from '#client/ui/arguments.ts';
import { locale } from '#client/ui/locale.ts';
import { namingFailure, withName } from '#client/ui/naming-failure.ts';
import { withFollowUp, type RegisterCommand } from '#client/ui/register-command.ts';
import { showFromRows } from '#client/ui/show-document.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { waitingOutRateLimits } from '#core/failures/rate-limit.ts';
import { helpLimitMs } from '#core/reading/time-limit.ts';
import { defaultWindow } from '#core/records/activity-window.ts';
import { collectionOrder, collectionWords } from '#core/records/collections.ts';
import type { FoundRecord } from '#core/records/find-record.ts';
import { namedRecordId, recordIdOf } from '#core/records/record-id.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { formatChoices } from '#core/rows/files/file-formats.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { KnownRecords } from './known-records.ts';
import {
  noSuchRecord,
  parseRecordUri,
  recordLanguage,
  recordUri,
  titleOf,
  type RecordDocuments,
} from './record-documents.ts';
import type { RecordsTree } from './records-tree.ts';

const collection = oneOf(collectionOrder);
/** Parses a collection: a name or a row of the view. */
const ofCollection = given(either(collection, object({ collection })));
type OfCollection = Exclude<ReturnType<typeof ofCollection>, symbol>;
/** Parses the scope of an export: the filter of the visible rows, and the given choices. */
const stream = given(
  either(
    collection,
    object({
      collection,
      filter: optional(
        object({
          applicationInstanceId: optional(text),
          window: optional(object({ from: number, to: number })),
        }),
      ),
      format: optional(oneOf(formatChoices)),
      uri: optional(instanceOf(vscode.Uri)),
    }),
  ),
);
const reference = object({
  globalId: text,
  field: text,
  collection: oneOf(collectionOrder.filter((one) => one !== 'enrollmentViaAuthenticator')),
  connectionKey: optional(text),
});
/** Parses where an ID was read: the connections of its rows, or that of its record. */
const origin = given(object({ connections: optional(listOf(text)), connectionKey: optional(text) }));
type Origin = Exclude<ReturnType<typeof origin>, symbol>;

interface RecordCommandsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly names: ConnectionNames;
  readonly results: ResultsFeature;
  readonly documents: RecordDocuments;
  readonly known: KnownRecords;
  readonly tree: Pick<RecordsTree, 'noteMissing'>;
}

export class RecordCommands implements DisposableLike {
  readonly #deps: RecordCommandsDependencies;
  /** Aborts the previous lookup when a new one starts, since a rate limit may delay it for a long time. */
  #looking: AbortController | undefined;

  constructor(deps: RecordCommandsDependencies) {
    this.#deps = deps;
  }

  register(on: RegisterCommand): void {
    on(commands.recordsOpen, [ofCollection], (which) => this.#open(which));
    on(commands.recordsOpenFiltered, [ofCollection], (which) => this.#openFiltered(which));
    on(commands.recordsStreamToFile, [stream], (asked) => this.#streamToFile(asked));
    on(commands.recordOpenSelected, [], () => this.#openSelected());
    on(commands.recordOpenById, [text, origin], (globalId, from) => this.#openById(globalId, { from }));
    on(commands.recordShowJson, [], () => showJson());
    on(
      commands.reload,
      [given(instanceOf(vscode.Uri))],
      (uri = vscode.window.activeTextEditor?.document.uri) =>
        uri !== undefined && parseRecordUri(uri) !== undefined
          ? this.#deps.documents.refresh(uri)
          : vscode.commands.executeCommand(commands.savedQueryReload, uri),
    );
    on(commands.recordReferring, [reference], (to) => this.#showReferring(to));
    on(commands.recordsFocus, [], () => vscode.commands.executeCommand(`${views.records}.focus`));
  }

  dispose(): void {
    this.#looking?.abort();
  }

  async #open(which: OfCollection): Promise<void> {
    const connection = await connectedClient(this.#deps.session);
    const id = collectionOf(which) ?? (await chooseCollection());
    if (id === undefined) return;
    const { openRecords } = await import('./open-records.ts');
    const filter = id === 'activities' ? { window: defaultWindow(Date.now()) } : {};
    await openRecords(this.#deps.results, connection, id, this.#reading(id, filter));
  }

  #reading(id: CollectionId, filter: RecordsFilter) {
    this.#deps.tree.noteMissing(id, false);
    return { filter, onMissing: () => this.#deps.tree.noteMissing(id, true) };
  }

  async #openFiltered(which: OfCollection): Promise<void> {
    const connection = await connectedClient(this.#deps.session);
    const id = collectionOf(which) ?? (await chooseCollection());
    if (id === undefined) return;
    const filter = await this.#chooseFilter(id, connection.client);
    if (filter === undefined) return;
    const { openRecords } = await import('./open-records.ts');
    await openRecords(this.#deps.results, connection, id, this.#reading(id, filter));
  }

  async #streamToFile(asked: Exclude<ReturnType<typeof stream>, symbol>): Promise<vscode.Uri | undefined> {
    const { client } = await connectedClient(this.#deps.session);
    const { filter: known, format, uri } = typeof asked === 'object' ? asked : {};
    const id = collectionOf(asked) ?? (await chooseCollection());
    if (id === undefined) return undefined;
    const filter = known === undefined ? await this.#chooseFilter(id, client) : definedOf(known);
    if (filter === undefined) return undefined;
    const { streamToFile } = await import('./stream-to-file.ts');
    const again = { collection: id, filter, format, uri };
    const choice = { format, uri, onChosen: (made: object) => void Object.assign(again, made) };
    return await withFollowUp({ args: [again] }, () =>
      namingFailure(
        (reason) =>
          vscode.l10n.t('{0} could not be written to a file: {1}', collectionWords(id).many, reason),
        () => streamToFile(this.#deps.results, { client, log: this.#deps.log }, id, { filter, choice }),
      ),
    );
  }

  async #chooseFilter(id: CollectionId, client: ServiceClient): Promise<RecordsFilter | undefined> {
    const { askFilter } = await import('./ask-filter.ts');
    return await askFilter(id, { client, log: this.#deps.log });
  }

  async #openSelected(): Promise<void> {
    const selected = await this.#deps.results.selectedRows();
    const globalId = recordIdOf(selected);
    if (globalId === undefined) throw noIdInRow();
    const { connections } = selected;
    await this.#openById(globalId, {
      isGuess: namedRecordId(selected) === undefined,
      from: { connections, connectionKey: undefined },
    });
  }

  /** @param options.isGuess whether the ID is only a text that may be one */
  async #openById(
    globalId: string,
    { isGuess = false, from }: { readonly isGuess?: boolean; readonly from?: Origin } = {},
  ): Promise<void> {
    const { client, profile } = await connectedClient(this.#deps.session);
    this.#requireOrigin(from);
    const found = await this.#findNaming(client, globalId);
    if (found === undefined) throw await explainMissing(client, globalId, isGuess);
    await show(recordUri(connectionKeyOf(profile), found, 'text'));
  }

  /** Finds a record; a failure says its kind and name if this window has seen them. */
  async #findNaming(client: ServiceClient, globalId: string): Promise<FoundRecord | undefined> {
    try {
      const found = await this.#find(client, globalId);
      if (found !== undefined) this.#deps.known.note(found);
      return found;
    } catch (error) {
      const seen = this.#deps.known.seen(globalId);
      // The lookup's own words name only the ID.
      const why = seen !== undefined && error instanceof ExpectedError ? (error.cause ?? error) : error;
      throw withName(why, (reason) =>
        seen === undefined
          ? vscode.l10n.t('The record "{0}" could not be opened: {1}', globalId, reason)
          : vscode.l10n.t(
              '{0} "{1}" could not be opened: {2}',
              collectionWords(seen.collection).one,
              titleOf(seen),
              reason,
            ),
      );
    }
  }

  async #find(client: ServiceClient, globalId: string) {
    return await withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking for the record') },
      async (progress) => {
        this.#looking?.abort();
        const { signal } = (this.#looking = new AbortController());
        const { findRecord } = await import('#core/records/find-record.ts');
        return await waitingOutRateLimits(
          () => findRecord(client, globalId, { signal, throwsRateLimit: true }),
          { signal, onPause: (delayMs) => progress.report({ message: pauseWords(delayMs) }) },
        );
      },
    );
  }

  async #showReferring(to: Exclude<ReturnType<typeof reference>, symbol>): Promise<void> {
    const { openReferring } = await import('./open-referring.ts');
    const connection = await connectedClient(this.#deps.session);
    this.#requireOrigin({ connections: undefined, connectionKey: to.connectionKey });
    await openReferring(this.#deps.results, connection, to);
  }

  /** @throws ExpectedError if an ID was read on another connection. */
  #requireOrigin(from: Origin): void {
    const { connections = [], connectionKey } = from ?? {};
    const { state } = this.#deps.session;
    const isForeign =
      connectionKey !== undefined &&
      state.kind === 'connected' &&
      connectionKeyOf(state.profile) !== connectionKey;
    const home = isForeign
      ? (this.#deps.names.nameOf(connectionKey) ?? vscode.l10n.t('another connection'))
      : [];
    requireConnectionOfRows(this.#deps, connections.concat(home));
  }
}

function collectionOf(which: OfCollection): CollectionId | undefined {
  return typeof which === 'object' ? which.collection : which;
}

/** Returns the filter without its undefined members. */
function definedOf({
  applicationInstanceId,
  window,
}: {
  readonly applicationInstanceId: string | undefined;
  readonly window: RecordsFilter['window'] | undefined;
}): RecordsFilter {
  return {
    ...(applicationInstanceId !== undefined && { applicationInstanceId }),
    ...(window !== undefined && { window }),
  };
}

async function showJson(): Promise<void> {
  const uri = activeRecord();
  await show(uri.with({ path: uri.path.replace(/\.identity-record$/, '.json') }));
}

function noIdInRow(): ExpectedError {
  return new ExpectedError(
    vscode.l10n.t(
      'This row has no global ID. Add a column such as "global_id" to the query, and run it again.',
    ),
  );
}

/** Explains a missing record: applications and groups are not records, but records refer to them. */
async function explainMissing(
  client: ServiceClient,
  globalId: string,
  isGuess: boolean,
): Promise<ExpectedError> {
  const { backReferences } = await import('#core/records/find-record.ts');
  // If this fails or takes long, show only the basic message.
  const signal = AbortSignal.timeout(helpLimitMs);
  const references = await backReferences(client, globalId, { signal }).catch(() => []);
  const count = references.reduce((sum, reference) => sum + reference.count, 0);
  if (count === 0) return isGuess ? noIdInRow() : new ExpectedError(noSuchRecord(globalId));
  return new ExpectedError(
    vscode.l10n.t(
      count === 1
        ? 'No record has the global ID "{0}", but {1} other record refers to it.'
        : 'No record has the global ID "{0}", but other records refer to it {1} times.',
      globalId,
      count.toLocaleString(locale()),
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
  await showFromRows(document);
}

/** @throws ExpectedError if no record is active. */
function activeRecord(): vscode.Uri {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || parseRecordUri(uri) === undefined) {
    throw new ExpectedError(vscode.l10n.t('Open a record first.'), [
      {
        title: vscode.l10n.t('Open Record by Global ID...'),
        command: commands.openById,
        arguments: ['record'],
      },
    ]);
  }
  return uri;
}

async function chooseCollection(): Promise<CollectionId | undefined> {
  const items = collectionOrder.map((collection) => {
    const words = collectionWords(collection);
    return {
      label: words.many,
      iconPath: new vscode.ThemeIcon(words.icon),
      detail: words.description,
      collection,
    };
  });
  const title = vscode.l10n.t('Open Records');
  return (await showQuickPick(items, { title, matchOnDetail: true }))?.collection;
}
