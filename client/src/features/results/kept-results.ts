/**
 * What is known of results over a reload of the window: what was run, where, and how many rows there were. Never rows, never
 * the values of parameters.
 */
import type { ResultView } from '../../../../panel-protocol/messages.ts';
import type { RunHeader } from '../../../../core/src/runs/run-header.ts';

export interface KeptResult {
  /** The address of the document. */
  readonly key: string;
  readonly header: RunHeader;
  readonly rowCount: number;
  readonly isComplete: boolean;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly isPinned: boolean;
  /** Whether it was in an editor tab, which the editor brings back by itself. */
  readonly isInEditor?: boolean | undefined;
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
  async write(
    results: readonly {
      readonly key: string | undefined;
      readonly isInEditor?: boolean | undefined;
      view(): ResultView;
    }[],
    /** Those that were read and are not results again. */
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

/** Results from before the window was loaded again, until somebody has a place for them. */
export class UnclaimedResults {
  readonly #kept: KeptResults;
  #left: readonly KeptResult[] | undefined;

  constructor(kept: KeptResults) {
    this.#kept = kept;
  }

  get left(): readonly KeptResult[] {
    return (this.#left ??= this.#kept.read());
  }

  /** @returns those that are wanted; they are claimed then. */
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
  // Values of parameters may be what a person must not leave behind.
  const place = isInEditor === true ? { isInEditor } : {};
  return { key, header: { ...header, parameters: [] }, rowCount, isComplete, finishedAt, isPinned, ...place };
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
