/**
 * Read-only documents for records: `identity-record://<connection key>.<collection>.<global
 * id>/<Collection>/<title>.identity-record`, or with `.json` for the record as received from the service. They are read
 * when opened, and linked in both directions.
 */
import * as vscode from 'vscode';
import { pause } from '#api/client/abort.ts';
import { RateLimitError } from '#api/client/errors.ts';
import { indentedJson } from '#api/client/json.ts';
import { recordCollectionIds, type RecordCollectionId } from '#api/contract/tables.ts';
import { DisposableStore } from '#base/disposables.ts';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import { withSignal } from '#client/ui/with-signal.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { BackReference, FoundRecord } from '#core/records/find-record.ts';
import type { RecordText, TextLink } from '#core/records/record-text.ts';

export const recordScheme = 'identity-record';
export const recordLanguage = 'identity-record';

const defaultPauseMs = 5_000;

/** Returns the display name of a record. */
export function titleOf({ collection, globalId, record }: FoundRecord): string {
  const candidates: Readonly<Record<RecordCollectionId, readonly string[]>> = {
    accounts: ['alias', 'displayName', 'email'],
    roles: ['name'],
    accountRoles: ['displayName', 'name'],
    accessAssignments: ['id'],
    personIsEmployee: ['id'],
    authenticators: ['name'],
    authenticatorEnrollments: ['accountKey'],
    activities: ['activityType'],
  };
  const name = candidates[collection]
    .map((field) => record[field])
    .find((value) => typeof value === 'string');
  return name ?? globalId;
}

