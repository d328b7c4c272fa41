/** What can be done with one column. */
import type { SortKey } from '../../src/features/results/data/rows.ts';
import type { ShownColumn } from '../../src/features/results/messages.ts';
import type { ResultGrid } from './grid/grid.ts';
import { openMenu, type MenuItem } from './menu.ts';

export interface ColumnMenuOptions {
  readonly grid: ResultGrid;
  readonly column: ShownColumn;
  readonly place: number;
  readonly at: DOMRect;
  readonly sort: readonly SortKey[];
  readonly isFiltered: boolean;
  /** Undefined removes the column from the order. */
  readonly sortBy: (descending: boolean | undefined, isAdded: boolean) => void;
  readonly filter: () => void;
  readonly clearFilter: () => void;
  readonly chooseColumns: () => void;
  readonly copyName: () => void;
  readonly addOrderBy: (() => void) | undefined;
  readonly chart: () => void;
}

export function openColumnMenu(options: ColumnMenuOptions): void {
  const { grid, column, place, at, sort, sortBy } = options;
  const { layout } = grid;
  const present = sort.find((key) => key.column === layout.columnAt(place));
  const isFrozen = place < layout.frozen;
  const freeze = (count: number) => () => {
    layout.arrange(layout.order, count);
    grid.relayout();
  };
  const sorting: MenuItem[] = [
    {
      label: 'Sort Ascending',
      isChecked: present?.descending === false,
      act: () => sortBy(false, false),
    },
    {
      label: 'Sort Descending',
      isChecked: present?.descending === true,
      act: () => sortBy(true, false),
    },
  ];
  if (sort.length > 0 && present === undefined) {
    sorting.push({ label: 'Then Sort by This', key: 'Shift+Enter', act: () => sortBy(false, true) });
  }
  if (present !== undefined)
    sorting.push({ label: 'Do Not Sort by This', act: () => sortBy(undefined, true) });
  openMenu(
    `Column ${column.name}`,
    [
      sorting,
      [
        { label: 'Filter…', act: options.filter },
        ...(options.isFiltered ? [{ label: 'Clear Filter', act: options.clearFilter }] : []),
      ],
      [
        {
          label: 'Hide',
          isDisabled: layout.count < 2,
          act: () => {
            layout.hide(place);
            grid.relayout();
          },
        },
        isFrozen
          ? { label: 'Unfreeze Columns', act: freeze(0) }
          : { label: place === 0 ? 'Freeze' : 'Freeze Up to Here', act: freeze(place + 1) },
        {
          label: 'Move Left',
          key: 'Alt+Shift+←',
          isDisabled: place === 0,
          act: () => grid.moveColumn(place, place - 1),
        },
        {
          label: 'Move Right',
          key: 'Alt+Shift+→',
          isDisabled: place === layout.count - 1,
          act: () => grid.moveColumn(place, place + 1),
        },
        { label: 'Choose Columns…', act: options.chooseColumns },
      ],
      [
        { label: 'Fit Width', act: () => grid.fitColumn(place) },
        { label: 'Fit All Widths', act: () => grid.fitAllColumns() },
      ],
      [
        { label: 'Copy Name', act: options.copyName },
        ...(options.addOrderBy === undefined ? [] : [{ label: 'Add as ORDER BY', act: options.addOrderBy }]),
        { label: 'Chart…', act: options.chart },
      ],
    ],
    at,
  );
}
