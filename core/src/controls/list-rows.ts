/** Lists a control's rows for the user to pick from. */
import { UnknownOutcome, type NamedRow } from './control-rows.ts';
import { readNamedRows, type ControlRun, type RunControlOptions } from './run-control.ts';

export type ListedRows =
  | {
      readonly kind: 'listed';
      /** Rows that are not waived. */
      readonly rows: readonly NamedRow[];
      /** Whether all rows are listed. */
      readonly isAll: boolean;
      /** Number of rows with a NULL key, which cannot be identified. */
      readonly nameless: number;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** @throws AbortError if cancelled. */
export async function listRows(
  run: ControlRun,
  options: RunControlOptions & { readonly namedMax: number },
): Promise<ListedRows> {
  try {
    const { named, isComplete, nameless } = await readNamedRows(run, options);
    return { kind: 'listed', rows: named, isAll: isComplete && named.length < options.namedMax, nameless };
  } catch (error) {
    if (options.signal.aborted) throw new DOMException('Cancelled', 'AbortError');
    if (!(error instanceof UnknownOutcome)) throw error;
    return { kind: 'failed', code: error.code, message: error.message };
  }
}
