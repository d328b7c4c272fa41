/** The rows of a result: filters, grid, inspectors and a footer. */
import type { PanelTool, ResultView, RowsState } from '#panel-protocol/messages.ts';
import type { PanelQuestions, Subject } from '#panel-protocol/panel-questions.ts';
import {
  changeColumn,
  namedRecordId,
  type CellRange,
  type CopyFormat,
  type FindAnswer,
  type WindowRequest,
} from '#panel-protocol/rows.ts';
import type { ViewQuestions } from '#panel-protocol/view-questions.ts';
import { fittingChart } from '../chart/kept-chart.ts';
import { ComparisonBar } from '../comparison/comparison-bar.ts';
import { comparisonLayout } from '../comparison/comparison-rows.ts';
import { FilterBar } from '../filters/filter-bar.ts';
import { FindBar, type FindQuestion } from '../filters/find-bar.ts';
import { SortAndFilter } from '../filters/sort-and-filter.ts';
import { ResultGrid } from '../grid/grid.ts';
import { headerRow, rectangleOf, sizeOf, type Rectangle } from '../grid/selection.ts';
import { IdLinks } from '../inspectors/id-links.ts';
import { element } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { closePopup } from '../ui/popup.ts';
import type { Body, Say } from './body.ts';
import type { Host, HostEvent } from './host.ts';
import { noRows } from './no-rows.ts';
import { RowsFooter, type FooterPlace, type SelectionFacts } from './rows-footer.ts';
import { RowsSide } from './rows-side.ts';
import { isFilteredHere, signedColumns, sortAndFilterWords, signatureOf, sourceOf } from './rows-state.ts';

export class RowsView implements Body {
  readonly element = element('div', { class: 'rows-view' });
  readonly #host: Host;
  readonly #say: Say;
  readonly #announce: (text: string) => void;
  readonly #questions: ViewQuestions;
  readonly #grid: ResultGrid;
  readonly #side: RowsSide;
  readonly #links: IdLinks;
  readonly #sortAndFilter: SortAndFilter;
  readonly #comparison: ComparisonBar;
  readonly #filterBar: FilterBar;
  readonly #findBar: FindBar;
  readonly #footer: RowsFooter;
  readonly #none: ReturnType<typeof noRows>;
  readonly #onCopy = (event: ClipboardEvent) => this.#copyEvent(event);
  readonly #onResize = () => {
    if (this.#side.hasNewCover) this.#changed();
  };
  #view: ResultView;
  #state: RowsState;
  /** The number of rows when the next page was last requested by scrolling. */
  #askedAt = -1;
  #timer = 0;
  /** Statistics for the last range of cells. */
  #known: (SelectionFacts & { readonly range: string }) | undefined;
  #sentSelection = '';
  #sentLayout = '';

