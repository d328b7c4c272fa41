/** The rows of a result: filters, grid, what opens beside it, and a footer. */
import type { Aggregate } from '../../../../core/src/rows/rows.ts';
import { changeColumn } from '../../../../core/src/rows/compare/diff.ts';
import type { CopyFormat } from '../../../../core/src/rows/files/text-writer.ts';
import type { HostMessage, PanelTool, ResultView, RowsState } from '../../../../panel-protocol/messages.ts';
import { SortAndFilter } from '../filters/sort-and-filter.ts';
import type { Body } from './body.ts';
import { ChartView } from '../chart/chart-view.ts';
import { ComparisonBar } from '../comparison/comparison-bar.ts';
import { comparedColumns, comparisonLayout, sidesOf } from '../comparison/comparison-rows.ts';
import { CellInspector } from '../inspectors/cell-inspector.ts';
import { element } from '../ui/dom.ts';
import { FilterBar } from '../filters/filter-bar.ts';
import { FindBar, type FindQuestion } from '../filters/find-bar.ts';
import { range } from '../grid/column-layout.ts';
import { ResultGrid } from '../grid/grid.ts';
import { headerRow, rectangleOf, sizeOf, type Rectangle } from '../grid/selection.ts';
import type { Host } from './host.ts';
import { IdLinks } from '../inspectors/id-links.ts';
import { noRows } from './no-rows.ts';
import { RecordInspector, recordsMax } from '../inspectors/record-inspector.ts';
import { RowsFooter } from './rows-footer.ts';
import { sortAndFilterWords, signatureOf, sourceOf } from './rows-state.ts';
import { t } from '../ui/l10n.ts';

type Side = 'cell' | 'record' | 'chart';

export class RowsView implements Body {
  readonly element = element('div', { class: 'rows-view' });
  readonly #host: Host;
  readonly #say: (text: string) => void;
  readonly #grid: ResultGrid;
  readonly #split: HTMLElement;
  readonly #cell: CellInspector;
  readonly #record: RecordInspector;
  readonly #chart: ChartView;
  readonly #links: IdLinks;
  readonly #sortAndFilter: SortAndFilter;
  readonly #comparison: ComparisonBar;
  readonly #filterBar: FilterBar;
  readonly #findBar: FindBar;
  readonly #footer: RowsFooter;
  readonly #none: ReturnType<typeof noRows>;
  readonly #onCopy = (event: ClipboardEvent) => this.#copyEvent(event);
  #view: ResultView;
  #state: RowsState;
  #timer = 0;
  #side: Side | undefined;
  #aggregate: { readonly stamp: string; readonly aggregate: Aggregate } | undefined;
  #sentSelection = '';
  #sentLayout = '';
  #sentRecords = '';

