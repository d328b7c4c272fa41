/** Layout of a comparison's rows, and splitting one into its two sides. */
import {
  changedColumnsColumn,
  changeColumn,
  leadingColumns,
  type CellValue,
} from '../../../../panel-protocol/rows.ts';
import type { ComparisonState, RowsState } from '../../../../panel-protocol/messages.ts';
import type { LayoutMemory } from '../grid/column-layout.ts';
import type { ShownRecord } from '../inspectors/record-inspector.ts';
import { t } from '../ui/l10n.ts';

/** More would leave no room for scrolling columns. */
const frozenKeysMax = 2;

/**
 * Changed and key columns first and frozen; earlier values are shown in the cells, so their own columns are hidden
 * until
 * requested.
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

/** Returns the compared columns among these. */
export function comparedColumns({ beforeColumns }: ComparisonState, columns: readonly number[]): number[] {
  const before = new Set(Object.values(beforeColumns));
  return columns.filter((column) => column >= leadingColumns && !before.has(column));
}

/** A single row as its two sides; several rows stay unchanged. */
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
