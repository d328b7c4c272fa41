/** Takes a result that must be one whole number, such as that of `SELECT count(*)`. */
import { scalarText } from '#api/client/json.ts';
import { t } from '#base/texts.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import { isEnded, type RowsProgress, type RowsWriter, type RunState } from '../reading/rows-writer.ts';
import { columnKindOf } from '../rows/column-kind.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { isPacked } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import { UnknownOutcome } from './control-rows.ts';

export class SingleNumber implements RowsWriter {
  #columns: readonly StoreColumn[] = [];
  readonly #rows: (readonly unknown[])[] = [];
  #isEnded = false;
  failure: RunFailure | undefined;

  get read(): number {
    return this.#rows.length;
  }

  get isDone(): boolean {
    return this.#isEnded || this.failure !== undefined || this.read > 1;
  }

  set(state: RunState): void {
    if (state.kind === 'failed') this.failure = state.failure;
  }

  open(columns: readonly StoreColumn[]): void {
    this.#columns = columns;
  }

  grow(columns: readonly StoreColumn[]): void {
    this.#columns = [...this.#columns, ...columns];
  }

  append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    if (isPacked(rows)) throw new TypeError('rows of a control are read as values');
    for (const row of rows.slice(0, 2)) this.#rows.push(row);
    return Promise.resolve({ rowCount: this.read });
  }

  setRows(progress: RowsProgress): void {
    this.#isEnded = isEnded(progress);
    if (progress.loading.kind === 'failed') this.failure = progress.loading.failure;
  }

  /** @throws UnknownOutcome */
  number(): string {
    const [row, ...others] = this.#rows;
    if (row === undefined || others.length > 0 || this.#columns.length !== 1)
      throw new UnknownOutcome(
        'NOT_ONE_NUMBER',
        t('its query must return one row with one column, as SELECT count(*) does.'),
      );
    const [value] = row;
    const isNumber = typeof value !== 'string' || columnKindOf(this.#columns[0]?.type ?? '') === 'number';
    const text = typeof value === 'string' ? value.trim() : (scalarText(value) ?? '');
    if (value === null || value === undefined || !isNumber || !/^\d{1,30}$/.test(text))
      throw new UnknownOutcome('NOT_ONE_NUMBER', t('its query must return a whole number.'));
    return text;
  }
}
