/** Core's row types and pure functions, for the page. None of core's Node code may reach the page. */
export { namedRecordId } from '#core/records/record-id.ts';
export { changeColumn, changedColumnsColumn, changeKinds, leadingColumns } from '#core/rows/compare/diff.ts';
export type { ChangeKind } from '#core/rows/compare/diff.ts';
export {
  compareSymbols,
  filterWords,
  textOperatorWords,
  valueWords,
} from '#core/rows/filter/filter-labels.ts';
export type { CopyFormat } from '#core/rows/files/text-writer.ts';
export {
  chartTypes,
  combinations,
  measureKinds,
  recordsMax,
  shownCharsMax,
  timeUnits,
} from '#core/rows/rows.ts';
export type {
  Aggregate,
  CellRange,
  CellRecord,
  CellValue,
  CellWindow,
  ChartData,
  ChartPoint,
  ChartSeries,
  ChartSpec,
  ChartType,
  ColumnFilter,
  Combination,
  ColumnValues,
  CompareOperator,
  DistinctCount,
  FilterRule,
  FindAnswer,
  GroupColumn,
  GroupSpec,
  MeasureKind,
  SortKey,
  TextOperator,
  WindowRequest,
} from '#core/rows/rows.ts';
export { periodNumber, periodStart, timePeriods } from '#core/rows/summary/time-periods.ts';
export type { TimePeriod } from '#core/rows/summary/time-periods.ts';
export { valueName, wordsOfValueName } from '#core/rows/summary/value-name.ts';
export { epochMicroseconds } from '#core/rows/timestamps.ts';
