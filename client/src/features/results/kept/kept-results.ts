/**
 * Remembers results across window reloads: query, connection and number of rows, but never rows or parameter values.
 */
import { isFlag, isNumber, isText, shapeOf } from '#base/values/shapes.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { ResultView } from '#panel-protocol/messages.ts';

export interface KeptResult {
  /** URI of the document. */
  readonly key: string;
  readonly header: RunHeader;
  readonly rowCount: number;
  readonly isComplete: boolean;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly isPinned: boolean;
  /** Whether the result was in an editor tab, which the editor restores. */
  readonly isInEditor?: boolean | undefined;
}

/** Where the results of this window are remembered. */
export interface KeptStorage {
  read(): readonly unknown[];
  write(list: readonly unknown[]): Promise<void>;
}

const keptMax = 10;

export class KeptResults {
  readonly #storage: KeptStorage;
  #stamp = '';

  constructor(storage: KeptStorage) {
    this.#storage = storage;
  }

  read(): readonly KeptResult[] {
    return this.#storage.read().filter(isKept);
  }

  /** Stores the list if it has changed. */
  async write(
    results: readonly {
      readonly key: string | undefined;
      readonly isInEditor?: boolean | undefined;
      view(): ResultView;
    }[],
    /** Remembered results that have not been restored yet. */
    unclaimed: readonly KeptResult[] = [],
  ): Promise<void> {
    const present = results.map((result) => keptOf(result, result.view())).filter((one) => one !== undefined);
    const isReplaced = (one: KeptResult) => !one.isPinned && results.some(({ key }) => key === one.key);
    const kept = [...unclaimed.filter((one) => !isReplaced(one)), ...present].slice(-keptMax);
    const stamp = JSON.stringify(kept);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    await this.#storage.write(kept);
  }
}

/** Results from before a reload that have not been restored yet. */
export class UnclaimedResults {
  readonly #kept: KeptResults;
  #left: readonly KeptResult[] | undefined;

  constructor(kept: KeptResults) {
    this.#kept = kept;
  }

  get left(): readonly KeptResult[] {
    return (this.#left ??= this.#kept.read());
  }

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
  const { rowCount, finishedAt } = state;
  const isComplete = state.kind === 'rows' ? state.extent === 'complete' : state.isComplete;
  // Parameter values are left out, since they may be confidential.
  const place = isInEditor === true ? { isInEditor } : {};
  return { key, header: { ...header, parameters: [] }, rowCount, isComplete, finishedAt, isPinned, ...place };
}

/** The value may have been stored by another version of the extension. */
const isKept = shapeOf<KeptResult>({
  key: isText,
  header: shapeOf<Pick<RunHeader, 'title'>>({ title: isText }),
  ...{ rowCount: isNumber, finishedAt: isNumber, isComplete: isFlag, isPinned: isFlag },
});
