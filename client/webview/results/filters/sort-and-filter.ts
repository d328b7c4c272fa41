/** Changes the sort order, filters and columns of the visible rows, and opens the forms for them. */
import type { ResultView, RowsState } from '#panel-protocol/messages.ts';
import {
  changeColumn,
  shownCharsMax,
  type ColumnFilter,
  type FilterRule,
  type SortKey,
} from '#panel-protocol/rows.ts';
import type { ViewQuestions } from '#panel-protocol/view-questions.ts';
import type { ResultGrid } from '../grid/grid.ts';
import type { Host } from '../shell/host.ts';
import { t } from '../ui/l10n.ts';
import { openColumnMenu } from './column-menu.ts';
import { openColumnsForm } from './columns-form.ts';
import { FilterForm } from './filter-form.ts';
import { openGroupForm } from './group-form.ts';

export interface SortAndFilterDependencies {
  readonly host: Host;
  readonly questions: ViewQuestions;
  readonly grid: ResultGrid;
  readonly view: ResultView;
  readonly state: () => RowsState;
  readonly say: (text: string) => void;
  /** Focuses the rows, or what covers them. */
  readonly focus: () => void;
  /** Called after columns were moved, hidden or shown. */
  readonly changed: () => void;
  readonly chart: () => void;
}

export class SortAndFilter {
  readonly #deps: SortAndFilterDependencies;
  #filterForm: FilterForm | undefined;

  constructor(deps: SortAndFilterDependencies) {
    this.#deps = deps;
  }

