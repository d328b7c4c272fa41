/** Questions about the rows of a result. The panel's page uses them too, so this module must not use Node.js. */
import type { Question } from '../questions/question-map.ts';
import type {
  CellRange,
  CellRecord,
  CellValue,
  CellWindow,
  ChartData,
  ChartSpec,
  ColumnValues,
  DistinctCount,
  FindAnswer,
  FindRequest,
  WindowRequest,
} from './rows.ts';

export interface RowQuestions {
  readonly window: Question<WindowRequest, CellWindow>;
  /** The whole value of one cell. `row` is a display index. */
  readonly cell: Question<{ readonly row: number; readonly column: number }, CellValue>;
  /** Whole rows by display index, at most `recordsMax`. */
  readonly records: Question<{ readonly rows: readonly number[] }, readonly CellRecord[]>;
  /** The values of a column in the rows that match the other columns' filters. */
  readonly values: Question<{ readonly column: number }, ColumnValues>;
  readonly find: Question<FindRequest, FindAnswer>;
  readonly chart: Question<ChartSpec, ChartData>;
  readonly distinct: Question<CellRange, DistinctCount>;
}