  constructor(
    view: ResultView,
    state: RowsState,
    deps: {
      readonly host: Host;
      readonly footer: FooterPlace;
      readonly say: Say;
      readonly announce: (text: string) => void;
    },
  ) {
    this.#view = view;
    this.#state = state;
    this.#host = deps.host;
    this.#say = deps.say;
    this.#announce = deps.announce;
    this.#questions = deps.host.questionsAbout(subjectOf(view, state));
    this.#none = noRows(view.header);
    this.#grid = new ResultGrid(t('Rows of {0}', view.header.title), sourceOf(state), {
      ask: (request) => void this.#fetch(request),
      sortBy: (column, isAdded) => this.#sortAndFilter.sortInTurn(column, isAdded),
      copy: (withHeaders) => this.copy({ format: 'tsv', withHeaders }),
      peek: () => this.#side.open('cell'),
      open: () => this.#openRow(),
      inspect: () => this.#side.open('record'),
      menu: (place, at) => this.#sortAndFilter.openColumnMenu(place, at),
      filter: (place, at) => this.#sortAndFilter.openFilter(this.#grid.layout.columnAt(place), at),
      find: (backwards) => this.#find(backwards),
      leave: () => {
        if (this.#side.shown !== undefined) this.#side.close();
        else if (this.#findBar.element.isConnected) this.#closeFind();
      },
      changed: () => this.#changed(),
    });
    this.#links = new IdLinks(this.element, {
      identify: (globalId) => this.#questions.ask('identify', { globalId }),
      open: (globalId) => this.#host.send({ kind: 'openRecord', result: view.id, globalId }),
    });
    this.#side = new RowsSide(element('div', { class: 'rows-split' }, this.#grid.element), {
      ...{ host: deps.host, questions: this.#questions, grid: this.#grid, links: this.#links, say: deps.say },
      view: () => this.#view,
      state: () => this.#state,
      changed: () => this.#changed(),
    });
    this.#sortAndFilter = new SortAndFilter({
      ...{ host: deps.host, questions: this.#questions, grid: this.#grid, view, say: deps.say },
      state: () => this.#state,
      focus: () => this.focus(),
      changed: () => {
        this.#drawFooter();
        this.#changed();
      },
      chart: () => this.#side.openChart(),
    });
    this.#comparison = new ComparisonBar((rule) => this.#sortAndFilter.setFilter(changeColumn, rule));
    this.#filterBar = new FilterBar({
      change: (column, at) => this.#sortAndFilter.openFilter(column, at),
      remove: (column) => this.#sortAndFilter.setFilter(column, undefined),
      clear: () => this.#sortAndFilter.clearFilters(),
      addWhere: this.#sortAndFilter.hasQuery ? () => this.#sortAndFilter.addWhere() : undefined,
    });
    this.#findBar = new FindBar({
      ask: (question) => this.#askFind(question),
      drop: () => this.#questions.drop('find'),
      goTo: ({ row, place }) => this.#grid.goTo({ row, column: place }),
      mark: (match) => this.#grid.showMatches(match),
      close: () => this.#closeFind(),
    });
    this.#footer = new RowsFooter(deps.footer, {
      load: (all) => this.#host.send({ kind: 'load', result: view.id, all }),
      stop: () => this.#host.send({ kind: 'cancel', result: view.id }),
      showDetails: () => this.#host.send({ kind: 'showDetails', result: view.id }),
      chooseColumns: (at) => this.#sortAndFilter.chooseColumns(at),
      focusLost: () => this.focus(),
    });
    // Text that Select All has marked elsewhere would stay marked beside the selected cells.
    this.#grid.element.addEventListener('focusin', () => document.getSelection()?.removeAllRanges());
    this.#grid.element.addEventListener('keydown', (event) => {
      if (this.#comparison.onKey(event)) event.preventDefault();
    });
    this.#grid.element.addEventListener('scroll', () => this.#loadAhead(), { passive: true });
    // After the grid has selected the cell, before the editor opens its menu.
    this.#grid.element.addEventListener('contextmenu', () => this.#setMenuContext());
    this.#setMenuContext();
    this.element.append(this.#comparison.element, this.#filterBar.element, this.#side.element);
    document.addEventListener('copy', this.#onCopy);
    window.addEventListener('resize', this.#onResize);
    this.#drawState();
  }

  attached(): void {
    const memory = this.#host.remembered(this.#view.id);
    const isSameColumns = memory?.columns === signatureOf(this.#state);
    const isSameRun = isSameColumns && memory.run === this.#view.run;
    this.#grid.restore({
      layout: isSameColumns ? memory.layout : comparisonLayout(this.#state),
      top: isSameRun ? memory.top : 0,
      left: isSameRun ? memory.left : 0,
      selection: isSameRun ? memory.selection : undefined,
    });
    this.#drawFooter();
    this.#drawSelection();
    this.#sendLayout();
    void this.#sendSelection();
    if (memory?.side === 'chart' && memory.chart !== undefined)
      this.#side.open(
        'chart',
        fittingChart(memory.chart, signedColumns(memory.columns), this.#state.columns),
      );
    else if (isSameRun && memory.side !== undefined) this.#side.open(memory.side);
  }

  update(view: ResultView): boolean {
    if (view.state.kind !== 'rows') return false;
    // An empty result has no cells to focus, so it needs a different body.
    if ((this.#state.rowCount === 0) !== (view.state.rowCount === 0)) return false;
    const before = this.#state;
    this.#view = view;
    this.#state = view.state;
    this.#questions.renew(subjectOf(view, view.state));
    this.#grid.update(sourceOf(view.state));
    this.#drawState();
    // New columns change the stored layout and selection.
    if (view.state.columns.length !== before.columns.length) this.#changed();
    if (view.state.generation !== before.generation) {
      this.#announce(sortAndFilterWords(view.state, before));
      if (this.#findBar.element.isConnected) this.#findBar.refresh();
      this.#sentSelection = '';
      this.#changed();
      this.#side.inspectCell();
    }
    const isOfOtherRows =
      view.state.generation !== before.generation ||
      view.state.rowCount !== before.rowCount ||
      view.state.extent !== before.extent;
    if (isOfOtherRows) this.#side.refreshChart();
    return true;
  }

  #drawState(): void {
    const { isSortingOrFiltering, viewRowCount, filters } = this.#state;
    this.element.classList.toggle('is-sorting-or-filtering', isSortingOrFiltering);
    if (this.#filterBar.update(this.#state)) this.focus();
    this.#comparison.update(this.#state);
    if (viewRowCount === 0 && (this.#state.extent === 'complete' || filters.length > 0)) {
      this.#none.show(this.#state);
      this.#side.element.append(this.#none.element);
    } else this.#none.element.remove();
    this.#drawFooter();
    this.#drawSelection();
  }

  #drawFooter(): void {
    const { layout } = this.#grid;
    // A comparison leaves out columns by itself.
    const usual = new Set(comparisonLayout(this.#state)?.order);
    const isUsual = (column: number) => this.#state.comparison === undefined || usual.has(column);
    this.#footer.update(this.#state, layout.hidden.filter(isUsual).length);
  }

  /** Shows the first rows, which arrive unsolicited. */
  put({ of, window }: Extract<HostEvent, { kind: 'first-rows' }>): void {
    if (this.#questions.isTrue('window', of)) this.#grid.put(window);
  }

  /** The next page comes before its place is reached. Filtered rows are not: their end says nothing about the rest. */
  #loadAhead(): void {
    const { extent, loading, rowCount } = this.#state;
    const { scrollTop, scrollHeight, clientHeight } = this.#grid.element;
    const isNear = scrollTop > 0 && scrollTop + 2 * clientHeight >= scrollHeight;
    if (!isNear || extent !== 'more' || isFilteredHere(this.#state) || loading.kind !== 'none') return;
    // The state that follows may take a while: one request for each page.
    if (this.#askedAt === rowCount) return;
    this.#askedAt = rowCount;
    this.#host.send({ kind: 'load', result: this.#view.id, all: false });
  }

  async #fetch(request: WindowRequest): Promise<void> {
    const window = await this.#questions.ask('window', request);
    if (window === undefined) this.#grid.giveUp(request);
    else this.#grid.put(window);
  }

  /** @param replaces the result that new groups replace. */
  showTool(tool: PanelTool, replaces?: string): void {
    closePopup();
    if (this.#side.isCovering && this.#isAboutCell(tool)) {
      this.#sayCovered();
      return;
    }
    const { active } = this.#grid.selection;
    switch (tool) {
      case 'rows':
        this.#side.hideChart();
        return;
      case 'find':
        this.#find(undefined);
        return;
      case 'filter':
        this.#sortAndFilter.openFilter(
          this.#grid.layout.columnAt(active.column),
          this.#grid.boxOf(active.column),
        );
        return;
      case 'filter-by-value':
        this.#sortAndFilter.filterByValue();
        return;
      case 'columns':
        this.#sortAndFilter.chooseColumns(this.#grid.element.getBoundingClientRect());
        return;
      case 'group':
        this.#sortAndFilter.openGroups(
          this.#grid.layout.columnAt(active.column),
          this.#grid.boxOf(active.column),
          replaces,
        );
        return;
      case 'cell':
      case 'record':
        this.#side.open(tool);
        return;
      case 'chart':
        this.#side.openChart();
        return;
      case 'add-where':
        this.#sortAndFilter.addWhere();
        return;
      case 'add-order-by':
        this.#sortAndFilter.addOrderBy();
        return;
      default:
        tool satisfies never;
    }
  }

  /** In a low panel, a chart covers the rows, which then must not get the focus. */
  focus(): void {
    if (this.#side.isCovering) this.#side.focusChart();
    else this.#grid.focus();
  }

  #sayCovered(): void {
    this.#say(t('The chart covers the rows. Close it to select rows.'), {
      label: t('Hide Chart'),
      act: () => this.#side.hideChart(),
    });
  }

  /** Whether a tool would use the active cell without showing it. */
  #isAboutCell(tool: PanelTool): boolean {
    const { filters, sort } = this.#state;
    return (
      tool === 'filter-by-value' ||
      (tool === 'add-where' && filters.length === 0) ||
      (tool === 'add-order-by' && sort.length === 0)
    );
  }

  dispose(): void {
    this.#remember();
    window.clearTimeout(this.#timer);
    document.removeEventListener('copy', this.#onCopy);
    window.removeEventListener('resize', this.#onResize);
    this.#questions.dispose();
    this.#sortAndFilter.dispose();
    this.#findBar.dispose();
    this.#side.dispose();
    this.#links.dispose();
    this.#grid.dispose();
    this.#footer.dispose();
  }

  /** @param backwards undefined opens the search; true and false move to the previous and next match. */
  #find(backwards: boolean | undefined): void {
    // Its matches are cells.
    if (this.#side.isCovering) this.#side.close();
    if (!this.#findBar.element.isConnected) {
      this.#side.element.before(this.#findBar.element);
      this.#findBar.markMatches();
    }
    if (backwards === undefined || this.#findBar.text === '') this.#findBar.focus();
    else this.#findBar.next(backwards);
  }

  #askFind({ isNew, ...question }: FindQuestion): Promise<FindAnswer | undefined> {
    const { row, column } = this.#grid.selection.active;
    return this.#questions.ask('find', {
      ...question,
      columns: this.#grid.layout.order,
      // After a text change, the current position may still match.
      from: { row: Math.max(0, row), place: isNew || row < 0 ? column - 1 : column },
    });
  }

  /** Sets the attribute that the editor's context menu reads; package.json defines its items. */
  #setMenuContext(): void {
    this.#grid.element.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: 'identityQueries.cells',
      hasQuery: this.#sortAndFilter.hasQuery,
      hasRecord: this.#hasRecord(),
      preventDefaultContextMenuItems: true,
    });
  }

  /** Whether the active row names a record, as far as its shown columns tell. */
  #hasRecord(): boolean {
    const { layout, selection } = this.#grid;
    const { row, column } = selection.active;
    if (row < 0) return false;
    const columns = layout.order.map((index) => ({ name: this.#state.columns[index]?.name ?? '' }));
    const cells = columns.map((_, place) => this.#grid.textAt({ row, column: place }) ?? null);
    return namedRecordId({ columns, rows: [cells], firstColumn: column }) !== undefined;
  }

  #closeFind(): void {
    this.#findBar.element.remove();
    this.#grid.showMatches(undefined);
    this.focus();
  }

  /** Opens the row's record. In a comparison, opens the cell, since the current record does not show what changed. */
  #openRow(): void {
    const { row, column: place } = this.#grid.selection.active;
    const column = this.#grid.layout.columnAt(place);
    if (this.#state.comparison !== undefined || this.#side.shown === 'cell') this.#side.open('cell');
    else this.#host.send({ kind: 'openRow', result: this.#view.id, row, column });
  }

  #copyEvent(event: ClipboardEvent): void {
    if (document.activeElement !== this.#grid.element) return;
    event.preventDefault();
    this.copy({ format: 'tsv', withHeaders: false });
  }

  /** Asks the host to copy the selection. */
  copy(options: { readonly format: CopyFormat; readonly withHeaders: boolean }): void {
    if (this.#side.isCovering) {
      this.#sayCovered();
      return;
    }
    const { rows, columns } = sizeOf(this.#grid.selection);
    const area = rectangleOf(this.#grid.selection);
    if (rows === 0 || columns === 0) {
      // On a column header, copies the column's name.
      const name = this.#state.columns[this.#grid.layout.columnAt(area.firstColumn)]?.name;
      if (name !== undefined) this.#host.send({ kind: 'copyText', text: name });
      return;
    }
    const { format, withHeaders } = options;
    void this.#copyCells({ range: this.#rangeOf(area), format, withHeaders });
  }

  async #copyCells(request: PanelQuestions['copy']['request']): Promise<void> {
    const words = await this.#questions.ask('copy', request);
    if (words !== undefined) this.#say(words);
  }

  #rangeOf(area: Rectangle): CellRange {
    return { firstRow: area.firstRow, lastRow: area.lastRow, columns: this.#columnsOf(area) };
  }

  #columnsOf({ firstColumn, lastColumn }: Rectangle): number[] {
    return this.#grid.layout.order.slice(firstColumn, lastColumn + 1);
  }

  #changed(): void {
    this.#side.followCover();
    this.#drawSelection();
    this.#side.followSelection();
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#remember();
      this.#sendLayout();
      void this.#sendSelection();
    }, 100);
  }

  #remember(): void {
    this.#host.remember(this.#view.id, {
      ...this.#grid.look,
      run: this.#view.run,
      columns: signatureOf(this.#state),
      ...this.#side.memory,
    });
  }

  #sendLayout(): void {
    const columns = [...this.#grid.layout.order];
    if (columns.join() === this.#sentLayout) return;
    this.#sentLayout = columns.join();
    void this.#questions.ask('layout', { columns });
  }

  async #sendSelection(): Promise<void> {
    const area = rectangleOf(this.#grid.selection);
    const { rows, columns } = sizeOf(this.#grid.selection);
    const isCovered = this.#side.isCovering;
    const isNone = rows === 0 || this.#state.viewRowCount === 0 || isCovered;
    const selected = {
      ...this.#rangeOf(area),
      ...(isNone ? { columns: [] } : {}),
      ...(isCovered ? { isCovered } : {}),
    };
    const stamp = `${this.#state.generation}/${JSON.stringify(selected)}`;
    if (stamp === this.#sentSelection) return;
    this.#sentSelection = stamp;
    const distinct = rows * columns > 1 && !isCovered ? this.#questions.ask('distinct', selected) : undefined;
    const aggregate = await this.#questions.ask('selection', selected);
    if (aggregate === undefined) return;
    this.#known = { range: JSON.stringify(selected), aggregate, distinct: await distinct };
    this.#drawSelection();
  }

  #drawSelection(): void {
    const range = JSON.stringify(this.#rangeOf(rectangleOf(this.#grid.selection)));
    const { row } = this.#grid.selection.active;
    const size = this.#side.isCovering ? { rows: 0, columns: 0 } : sizeOf(this.#grid.selection);
    const isNone = this.#state.viewRowCount === 0 || this.#side.isCovering;
    this.#footer.showSelection(
      { ...size, row: isNone ? headerRow : row },
      this.#known?.range === range ? this.#known : undefined,
    );
  }
}

function subjectOf({ id, run }: ResultView, { generation }: RowsState): Subject {
  return { result: id, run, generation };
}