  get #state(): RowsState {
    return this.#deps.state();
  }

  /** Whether the rows come from a query that can be rewritten. */
  get hasQuery(): boolean {
    return this.#deps.view.header.origin !== 'rows';
  }

  dispose(): void {
    this.#filterForm?.close();
  }

  /** Adds the filters to the query or, if there are none, the value of the active cell. */
  addWhere(): void {
    const { filters } = this.#state;
    const rule = this.#ruleOfActive();
    const column = this.#activeColumn;
    this.#addToQuery({ filters: filters.length > 0 || rule === undefined ? filters : [{ column, rule }] });
  }

  /** Adds the sort order to the query or, if there is none, the active column. */
  addOrderBy(column = this.#activeColumn): void {
    const { sort } = this.#state;
    this.#addToQuery({ sort: sort.length > 0 ? sort : [{ column, descending: false }] });
  }

  get #activeColumn(): number {
    return this.#deps.grid.layout.columnAt(this.#deps.grid.selection.active.column);
  }

  clearFilters(): void {
    const { comparison, filters } = this.#state;
    // The choice of visible changes is not one of the user's filters.
    this.#sortAndFilter({ filters: comparison === undefined ? [] : filters.filter(isOfChange) });
  }

  /** Cycles through ascending, descending, and the service's order. */
  sortInTurn(column: number, isAdded: boolean): void {
    const present = this.#state.sort.find((key) => key.column === column);
    this.#sortBy(column, present === undefined ? false : present.descending ? undefined : true, isAdded);
  }

  #sortBy(column: number, descending: boolean | undefined, isAdded: boolean): void {
    if (this.#state.extent !== 'complete' && this.#state.isArrangedBySource !== true) {
      this.#deps.say(
        t(
          'Not all rows are loaded, so sorting them would mislead. Load all rows, or add ORDER BY to the query.',
        ),
      );
      return;
    }
    const next: SortKey[] = descending === undefined ? [] : [{ column, descending }];
    const others = this.#state.sort.filter((key) => key.column !== column);
    this.#sortAndFilter({ sort: isAdded ? [...others, ...next] : next });
  }

  #sortAndFilter(change: {
    readonly sort?: readonly SortKey[];
    readonly filters?: readonly ColumnFilter[];
  }): void {
    const { sort, filters } = { sort: this.#state.sort, filters: this.#state.filters, ...change };
    const { row } = this.#deps.grid.selection.active;
    this.#deps.host.send({
      kind: 'sortAndFilter',
      result: this.#deps.view.id,
      sort: [...sort],
      filters: filters.map(copyFilter),
      ...(row < 0 ? {} : { row }),
    });
  }

  setFilter(column: number, rule: FilterRule | undefined): void {
    const others = this.#state.filters.filter((filter) => filter.column !== column);
    this.#sortAndFilter({ filters: rule === undefined ? others : [...others, { column, rule }] });
  }

  openFilter(column: number, at: DOMRect): void {
    const shown = this.#state.columns[column];
    if (shown === undefined) return;
    const form = new FilterForm({
      column: shown,
      rule: this.#state.filters.find((filter) => filter.column === column)?.rule,
      at,
      apply: (rule) => this.setFilter(column, rule),
      closed: () => {
        if (this.#filterForm === form) this.#filterForm = undefined;
      },
    });
    this.#filterForm = form;
    void this.#deps.questions.ask('values', { column }).then((values) => {
      if (values !== undefined && this.#filterForm === form) form.show(values);
    });
  }

  /** Returns a rule that matches the active cell's value. Truncated text is matched as a prefix. */
  #ruleOfActive(): FilterRule | undefined {
    const { active } = this.#deps.grid.selection;
    const text = active.row < 0 ? undefined : this.#deps.grid.textAt(active);
    if (text === undefined) return undefined;
    if (text !== null && text.length > shownCharsMax)
      return { kind: 'text', operator: 'starts-with', text: text.slice(0, shownCharsMax), matchCase: true };
    return { kind: 'values', values: [text] };
  }

  filterByValue(): void {
    const rule = this.#ruleOfActive();
    if (rule !== undefined)
      this.setFilter(this.#deps.grid.layout.columnAt(this.#deps.grid.selection.active.column), rule);
  }

  #addToQuery(added: {
    readonly filters?: readonly ColumnFilter[];
    readonly sort?: readonly SortKey[];
  }): void {
    const { filters = [], sort = [] } = added;
    this.#deps.host.send({
      kind: 'addToQuery',
      result: this.#deps.view.id,
      filters: filters.map(copyFilter),
      sort: [...sort],
    });
  }

  openColumnMenu(place: number, at: DOMRect): void {
    const column = this.#deps.grid.layout.columnAt(place);
    const shown = this.#state.columns[column];
    if (shown === undefined) return;
    const { sort, filters } = this.#state;
    openColumnMenu({
      ...{ grid: this.#deps.grid, column: shown, place, at, sort },
      isFiltered: filters.some((filter) => filter.column === column),
      sortBy: (descending, isAdded) => this.#sortBy(column, descending, isAdded),
      filter: () => this.openFilter(column, at),
      clearFilter: () => this.setFilter(column, undefined),
      chooseColumns: () => this.chooseColumns(at),
      changed: () => this.#relayout(),
      chart: this.#deps.chart,
      group: () => this.openGroups(column, at),
      copyName: () => this.#deps.host.send({ kind: 'copyText', text: shown.name }),
      addOrderBy: this.hasQuery ? () => this.addOrderBy(column) : undefined,
    });
  }

  /** @param replaces the result that the groups replace. */
  openGroups(column: number, at: DOMRect, replaces?: string): void {
    openGroupForm({
      ...{ column, at, columns: this.#state.columns, order: this.#deps.grid.layout.order },
      group: (spec) => {
        this.#deps.focus();
        this.#deps.host.send({
          kind: 'group',
          result: this.#deps.view.id,
          grouping: { ...spec, by: [...spec.by] },
          ...(replaces === undefined ? {} : { replaces }),
        });
      },
    });
  }

  chooseColumns(at: DOMRect): void {
    openColumnsForm({
      columns: this.#state.columns,
      layout: this.#deps.grid.layout,
      at,
      changed: () => this.#relayout(),
      closed: () => {
        // The number of hidden columns, which was clicked, has been drawn anew.
        if (document.hasFocus() && document.activeElement === document.body) this.#deps.focus();
      },
    });
  }

  #relayout(): void {
    this.#deps.grid.relayout();
    this.#deps.changed();
  }
}

function isOfChange({ column }: ColumnFilter): boolean {
  return column === changeColumn;
}

/** The message needs mutable arrays; the state's are readonly. */
function copyFilter({ column, rule }: ColumnFilter) {
  return { column, rule: rule.kind === 'values' ? { ...rule, values: [...rule.values] } : rule };
}
