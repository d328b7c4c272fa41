/**
 * Results remembered across a window reload: the query, the connection and the number of rows. Never rows or parameter
 * values.
 */
import type { ResultView } from '../../../../../panel-protocol/messages.ts';
import type { RunHeader } from '../../../../../core/src/runs/run-header.ts';

export interface KeptResult {
  /** The address of the document. */
  readonly key: string;
  readonly header: RunHeader;
  readonly rowCount: number;
  readonly isComplete: boolean;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly isPinned: boolean;
  /** Whether it was in an editor tab, which the editor restores. */
  readonly isInEditor?: boolean | undefined;
}

/** The needed part of the editor's storage. */
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

  /** Stores the list if it changed. */
  async write(
    results: readonly {
      readonly key: string | undefined;
      readonly isInEditor?: boolean | undefined;
      view(): ResultView;
    }[],
    /** Remembered results that are not restored yet. */
    unclaimed: readonly KeptResult[] = [],
  ): Promise<void> {
    const present = results.map((result) => keptOf(result, result.view())).filter((one) => one !== undefined);
    const isReplaced = (one: KeptResult) => !one.isPinned && results.some(({ key }) => key === one.key);
    const kept = [...unclaimed.filter((one) => !isReplaced(one)), ...present].slice(-keptMax);
    const stamp = JSON.stringify(kept);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    await this.#storage.update(storageKey, kept);
  }
}

/** Results from before a reload, until they are placed. */
export class UnclaimedResults {
  readonly #kept: KeptResults;
  #left: readonly KeptResult[] | undefined;

  constructor(kept: KeptResults) {
    this.#kept = kept;
  }

  get left(): readonly KeptResult[] {
    return (this.#left ??= this.#kept.read());
  }

  /** @returns the requested ones, and marks them as claimed. */
  claim(isWanted: (one: KeptResult) => boolean): readonly KeptResult[] {
    const wanted = this.left.filter(isWanted);
    this.#left = this.left.filter((one) => !wanted.includes(one));
    return wanted;
  }
}

function keptOf(
  { key, isInEditor }: { readonly key: string | undefined; readonly isInEditor?: boolean | undefined },
  { header, state, isPinned }: ResultView,
): KeptResult | undefined {
  const isOfQuery = header.origin !== 'rows';
  if (key === undefined || !isOfQuery || (state.kind !== 'rows' && state.kind !== 'restored'))
    return undefined;
  const { rowCount, isComplete, finishedAt } = state;
  // Parameter values may be confidential.
  const place = isInEditor === true ? { isInEditor } : {};
  return { key, header: { ...header, parameters: [] }, rowCount, isComplete, finishedAt, isPinned, ...place };
}

/** Written by this class, possibly by another version. */
function isKept(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false;
  const one = value as Readonly<Record<keyof KeptResult, unknown>>; // each member is validated below
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
