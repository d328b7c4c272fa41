/** What may be asked about the rows of a result, also by the panel's page: nothing of Node is in here. */
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
  /** The whole value of one cell; its row as it is looked at. */
  readonly cell: Question<{ readonly row: number; readonly column: number }, CellValue>;
  /** Whole rows, by their places as they are looked at: `recordsMax` of them at most. */
  readonly records: Question<{ readonly rows: readonly number[] }, readonly CellRecord[]>;
  /** The values of a column in the rows that meet the other columns' filters. */
  readonly values: Question<{ readonly column: number }, ColumnValues>;
  readonly find: Question<FindRequest, FindAnswer>;
  readonly chart: Question<ChartSpec, ChartData>;
  readonly distinct: Question<CellRange, DistinctCount>;
}