  constructor(
    view: ResultView,
    state: RowsState,
    deps: { readonly host: Host; readonly say: (text: string) => void },
  ) {
    this.#view = view;
    this.#state = state;
    this.#host = deps.host;
    this.#say = deps.say;
    this.#none = noRows(view.header);
    this.#grid = new ResultGrid(t('Rows of {0}', view.header.title), sourceOf(state), {
      ask: (request) =>
        this.#host.send({
          kind: 'window',
          result: view.id,
          run: view.run,
          generation: this.#state.generation,
          firstRow: request.firstRow,
          rowCount: request.rowCount,
          columns: [...request.columns],
        }),
      sortBy: (column, isAdded) => this.#sortAndFilter.sortInTurn(column, isAdded),
      copy: (withHeaders) => this.copy({ format: 'tsv', withHeaders }),
      peek: () => this.#open('cell'),
      inspect: () => this.#open('record'),
      menu: (place, at) => this.#sortAndFilter.openColumnMenu(place, at),
      find: (backwards) => this.#find(backwards),
      leave: () => {
        if (this.#side !== undefined) this.#close();
        else if (this.#findBar.element.isConnected) this.#closeFind();
      },
      changed: () => this.#changed(),
    });
    const close = () => {
      this.#close();
      this.#grid.focus();
    };
    const copy = (text: string) => this.#host.send({ kind: 'copyText', text });
    this.#links = new IdLinks(this.element, {
      identify: (globalId) => this.#host.send({ kind: 'identify', result: view.id, globalId }),
      open: (globalId) => this.#host.send({ kind: 'openRecord', result: view.id, globalId }),
    });
    this.#cell = new CellInspector({ close, copy }, this.#links);
    this.#record = new RecordInspector({ close, copy }, this.#links);
    this.#chart = new ChartView({
      ask: (spec) => this.#host.send({ kind: 'chart', result: view.id, spec }),
      save: (format, content) => this.#host.send({ kind: 'savePicture', result: view.id, format, content }),
      say: deps.say,
      close,
    });
    this.#sortAndFilter = new SortAndFilter({
      ...{ host: deps.host, grid: this.#grid, view, say: deps.say },
      state: () => this.#state,
      changed: () => this.#changed(),
      chart: () => this.#open('chart'),
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
      close: () => this.#closeFind(),
    });
    this.#footer = new RowsFooter(view.header.origin === 'rows' ? t('Pause') : t('Stop'), {
      load: (all) => this.#host.send({ kind: 'load', result: view.id, all }),
      stop: () => this.#host.send({ kind: 'cancel', result: view.id }),
      showDetails: () => this.#host.send({ kind: 'showDetails', result: view.id }),
      focusLost: () => this.#grid.focus(),
    });
    this.#grid.element.addEventListener('keydown', (event) => {
      if (this.#comparison.onKey(event)) event.preventDefault();
    });
    // The editor's own context menu asks for this attribute; what it offers is in package.json.
    this.#grid.element.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: 'identityQueries.cells',
      preventDefaultContextMenuItems: true,
    });
    this.#split = element('div', { class: 'rows-split' }, this.#grid.element);
    this.element.append(this.#comparison.element, this.#filterBar.element, this.#split, this.#footer.element);
    document.addEventListener('copy', this.#onCopy);
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
    this.#sendLayout();
    if (isSameRun && memory.side !== undefined) this.#open(memory.side);
  }

  update(view: ResultView): boolean {
    if (view.state.kind !== 'rows') return false;
    // An empty result is drawn without cells to stand on.
    if ((this.#state.rowCount === 0) !== (view.state.rowCount === 0)) return false;
    const before = this.#state;
    this.#view = view;
    this.#state = view.state;
    this.#grid.update(sourceOf(view.state));
    this.#drawState();
    // Columns that came with a later page: what is asked of the rows from now on is asked of them too.
    if (view.state.columns.length !== before.columns.length) this.#changed();
    if (view.state.generation !== before.generation) {
      this.#say(sortAndFilterWords(view.state, before));
      if (this.#findBar.element.isConnected) this.#findBar.refresh();
      this.#sentSelection = '';
      this.#sentRecords = '';
      this.#changed();
      if (this.#side === 'cell') this.#inspectCell();
      if (this.#side === 'chart') this.#chart.refresh();
    }
    return true;
  }

  #drawState(): void {
    const { isSortingOrFiltering, viewRowCount, filters } = this.#state;
    this.element.classList.toggle('is-sorting-or-filtering', isSortingOrFiltering);
    if (this.#filterBar.update(this.#state)) this.#grid.focus();
    this.#comparison.update(this.#state);
    if (viewRowCount === 0 && (this.#state.isComplete || filters.length > 0)) {
      this.#none.show(this.#state);
      this.#split.append(this.#none.element);
    } else this.#none.element.remove();
    this.#footer.update(this.#state);
    this.#drawSelection();
  }

  put(message: Extract<HostMessage, { kind: 'window' }>): void {
    const isMine = message.result === this.#view.id && message.run === this.#view.run;
    if (isMine && message.generation === this.#state.generation) this.#grid.put(message.window);
  }

  /** Takes an answer to a question of this view. */
  answer(
    message: Extract<
      HostMessage,
      { kind: 'cell' | 'records' | 'values' | 'found' | 'aggregate' | 'chart' | 'identified' }
    >,
  ): void {
    if (message.result !== this.#view.id) return;
    switch (message.kind) {
      case 'cell': {
        const { row, column: place } = this.#grid.selection.active;
        const column = this.#grid.layout.columnAt(place);
        const shown = this.#state.columns[column];
        if (message.row !== row || message.column !== column || shown === undefined) return;
        this.#cell.show({ column: shown, row, place, value: message.value });
        return;
      }
      case 'records': {
        const { order, hidden } = this.#grid.layout;
        const { comparison } = this.#state;
        const all = [...order, ...hidden];
        if (comparison === undefined) this.#record.show(message.records, this.#state.columns, all);
        else {
          const columns = comparedColumns(comparison, all);
          this.#record.show(sidesOf(message.records), this.#state.columns, columns);
        }
        return;
      }
      case 'values':
        this.#sortAndFilter.showValues(message.column, message.values);
        return;
      case 'found':
        this.#findBar.answered(message.question, message.answer, ({ row, place }) =>
          this.#grid.goTo({ row, column: place }),
        );
        return;
      case 'chart':
        this.#chart.show(message.spec, message.data);
        return;
      case 'identified':
        this.#links.identified(message.globalId, message.words);
        return;
      case 'aggregate':
        this.#aggregate = { stamp: JSON.stringify(message.range), aggregate: message.aggregate };
        this.#drawSelection();
        return;
      default:
        message satisfies never;
    }
  }

  showTool(tool: PanelTool): void {
    const { active } = this.#grid.selection;
    switch (tool) {
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
      case 'record':
      case 'chart':
        this.#open(tool);
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

  focus(): void {
    this.#grid.focus();
  }

  dispose(): void {
    this.#remember();
    window.clearTimeout(this.#timer);
    document.removeEventListener('copy', this.#onCopy);
    this.#sortAndFilter.dispose();
    this.#findBar.dispose();
    this.#chart.dispose();
    this.#links.dispose();
    this.#grid.dispose();
  }

  // Finding

  /** @param backwards undefined opens the search; else it goes on. */
  #find(backwards: boolean | undefined): void {
    if (!this.#findBar.element.isConnected) this.#split.append(this.#findBar.element);
    if (backwards === undefined || this.#findBar.text === '') this.#findBar.focus();
    else this.#findBar.next(backwards);
  }

  #askFind({ isNew, ...question }: FindQuestion): void {
    const { row, column } = this.#grid.selection.active;
    this.#host.send({
      kind: 'find',
      result: this.#view.id,
      ...question,
      columns: [...this.#grid.layout.order],
      // A changed text may still match where one is.
      from: { row: Math.max(0, row), place: isNew || row < 0 ? column - 1 : column },
    });
  }

  #closeFind(): void {
    this.#findBar.element.remove();
    this.#grid.focus();
  }

  // Beside the grid

  #open(side: Side): void {
    this.#close();
    this.#side = side;
    const shown = { cell: this.#cell, record: this.#record, chart: this.#chart }[side];
    this.#split.append(shown.element);
    this.#grid.revealActive();
    this.#sentRecords = '';
    if (side === 'cell') this.#inspectCell();
    if (side === 'chart') {
      this.#chart.open(this.#state.columns, this.#grid.layout.columnAt(this.#grid.selection.active.column));
    }
    this.#changed();
  }

  #close(): void {
    this.#side = undefined;
    this.#cell.element.remove();
    this.#record.element.remove();
    this.#chart.element.remove();
    this.#changed();
  }

  #inspectCell(): void {
    const { row, column: place } = this.#grid.selection.active;
    if (row < 0 || this.#state.viewRowCount === 0) return;
    const column = this.#grid.layout.columnAt(place);
    this.#host.send({ kind: 'cell', result: this.#view.id, generation: this.#state.generation, row, column });
  }

  #inspectRecords(): void {
    const { firstRow, lastRow } = rectangleOf(this.#grid.selection);
    const { row } = this.#grid.selection.active;
    const count = lastRow - firstRow + 1;
    const rows = count >= 2 && count <= recordsMax ? range(firstRow, lastRow + 1) : row < 0 ? [] : [row];
    const stamp = `${this.#state.generation}/${rows.join()}`;
    if (rows.length === 0 || this.#state.viewRowCount === 0 || stamp === this.#sentRecords) return;
    this.#sentRecords = stamp;
    this.#host.send({ kind: 'records', result: this.#view.id, generation: this.#state.generation, rows });
  }

  // Copying

  #copyEvent(event: ClipboardEvent): void {
    if (document.activeElement !== this.#grid.element) return;
    event.preventDefault();
    this.copy({ format: 'tsv', withHeaders: false });
  }

  /** Has the host copy what is selected. */
  copy(options: { readonly format: CopyFormat; readonly withHeaders: boolean }): void {
    const { rows, columns } = sizeOf(this.#grid.selection);
    const area = rectangleOf(this.#grid.selection);
    if (rows === 0 || columns === 0) {
      // On a column header: its name.
      const name = this.#state.columns[this.#grid.layout.columnAt(area.firstColumn)]?.name;
      if (name !== undefined) this.#host.send({ kind: 'copyText', text: name });
      return;
    }
    this.#host.send({
      kind: 'copy',
      result: this.#view.id,
      generation: this.#state.generation,
      firstRow: area.firstRow,
      lastRow: area.lastRow,
      columns: this.#columnsOf(area),
      format: options.format,
      withHeaders: options.withHeaders,
    });
  }

  #columnsOf({ firstColumn, lastColumn }: Rectangle): number[] {
    return this.#grid.layout.order.slice(firstColumn, lastColumn + 1);
  }

  // What changes with every key

  #changed(): void {
    this.#drawSelection();
    const { active } = this.#grid.selection;
    if (this.#side === 'cell' && !this.#cell.isFor({ row: active.row, place: active.column }))
      this.#inspectCell();
    if (this.#side === 'record') this.#inspectRecords();
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#remember();
      this.#sendLayout();
      this.#sendSelection();
    }, 100);
  }

  #remember(): void {
    this.#host.remember(this.#view.id, {
      ...this.#grid.look,
      run: this.#view.run,
      columns: signatureOf(this.#state),
      side: this.#side,
    });
  }

  #sendLayout(): void {
    const columns = [...this.#grid.layout.order];
    if (columns.join() === this.#sentLayout) return;
    this.#sentLayout = columns.join();
    this.#host.send({ kind: 'layout', result: this.#view.id, run: this.#view.run, columns });
  }

  #sendSelection(): void {
    const area = rectangleOf(this.#grid.selection);
    const { rows } = sizeOf(this.#grid.selection);
    const columns = rows === 0 ? [] : this.#columnsOf(area);
    const { generation } = this.#state;
    const stamp = `${generation}/${area.firstRow}/${area.lastRow}/${columns.join()}`;
    if (stamp === this.#sentSelection) return;
    this.#sentSelection = stamp;
    const { firstRow, lastRow } = area;
    this.#host.send({ kind: 'selection', result: this.#view.id, generation, firstRow, lastRow, columns });
  }

  #drawSelection(): void {
    const area = rectangleOf(this.#grid.selection);
    const stamp = JSON.stringify({
      firstRow: area.firstRow,
      lastRow: area.lastRow,
      columns: this.#columnsOf(area),
    });
    const { row } = this.#grid.selection.active;
    this.#footer.showSelection(
      { ...sizeOf(this.#grid.selection), row: this.#state.viewRowCount === 0 ? headerRow : row },
      this.#aggregate?.stamp === stamp ? this.#aggregate.aggregate : undefined,
    );
  }
}
