/** Records by global ID for hovers, definitions and cells, each looked up once per connection. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { FoundRecord } from '#core/records/find-record.ts';
import { titleOf } from './record-documents.ts';

const rememberedMax = 500;

export interface IdentifiedId {
  /** Undefined if no record has the ID. */
  readonly collection: FoundRecord['collection'] | undefined;
  /** Short text, such as "Account: m.lind". */
  readonly words: string;
}

export interface KnownRecord {
  readonly found: FoundRecord;
  readonly connectionKey: string;
}

export class KnownRecords implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #disposables = new DisposableStore();
  /** Lookups on the current connection, by ID; they resolve to undefined if no record has the ID. */
  readonly #remembered = new Map<string, Promise<FoundRecord | undefined>>();
  /** Records found on the current connection, by ID: the newest come last. */
  readonly #seen = new Map<string, FoundRecord>();
  #connectionKey: string | undefined;

  constructor({ session, log }: { readonly session: Session; readonly log: Logger }) {
    this.#session = session;
    this.#log = log;
    this.#disposables.add(session.onDidChangeState((state) => this.#follow(state)));
  }

  /** Returns `none` if no record has this ID, or undefined if that is unknown. Never rejects. */
  async find(globalId: string): Promise<KnownRecord | 'none' | undefined> {
    const { state } = this.#session;
    if (state.kind !== 'connected') return undefined;
    let finding = this.#remembered.get(globalId);
    if (finding === undefined) {
      finding = import('#core/records/find-record.ts').then(({ findRecord }) =>
        findRecord(state.client, globalId),
      );
      this.#remembered.set(globalId, finding);
      forgetOldest(this.#remembered);
    }
    try {
      const found = await finding;
      if (found !== undefined) this.note(found);
      return found === undefined ? 'none' : { found, connectionKey: connectionKeyOf(state.profile) };
    } catch (error) {
      this.#remembered.delete(globalId);
      this.#log.debug(`a record was not looked up: ${errorName(error)}`);
      return undefined;
    }
  }

  /** Returns undefined if unknown. Never rejects. */
  async identify(globalId: string): Promise<IdentifiedId | undefined> {
    const known = await this.find(globalId);
    if (known === undefined) return undefined;
    if (known === 'none') return { collection: undefined, words: vscode.l10n.t('Not a record ID') };
    const { collection } = known.found;
    return { collection, words: `${collectionWords(collection).one}: ${titleOf(known.found)}` };
  }

  /** Keeps the kind and name of a record that was found. */
  note(found: FoundRecord): void {
    this.#seen.delete(found.globalId);
    this.#seen.set(found.globalId, found);
    forgetOldest(this.#seen);
  }

  /** Returns a record as it was last found here, without a request. */
  seen(globalId: string): FoundRecord | undefined {
    return this.#seen.get(globalId);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #follow(state: ConnectionState): void {
    this.#remembered.clear();
    const key = state.kind === 'disconnected' ? undefined : connectionKeyOf(state.profile);
    if (key !== this.#connectionKey) this.#seen.clear();
    this.#connectionKey = key;
  }
}

/** Removes the entries that were added first, beyond the maximum. */
function forgetOldest(remembered: Map<string, unknown>): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= rememberedMax) break;
    remembered.delete(oldest);
  }
}
