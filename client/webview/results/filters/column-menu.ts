/** A column's menu. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { SortKey } from '#panel-protocol/rows.ts';
import type { ResultGrid } from '../grid/grid.ts';
import { t } from '../ui/l10n.ts';
import { openMenu, type MenuItem } from '../ui/menu.ts';
import { shownText } from '../ui/shown-text.ts';

export interface ColumnMenuOptions {
  readonly grid: ResultGrid;
  readonly column: ShownColumn;
  readonly place: number;
  readonly at: DOMRect;
  readonly sort: readonly SortKey[];
  readonly isFiltered: boolean;
  /** If `descending` is undefined, removes the column from the sort order. */
  readonly sortBy: (descending: boolean | undefined, isAdded: boolean) => void;
  readonly filter: () => void;
  readonly clearFilter: () => void;
  readonly chooseColumns: () => void;
  /** Called after columns were hidden or frozen. */
  readonly changed: () => void;
  readonly copyName: () => void;
  readonly addOrderBy: (() => void) | undefined;
  readonly chart: () => void;
  readonly group: () => void;
}

export function openColumnMenu(options: ColumnMenuOptions): void {
  const { grid, column, place, at, sort, sortBy } = options;
  const { layout } = grid;
  const present = sort.find((key) => key.column === layout.columnAt(place));
  const isFrozen = place < layout.frozen;
  const freeze = (count: number) => () => {
    layout.arrange(layout.order, count);
    options.changed();
  };
  const sorting: MenuItem[] = [
    {
      label: t('Sort Ascending'),
      isChecked: present?.descending === false,
      act: () => sortBy(false, false),
    },
    {
      label: t('Sort Descending'),
      isChecked: present?.descending === true,
      act: () => sortBy(true, false),
    },
  ];
  if (sort.length > 0 && present === undefined)
    sorting.push({ label: t('Then Sort by This'), key: 'Shift+Enter', act: () => sortBy(false, true) });
  if (present !== undefined)
    sorting.push({ label: t('Remove from Sort'), act: () => sortBy(undefined, true) });
  openMenu(
    t('Column {0}', shownText(column.name)),
    [
      sorting,
      [
        { label: t('Filter...'), act: options.filter },
        ...(options.isFiltered ? [{ label: t('Clear Filter'), act: options.clearFilter }] : []),
      ],
      [
        {
          label: t('Hide'),
          isDisabled: layout.count < 2,
          act: () => {
            layout.hide(place);
            options.changed();
          },
        },
        isFrozen
          ? { label: t('Unfreeze Columns'), act: freeze(0) }
          : { label: place === 0 ? t('Freeze') : t('Freeze Up to Here'), act: freeze(place + 1) },
        {
          label: t('Move Left'),
          key: 'Alt+Shift+←',
          isDisabled: place === 0,
          act: () => grid.moveColumn(place, place - 1),
        },
        {
          label: t('Move Right'),
          key: 'Alt+Shift+→',
          isDisabled: place === layout.count - 1,
          act: () => grid.moveColumn(place, place + 1),
        },
        { label: t('Choose Columns...'), act: options.chooseColumns },
      ],
      [
        { label: t('Fit Width'), act: () => grid.fitColumn(place) },
        { label: t('Fit All Widths'), act: () => grid.fitAllColumns() },
      ],
      [
        { label: t('Copy Name'), act: options.copyName },
        ...(options.addOrderBy === undefined
          ? []
          : [{ label: t('Add as ORDER BY'), act: options.addOrderBy }]),
        { label: t('Group by This...'), act: options.group },
        { label: t('Chart...'), act: options.chart },
      ],
    ],
    at,
  );
}
