/** The saved queries of the current connection: one list, kept true by reads and writes. No windows, no commands. */
import * as vscode from 'vscode';
import { NotFoundError, RejectedError, ServerFaultError } from '../../../../api/client/errors.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import type { Session } from '../../session/session.ts';
import { failureOf } from '../../ui/failure.ts';
import { DisposableStore } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';

export type ListState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded' }
  /** The service has no list operation: only queries seen in this window are known. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly reason: string };

export class SavedQueriesStore implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<string | undefined>());
  readonly #queries = new Map<string, SavedQuery>();
  #state: ListState = { kind: 'empty' };
  #loading: AbortController | undefined;

  /** Fires with the id of the query that changed, or undefined when the list did. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(session: Session, log: Logger) {
    this.#session = session;
    this.#log = log;
    let client: unknown;
    this.#disposables.add(
      session.onDidChangeState((state) => {
        if (state.kind === 'connected' && state.client === client) return;
        client = state.kind === 'connected' ? state.client : undefined;
        this.#clear();
        if (state.kind === 'connected') void this.refresh();
      }),
    );
  }

  get state(): ListState {
    return this.#state;
  }

  /** By name, as people sort. */
  list(): readonly SavedQuery[] {
    return [...this.#queries.values()].sort((a, b) => collator.compare(a.name, b.name));
  }

  get(queryId: string): SavedQuery | undefined {
    return this.#queries.get(queryId);
  }

  /** Takes in a record that was read or written. */
  put(query: SavedQuery): void {
    const before = this.#queries.get(query.query_id);
    if (before !== undefined && before.version > query.version) return;
    this.#queries.set(query.query_id, query);
    this.#onDidChange.fire(before?.name === query.name ? query.query_id : undefined);
  }

  remove(queryId: string): void {
    if (this.#queries.delete(queryId)) this.#onDidChange.fire(undefined);
  }

  /** Reads the whole list again; what is known stays visible meanwhile. Never rejects: a failure is a state. */
  async refresh(): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'connected') return;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#setState({ kind: 'loading' });
    try {
      const found = new Map<string, SavedQuery>();
      for await (const query of state.client.savedQueries.listAll({ signal: loading.signal })) {
        found.set(query.query_id, query);
      }
      if (this.#loading !== loading) return;
      this.#queries.clear();
      for (const [id, query] of found) this.#queries.set(id, query);
      this.#setState({ kind: 'loaded' });
    } catch (error) {
      if (this.#loading !== loading) return;
      this.#log.warn(`listing saved queries failed: ${error instanceof Error ? error.name : 'error'}`);
      if (isMissingOperation(error)) this.#setState({ kind: 'unsupported' });
      else this.#setState({ kind: 'failed', reason: reasonOf(error) });
    }
  }

  dispose(): void {
    this.#loading?.abort();
    this.#disposables.dispose();
  }

  #clear(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#queries.clear();
    this.#setState({ kind: 'empty' });
  }

  #setState(state: ListState): void {
    this.#state = state;
    this.#onDidChange.fire(undefined);
  }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** 404, 405 and 501 on the collection mean that the service does not list (assumption `saved-query-list`). */
function isMissingOperation(error: unknown): boolean {
  return (
    error instanceof NotFoundError ||
    (error instanceof RejectedError && error.status === 405) ||
    (error instanceof ServerFaultError && error.status === 501)
  );
}

function reasonOf(error: unknown): string {
  const failure = failureOf(error);
  return failure.kind === 'cancelled' ? vscode.l10n.t('cancelled') : failure.message;
}