export function recordUri(connectionKey: string, found: FoundRecord, form: 'text' | 'json'): vscode.Uri {
  const title = forFileName(titleOf(found)).replaceAll(/[/\\?#]/g, '-');
  const extension = form === 'json' ? 'json' : 'identity-record';
  return vscode.Uri.from({
    scheme: recordScheme,
    authority: authorityOf(connectionKey, found.collection, found.globalId),
    path: `/${collectionWords(found.collection).many}/${title}.${extension}`,
  });
}

export interface RecordAddress {
  readonly connectionKey: string;
  readonly collection: RecordCollectionId;
  readonly globalId: string;
  readonly form: 'text' | 'json';
}

export function parseRecordUri(uri: vscode.Uri): RecordAddress | undefined {
  if (uri.scheme !== recordScheme) return undefined;
  const [connectionKey, collection, globalId] = partsOfAuthority(uri.authority, 3) ?? [];
  const known = recordCollectionIds.find((one) => one === collection);
  if (connectionKey === undefined || known === undefined || globalId === undefined) return undefined;
  const form = uri.path.endsWith('.json') ? 'json' : 'text';
  return { connectionKey, collection: known, globalId, form };
}

export class RecordDocuments
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  readonly #session: Session;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** Rendered records by URI, for links and hovers. */
  readonly #drawn = new Map<string, RecordText>();
  /** Pending pauses for the rate limit, by URI. */
  readonly #pauses = new Map<string, AbortController>();

  readonly onDidChange = this.#onDidChange.event;

  constructor(session: Session) {
    this.#session = session;
    const selector = { scheme: recordScheme, language: recordLanguage };
    this.#disposables.add(registerTextDocumentContentProvider(recordScheme, this));
    this.#disposables.add(vscode.languages.registerDocumentLinkProvider(selector, this));
    this.#disposables.add(
      vscode.languages.registerHoverProvider(selector, {
        provideHover: (document, position) => this.#hover(document, position),
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== recordScheme) return;
        this.#drawn.delete(uri.toString());
        this.#endPause(uri);
      }),
    );
    // Records that could not be read are read on the next connection.
    this.#disposables.add(
      session.onDidChangeState((state) => {
        if (state.kind !== 'connected') return;
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === recordScheme && !this.#drawn.has(uri.toString())) this.#onDidChange.fire(uri);
        }
      }),
    );
  }

  refresh(uri: vscode.Uri): void {
    this.#endPause(uri);
    this.#onDidChange.fire(uri);
  }

  /** Rereads open documents of a connection that show or mention these records. */
  readAgain(connectionKey: string, globalIds: ReadonlySet<string>): void {
    for (const document of vscode.workspace.textDocuments) {
      const address = parseRecordUri(document.uri);
      if (address?.connectionKey !== connectionKey) continue;
      const text = document.getText();
      if ([...globalIds].some((id) => id === address.globalId || text.includes(id)))
        this.refresh(document.uri);
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const address = parseRecordUri(uri);
    if (address === undefined) return `# ${vscode.l10n.t('This is not the address of a record.')}\n`;
    try {
      return await withSignal(token, (signal) => this.#read(uri, address, signal));
    } catch (error) {
      // Drop the links and hovers as well.
      this.#drawn.delete(uri.toString());
      if (error instanceof RateLimitError) return this.#readLater(uri, address, error);
      const failure = failureOf(error);
      const reason = failure.kind === 'cancelled' ? vscode.l10n.t('cancelled') : failure.message;
      const message = vscode.l10n.t('This record could not be read: {0}', reason);
      return problemText(address, message);
    }
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const address = parseRecordUri(document.uri);
    const drawn = this.#drawn.get(document.uri.toString());
    if (address === undefined || drawn === undefined) return [];
    return drawn.links.map((link) => {
      const shown = new vscode.DocumentLink(rangeOf(link), targetOf(link, address));
      shown.tooltip =
        link.target.kind === 'record'
          ? vscode.l10n.t('Open this record')
          : vscode.l10n.t('Show these records in the result panel');
      return shown;
    });
  }

  dispose(): void {
    for (const controller of this.#pauses.values()) controller.abort();
    this.#disposables.dispose();
  }

  /** After a rate limit error, shows when the pause ends, and rereads the document then. */
  #readLater(
    uri: vscode.Uri,
    address: RecordAddress,
    { retryAfterMs = defaultPauseMs }: RateLimitError,
  ): string {
    this.#endPause(uri);
    const controller = new AbortController();
    this.#pauses.set(uri.toString(), controller);
    void pause(retryAfterMs, controller.signal).then(
      () => this.refresh(uri),
      () => undefined, // already reread, or the window is closing
    );
    return problemText(address, pauseWords(retryAfterMs));
  }

  #endPause(uri: vscode.Uri): void {
    this.#pauses.get(uri.toString())?.abort();
    this.#pauses.delete(uri.toString());
  }

  #hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const description = this.#drawn.get(document.uri.toString())?.descriptions.get(position.line);
    const name = document.getWordRangeAtPosition(position, /^\w+(?=:)/);
    if (description === undefined || name === undefined) return undefined;
    return new vscode.Hover(new ShownMarkdown().text(description).build(), name);
  }

  async #read(uri: vscode.Uri, address: RecordAddress, signal: AbortSignal): Promise<string> {
    const state = await this.#session.settled();
    const client = this.#session.requireClient();
    if (state.kind !== 'connected' || connectionKeyOf(state.profile) !== address.connectionKey) {
      throw new ExpectedError(
        vscode.l10n.t('It belongs to another connection. Switch to that connection, then open it again.'),
      );
    }
    const [{ readRecord, backReferences }, { fieldsOf }, { recordText }] = await Promise.all([
      import('#core/records/find-record.ts'),
      import('#core/records/record-fields.ts'),
      import('#core/records/record-text.ts'),
    ]);
    const found = await readRecord(client, address.collection, address.globalId, {
      signal,
      throwsRateLimit: true,
    });
    if (found === undefined) throw new ExpectedError(noSuchRecord(address.globalId));
    if (address.form === 'json') return `${indentedJson(found.record)}\n`;
    const references = await backReferences(client, address.globalId, { signal }).then(
      (known) => ({ known, problem: undefined }),
      (error: unknown) => ({ known: [], problem: failureOf(error) }),
    );
    const words = collectionWords(found.collection);
    const drawn = recordText(found, fieldsOf(found.collection), references.known, {
      heading: `${words.one}: ${titleOf(found)}`,
      readBySql: vscode.l10n.t('Read with SQL, because the service has no operation for it.'),
      emptyFields: (names) => vscode.l10n.t('Empty: {0}', names),
      referredBy: vscode.l10n.t('Referred to by'),
      reference: wordsOf,
      noReferences: vscode.l10n.t('No other record.'),
      referencesProblem:
        references.problem === undefined || references.problem.kind === 'cancelled'
          ? undefined
          : vscode.l10n.t('Unknown: {0}', references.problem.message),
    });
    this.#drawn.set(uri.toString(), drawn);
    return drawn.text;
  }
}

/** Formats the message in the document's format. */
function problemText({ form }: RecordAddress, message: string): string {
  return form === 'json' ? `${JSON.stringify({ problem: message }, undefined, 2)}\n` : `# ${message}\n`;
}

export function noSuchRecord(globalId: string): string {
  return vscode.l10n.t('No record has the global ID "{0}" on this service.', globalId);
}

function wordsOf({ collection, field }: BackReference): string {
  return vscode.l10n.t('{0} by {1}', collectionWords(collection).many, field);
}

function rangeOf({ line, start, end }: TextLink): vscode.Range {
  return new vscode.Range(line, start, line, end);
}

/** Uses plain data as command arguments, because a link can only carry text. */
function targetOf({ target }: TextLink, { globalId, connectionKey }: RecordAddress): vscode.Uri {
  return target.kind === 'record'
    ? commandUri(commands.recordOpenById, [target.globalId, { connectionKey }])
    : commandUri(commands.recordReferring, [
        {
          globalId,
          collection: target.reference.collection,
          field: target.reference.field,
          connectionKey,
        },
      ]);
}

function commandUri(command: string, args: readonly unknown[]): vscode.Uri {
  return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(args))}`);
}
