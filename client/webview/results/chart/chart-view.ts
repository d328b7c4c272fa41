/** A chart of the rows: the user chooses its columns, can save the picture, and can read its numbers as a table. */
import {
  chartTypes,
  type ChartData,
  type ChartSpec,
  type ChartType,
} from '../../../../panel-protocol/rows.ts';
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import { countColumn, isIdName } from './default-measure.ts';
import { pngOf, svgText } from './save-picture.ts';
import { pointLabel } from './point-labels.ts';
import { farLabel, wholeLabel } from './scale.ts';
import { drawChart } from './svg-chart.ts';
import { button, element, iconButton } from '../ui/dom.ts';
import { number, rowCountWords } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';

const typeWords: Readonly<Record<ChartType, string>> = {
  bar: t('Bars'),
  line: t('Line'),
  scatter: t('Scatter'),
  histogram: t('Histogram'),
};

export interface ChartViewEvents {
  readonly ask: (spec: ChartSpec) => Promise<ChartData | undefined>;
  /** Aborts the pending request. */
  readonly drop: () => void;
  readonly save: (format: 'png' | 'svg', content: string) => void;
  /** Gives the panel more height. */
  readonly maximize: () => void;
  readonly say: (text: string) => void;
  readonly close: () => void;
}

export class ChartView {
  readonly element: HTMLElement;
  readonly #events: ChartViewEvents;
  readonly #type = element('select', { aria: { label: t('Chart') } });
  readonly #x = element('select', { aria: { label: t('Horizontal axis') } });
  readonly #y = element('select', { aria: { label: t('Vertical axis') } });
  readonly #note = element('p', { class: 'chart-note', role: 'status' });
  readonly #place = element('div', { class: 'chart-place' });
  readonly #table = element('div', {
    class: 'chart-table',
    tabIndex: 0,
    hidden: true,
    role: 'region',
    aria: { label: t('Numbers of the chart') },
  });
  readonly #asTable: HTMLButtonElement;
  readonly #observer: ResizeObserver;
  #columns: readonly ShownColumn[] = [];
  #drawn: { readonly spec: ChartSpec; readonly data: ChartData } | undefined;
  #picture: SVGSVGElement | undefined;
  /** Whether the user has chosen nothing yet, so that the values may decide what the bars show. */
  #isDefault = false;
  /** Whether each bar is one row, whose number is not a sum. */
  #isOneGroupEach = false;

  constructor(events: ChartViewEvents) {
    this.#events = events;
    for (const type of chartTypes) this.#type.append(optionOf(type, typeWords[type]));
    for (const select of [this.#type, this.#x, this.#y]) {
      select.addEventListener('change', () => {
        this.#isDefault = false;
        if (select === this.#type) this.#choose({});
        else void this.#ask();
      });
    }
    this.#asTable = button(t('Numbers'), () => this.#toggleTable(), {
      kind: 'link',
      title: t('The numbers as a table'),
    });
    this.#asTable.setAttribute('aria-pressed', 'false');
    const maximize = iconButton('maximize', t('Maximize Panel'), events.maximize);
    maximize.classList.add('chart-maximize');
    this.element = element(
      'aside',
      {
        class: 'inspector chart-view',
        aria: { label: t('Chart') },
        on: {
          keydown: (event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            events.close();
          },
        },
      },
      element(
        'div',
        { class: 'inspector-head chart-form' },
        this.#type,
        this.#x,
        this.#y,
        this.#asTable,
        button('PNG', () => void this.#savePng(), { kind: 'link', title: t('Save as PNG') }),
        button('SVG', () => this.#saveSvg(), { kind: 'link', title: t('Save as SVG') }),
        maximize,
        iconButton('close', t('Close'), events.close),
      ),
      this.#place,
      this.#table,
      this.#note,
    );
    this.#observer = new ResizeObserver(() => this.#draw());
    this.#observer.observe(this.#place);
  }

  /**
   * Starts with the active column, whose type determines the chart; for grouped rows, also selects the measure. For rows
   * that the query has grouped, bars show its counts instead of the number of rows.
   */
  open(
    columns: readonly ShownColumn[],
    { column, measure }: { readonly column: number; readonly measure: number | undefined },
  ): void {
    this.#columns = columns;
    this.#isOneGroupEach = measure === 1;
    const x = measure === undefined || column < measure ? column : 0;
    const kind = columns[x]?.kind;
    const isOrdered = kind === 'number' || kind === 'time';
    const ordered = measure === undefined ? 'histogram' : kind === 'time' ? 'line' : 'bar';
    this.#type.value = isOrdered ? ordered : 'bar';
    this.#isDefault = measure === undefined;
    const isBar = this.#type.value === 'bar';
    const counts = isBar ? countColumn(columns, x) : undefined;
    this.#choose({ x, y: measure === undefined ? counts : columns.length - 1 });
    this.#type.focus();
  }

  /** Requests new data after the rows changed. */
  refresh(): void {
    void this.#ask();
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  get #spec(): ChartSpec {
    const type = chartTypes.find((one) => one === this.#type.value) ?? 'bar';
    const y = this.#y.value === '' ? undefined : Number(this.#y.value);
    return { type, x: Number(this.#x.value), ...(y === undefined || type === 'histogram' ? {} : { y }) };
  }

  /** Offers the columns that the chart type can draw, keeping the current choice if possible. */
  #choose({
    x = Number(this.#x.value),
    y: up,
  }: {
    readonly x?: number;
    readonly y?: number | undefined;
  }): void {
    const type = this.#spec.type;
    const y = up === undefined ? this.#y.value : String(up);
    const all = this.#columns.map((column, index) => ({ ...column, index }));
    const numbers = all.filter(({ kind }) => kind === 'number');
    const ordered = all.filter(({ kind }) => kind === 'number' || kind === 'time');
    const across = type === 'bar' ? all : ordered;
    this.#x.replaceChildren(...across.map(({ name, index }) => optionOf(String(index), name)));
    if (across.some(({ index }) => index === x)) this.#x.value = String(x);
    else if (type === 'line')
      this.#x.value = String(across.find(({ kind }) => kind === 'time')?.index ?? across[0]?.index ?? '');
    const measures = numbers.map(({ name, index }) =>
      optionOf(String(index), this.#measureWords(type, name)),
    );
    this.#y.replaceChildren(...(type === 'bar' ? [optionOf('', t('Number of rows'))] : []), ...measures);
    this.#y.hidden = type === 'histogram';
    if ([...this.#y.options].some((option) => option.value === y)) this.#y.value = y;
    else {
      const other = this.#measures().at(0);
      if (type !== 'bar' && other !== undefined) this.#y.value = other;
    }
    void this.#ask();
  }

  /** Returns the options for the vertical axis; those that are numeric IDs, which measure nothing, come last. */
  #measures({ withIds = true } = {}): readonly string[] {
    const values = [...this.#y.options].map(({ value }) => value);
    const others = values.filter((value) => value !== '' && value !== this.#x.value);
    const isId = (value: string) => isIdName(this.#columns[Number(value)]?.name ?? '');
    return [...others.filter((value) => !isId(value)), ...(withIds ? others.filter(isId) : [])];
  }

  #measureWords(type: ChartType, name: string): string {
    return type === 'bar' && !this.#isOneGroupEach ? t('Sum of {0}', name) : name;
  }

  async #ask(): Promise<void> {
    const spec = this.#spec;
    const { type, y } = spec;
    const isMissing =
      this.#x.options.length === 0 || ((type === 'line' || type === 'scatter') && y === undefined);
    if (isMissing) {
      this.#events.drop();
      this.#drawn = undefined;
      this.#place.replaceChildren();
      this.#note.classList.remove('only-read');
      this.#note.textContent =
        type === 'scatter'
          ? t('{0} needs two columns of numbers.', typeWords[type])
          : t('{0} needs a column of numbers.', typeWords[type]);
      return;
    }
    const data = await this.#events.ask(spec);
    if (data === undefined) return;
    const measure =
      this.#isDefault && isOneRowEach(spec, data) ? this.#measures({ withIds: false })[0] : undefined;
    if (measure !== undefined) {
      this.#y.value = measure;
      await this.#ask();
      return;
    }
    this.#drawn = { spec, data };
    this.#draw();
  }

  #draw(): void {
    const drawn = this.#drawn;
    if (drawn === undefined) return;
    const { spec, data } = drawn;
    const xName = this.#columns[spec.x]?.name ?? '';
    const measured = spec.y === undefined ? undefined : (this.#columns[spec.y]?.name ?? '');
    const yName = measured === undefined ? t('Rows') : this.#measureWords(spec.type, measured);
    const notes = notesOf(data);
    this.#note.textContent = [rowCountWords(data.rows), ...notes].join(' · ');
    // Sighted users already see the row count in the footer.
    this.#note.classList.toggle('only-read', notes.length === 0);
    this.#drawTable(xName, yName, data);
    const { clientWidth, clientHeight } = this.#place;
    // Hidden behind the table of numbers; drawn when the chart is visible again.
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#picture = drawChart({
      ...{ type: spec.type, data, xName, yName },
      width: clientWidth,
      height: clientHeight,
      label: t(
        '{0}: {1} by {2}, {3}. The numbers are in a table.',
        ...[typeWords[spec.type], yName, xName, pointWords(data.points.length)],
      ),
    });
    this.#place.replaceChildren(this.#picture);
    // A picture that is higher than its place is scrolled, also with the keyboard.
    this.#place.tabIndex = this.#picture.height.baseVal.value > clientHeight ? 0 : -1;
  }

  #drawTable(xName: string, yName: string, data: ChartData): void {
    const headers = [xName, yName].map((name) => {
      const cell = element('th', {}, name);
      cell.scope = 'col';
      return cell;
    });
    const rows = data.points.map((point) =>
      element(
        'tr',
        {},
        element('td', {}, pointLabel(point, data)),
        element('td', { data: { kind: 'number' } }, valueLabel(point.y, data)),
      ),
    );
    this.#table.replaceChildren(
      element(
        'table',
        { class: 'record' },
        element('thead', {}, element('tr', {}, ...headers)),
        element('tbody', {}, ...rows),
      ),
    );
  }

  #toggleTable(): void {
    this.#table.hidden = !this.#table.hidden;
    this.#place.hidden = !this.#table.hidden;
    this.#asTable.setAttribute('aria-pressed', String(!this.#table.hidden));
    this.#draw();
  }

  #saveSvg(): void {
    if (this.#picture !== undefined) this.#events.save('svg', svgText(this.#picture));
  }

  async #savePng(): Promise<void> {
    if (this.#picture === undefined) return;
    try {
      this.#events.save('png', await pngOf(this.#picture));
    } catch (error) {
      this.#events.say(error instanceof Error ? error.message : t('The picture could not be drawn'));
    }
  }
}

/** Whether each bar counts a single row, as in rows that the query has grouped. */
function isOneRowEach({ type, y }: ChartSpec, { points, others }: ChartData): boolean {
  return (
    type === 'bar' &&
    y === undefined &&
    points.length > 0 &&
    points.every((point) => point.y === 1) &&
    (others === undefined || others.sum === others.count)
  );
}

function optionOf(value: string, label: string): HTMLOptionElement {
  const option = element('option', {}, label);
  option.value = value;
  return option;
}

function pointWords(count: number): string {
  return count === 1 ? t('1 point') : t('{0} points', number(count));
}

/** Returns notes about what the picture omits. */
function notesOf({ skipped, sampled, others, points }: ChartData): readonly string[] {
  const notes: string[] = [];
  if (points.length === 0) notes.push(t('nothing to draw'));
  if (skipped > 0) notes.push(t('{0} omitted (no number)', number(skipped)));
  if (sampled !== undefined) notes.push(t('reduced to {0} points', number(sampled)));
  if (others !== undefined)
    notes.push(t('{0} more values, {1} in total, not drawn', number(others.count), wholeLabel(others.sum)));
  return notes;
}

function valueLabel(value: number, { yBase }: ChartData): string {
  return yBase === undefined ? wholeLabel(value) : farLabel(yBase, value);
}
