/**
 * What is known of results over a reload of the window: what was run, where, and how many rows there were. Never rows, never
 * the values of parameters.
 */
import type { ResultView, RunHeader } from './messages.ts';

export interface KeptResult {
  /** The address of the document. */
  readonly key: string;
  readonly header: RunHeader;
  readonly rowCount: number;
  readonly isComplete: boolean;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly isPinned: boolean;
}

/** The part of the editor's storage that is needed. */
export interface KeptStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'results.kept';
const keptMax = 10;

export class KeptResults {
  readonly #storage: KeptStorage;
  #stamp = '';

  constructor(storage: KeptStorage) {
    this.#storage = storage;
  }

  read(): readonly KeptResult[] {
    const stored = this.#storage.get(storageKey);
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  }

  /** Writes what is to be known next time; only when that has changed. */
  async write(results: readonly { readonly key: string | undefined; view(): ResultView }[]): Promise<void> {
    const kept = results
      .map((result) => keptOf(result.key, result.view()))
      .filter((one) => one !== undefined)
      .slice(-keptMax);
    const stamp = JSON.stringify(kept);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    await this.#storage.update(storageKey, kept);
  }
}

function keptOf(key: string | undefined, { header, state, isPinned }: ResultView): KeptResult | undefined {
  const isOfQuery = header.origin !== 'rows';
  if (key === undefined || !isOfQuery || (state.kind !== 'rows' && state.kind !== 'restored'))
    return undefined;
  const { rowCount, isComplete, finishedAt } = state;
  // Values of parameters may be what a person must not leave behind.
  return { key, header: { ...header, parameters: [] }, rowCount, isComplete, finishedAt, isPinned };
}

/** Written by this class, but perhaps by another version of it. */
function isKept(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false;
  const one = value as Readonly<Record<keyof KeptResult, unknown>>; // each member is looked at below
  const header = one.header as { readonly title?: unknown } | null | undefined; // likewise
  return (
    typeof one.key === 'string' &&
    typeof header?.title === 'string' &&
    typeof one.rowCount === 'number' &&
    typeof one.isComplete === 'boolean' &&
    typeof one.finishedAt === 'number' &&
    typeof one.isPinned === 'boolean'
  );
}
