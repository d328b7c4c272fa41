/** What is open beside the rows: the active cell, records, or a chart, which may cover the rows in a low panel. */
import type { ResultView, RowsState } from '#panel-protocol/messages.ts';
import { recordsMax, type CellRecord } from '#panel-protocol/rows.ts';
import type { ViewQuestions } from '#panel-protocol/view-questions.ts';
import type { ChartChoices } from '../chart/chart-form.ts';
import { ChartView } from '../chart/chart-view.ts';
import type { fittingChart } from '../chart/kept-chart.ts';
import { comparedColumns, sidesOf } from '../comparison/comparison-rows.ts';
import { range } from '../grid/column-layout.ts';
import type { ResultGrid } from '../grid/grid.ts';
import { rectangleOf } from '../grid/selection.ts';
import { CellInspector } from '../inspectors/cell-inspector.ts';
import type { IdLinks } from '../inspectors/id-links.ts';
import { RecordInspector } from '../inspectors/record-inspector.ts';
import { holdsFocus } from '../ui/dom.ts';
import { closePopup } from '../ui/popup.ts';
import type { Say } from './body.ts';
import type { Host } from './host.ts';
import { partWords } from './rows-state.ts';

type Side = 'cell' | 'record' | 'chart';

interface RowsSideDependencies {
  readonly host: Host;
  readonly questions: ViewQuestions;
  readonly grid: ResultGrid;
  readonly links: IdLinks;
  readonly say: Say;
  readonly view: () => ResultView;
  readonly state: () => RowsState;
  readonly changed: () => void;
}

export class RowsSide {
  /** The grid, and beside it what is open. */
  readonly element: HTMLElement;
  readonly #deps: RowsSideDependencies;
  readonly #cell: CellInspector;
  readonly #record: RecordInspector;
  readonly #chart: ChartView;
  #shown: Side | undefined;
  /** The column that was active when the chart was opened. */
  #chartColumn = 0;
  /** The choices in the chart that was closed last, and the column of the active cell then. */
  #closedChart: { readonly column: number; readonly choices: ChartChoices } | undefined;
  #wasCovered = false;
  #sentRecords = '';

