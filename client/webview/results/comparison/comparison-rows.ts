/** The layout of a comparison's rows, and the split of a row into its two sides. */
import type { ComparisonState, RowsState } from '#panel-protocol/messages.ts';
import { changedColumnsColumn, changeColumn, leadingColumns, type CellValue } from '#panel-protocol/rows.ts';
import type { LayoutMemory } from '../grid/column-layout.ts';
import type { ShownRecord } from '../inspectors/record-inspector.ts';
import { t } from '../ui/l10n.ts';

/** More frozen key columns would leave no room for scrolling. */
const frozenKeysMax = 2;

/**
 * Puts the change and key columns first and freezes them. Cells show earlier values, so columns with earlier values are
 * hidden until requested.
 */
export function comparisonLayout({ comparison, columns }: RowsState): LayoutMemory | undefined {
  if (comparison === undefined) return undefined;
  const values = comparedColumns(
    comparison,
    columns.map((_, column) => column),
  );
  const { keys } = comparison;
  return {
    order: [changeColumn, ...keys, ...values.filter((column) => !keys.includes(column))],
    frozen: 1 + (keys.length <= frozenKeysMax ? keys.length : 0),
    widths: {},
  };
}

/** Returns which of the given columns are compared. */
export function comparedColumns({ beforeColumns }: ComparisonState, columns: readonly number[]): number[] {
  const before = new Set(Object.values(beforeColumns));
  return columns.filter((column) => column >= leadingColumns && !before.has(column));
}

/** Splits a single row into its two sides; returns several rows unchanged. */
export function sidesOf(records: readonly ShownRecord[]): readonly ShownRecord[] {
  const [record] = records;
  if (record === undefined || records.length > 1) return records;
  const change = record.values[changedColumnsColumn]?.change;
  const was = ({ text, isJson, before, ...rest }: CellValue): CellValue => ({
    ...rest,
    isJson,
    text: before === undefined ? text : before,
  });
  return [
    {
      ...record,
      label: t('Before'),
      key: 'before',
      values: record.values.map(was),
      isAbsent: change === 'added',
    },
    { ...record, label: t('After'), key: 'after', isAbsent: change === 'removed' },
  ];
}
