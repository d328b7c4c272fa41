/**
 * The words of core in which rows are asked about, answered and compared, as far as the page speaks them: the page imports
 * nothing else of ours. All of it is pure, so none of core's Node gets into the page.
 */
export {
  changeColumn,
  changedColumnsColumn,
  changeKinds,
  leadingColumns,
} from '../core/src/rows/compare/diff.ts';
export type { ChangeKind } from '../core/src/rows/compare/diff.ts';
export type { CopyFormat } from '../core/src/rows/files/text-writer.ts';
export { chartTypes, recordsMax, shownCharsMax } from '../core/src/rows/rows.ts';
export type {
  Aggregate,
  CellRange,
  CellRecord,
  CellValue,
  CellWindow,
  ChartData,
  ChartPoint,
  ChartSpec,
  ChartType,
  ColumnFilter,
  ColumnValues,
  CompareOperator,
  DistinctCount,
  FilterRule,
  FindAnswer,
  FindRequest,
  SortKey,
  TextOperator,
  WindowRequest,
} from '../core/src/rows/rows.ts';
export { epochMicroseconds } from '../core/src/rows/timestamps.ts';