  constructor(element: HTMLElement, deps: RowsSideDependencies) {
    this.element = element;
    this.#deps = deps;
    const { host, questions } = deps;
    const result = deps.view().id;
    const close = () => {
      this.close();
      deps.grid.focus();
    };
    const copy = (text: string) => host.send({ kind: 'copyText', text });
    this.#cell = new CellInspector({ close, copy }, deps.links);
    this.#record = new RecordInspector({ close, copy }, deps.links);
    this.#chart = new ChartView({
      ask: (spec) => questions.ask('chart', spec),
      drop: () => questions.drop('chart'),
      part: () => partWords(deps.state()),
      chosen: deps.changed,
      maximize: () => host.send({ kind: 'maximize', result }),
      save: (format, content) => host.send({ kind: 'savePicture', result, format, content }),
      say: deps.say,
      close,
    });
  }

  get shown(): Side | undefined {
    return this.#shown;
  }

  /** Whether the chart covers the rows; its style decides. */
  get isCovering(): boolean {
    return this.#shown === 'chart' && !this.#deps.grid.element.checkVisibility({ visibilityProperty: true });
  }

  /** Whether this is otherwise than when it was last followed. */
  get hasNewCover(): boolean {
    return this.isCovering !== this.#wasCovered;
  }

  /** What the page remembers of it. */
  get memory() {
    const chart =
      this.#shown === 'chart' ? { column: this.#chartColumn, choices: this.#chart.choices } : undefined;
    return { side: this.#shown, chart };
  }

  /** @param kept what stays of an earlier chart. */
  open(side: Side, kept?: ReturnType<typeof fittingChart>): void {
    closePopup();
    this.close();
    this.#shown = side;
    const shown = { cell: this.#cell, record: this.#record, chart: this.#chart }[side];
    this.element.append(shown.element);
    this.#deps.grid.revealActive();
    this.#sentRecords = '';
    if (side === 'cell') this.inspectCell();
    if (side === 'chart') {
      const { header } = this.#deps.view();
      const column = kept?.column ?? this.#activeColumn;
      const closed = this.#closedChart?.column === column ? this.#closedChart.choices : undefined;
      this.#chartColumn = column;
      this.#chart.open(this.#deps.state().columns, {
        column,
        measure: header.measure,
        isMeasureSum: header.isMeasureSum,
        pivot: header.pivot,
        choices: kept === undefined ? closed : kept.choices,
      });
    }
    this.#deps.changed();
  }

  openChart(): void {
    this.open('chart');
    this.#chart.focus();
  }

  close(): void {
    if (this.#shown === 'chart') {
      const { choices } = this.#chart;
      this.#closedChart = choices && { column: this.#activeColumn, choices };
    }
    this.#shown = undefined;
    for (const { element } of [this.#cell, this.#record, this.#chart]) element.remove();
    this.#deps.changed();
  }

  hideChart(): void {
    if (this.#shown === 'chart') this.close();
    this.#deps.grid.focus();
  }

  focusChart(): void {
    if (!holdsFocus(this.#chart.element)) this.#chart.focus();
  }

  refreshChart(): void {
    if (this.#shown === 'chart') this.#chart.refresh();
  }

  /** Hands the focus over when a panel becomes so low that the chart covers the rows. */
  followCover(): void {
    if (!this.hasNewCover) return;
    this.#wasCovered = this.isCovering;
    // The browser may already have taken it from the hidden rows.
    const isLost = document.hasFocus() && document.activeElement === document.body;
    if (this.#wasCovered && (isLost || holdsFocus(this.#deps.grid.element))) this.#chart.focus();
  }

  /** Shows what is selected now. */
  followSelection(): void {
    const { active } = this.#deps.grid.selection;
    if (!this.#cell.isFor({ row: active.row, place: active.column })) this.inspectCell();
    if (this.#shown === 'record') void this.#inspectRecords();
  }

  /** Reads the active cell anew. */
  inspectCell(): void {
    if (this.#shown === 'cell') void this.#inspectCell();
  }

  dispose(): void {
    this.#chart.dispose();
  }

  get #activeColumn(): number {
    const { layout, selection } = this.#deps.grid;
    return layout.columnAt(selection.active.column);
  }

  async #inspectCell(): Promise<void> {
    const { questions, grid } = this.#deps;
    const state = this.#deps.state();
    questions.drop('cell');
    const { row, column: place } = grid.selection.active;
    const column = this.#activeColumn;
    const shown = state.columns[column];
    if (row < 0 || state.viewRowCount === 0 || shown === undefined) return;
    const value = await questions.ask('cell', { row, column });
    if (value !== undefined) this.#cell.show({ column: shown, row, place, value });
  }

  async #inspectRecords(): Promise<void> {
    const { selection } = this.#deps.grid;
    const { generation, viewRowCount } = this.#deps.state();
    const { firstRow, lastRow } = rectangleOf(selection);
    const { row } = selection.active;
    const count = lastRow - firstRow + 1;
    const rows = count >= 2 && count <= recordsMax ? range(firstRow, lastRow + 1) : row < 0 ? [] : [row];
    const stamp = `${generation}/${rows.join()}`;
    if (rows.length === 0 || viewRowCount === 0 || stamp === this.#sentRecords) return;
    this.#sentRecords = stamp;
    const records = await this.#deps.questions.ask('records', { rows });
    if (records !== undefined) this.#showRecords(records);
  }

  #showRecords(records: readonly CellRecord[]): void {
    const { order, hidden } = this.#deps.grid.layout;
    const { comparison, columns } = this.#deps.state();
    const all = [...order, ...hidden];
    if (comparison === undefined) this.#record.show(records, columns, all);
    else this.#record.show(sidesOf(records), columns, comparedColumns(comparison, all));
  }
}
