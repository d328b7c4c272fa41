/** The choices of a chart: its type, the columns of its axes, and the column that splits it into series. */
import type { RunHeader, ShownColumn } from '#panel-protocol/messages.ts';
import {
  chartTypes,
  type ChartData,
  type ChartSeries,
  type ChartSpec,
  type ChartType,
  type Combination,
  combinations,
  type TimePeriod,
  timePeriods,
  valueName,
  wordsOfValueName,
} from '#panel-protocol/rows.ts';
import { element, optionOf } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import type { ChartNames } from './chart-picture.ts';
import { combinationByName, countColumn, isIdName } from './default-measure.ts';
import { categoryLabel } from './point-labels.ts';

export const typeWords: Readonly<Record<ChartType, string>> = {
  bar: t('Bars'),
  line: t('Line'),
  scatter: t('Scatter'),
  histogram: t('Histogram'),
};

const periodTitles: Readonly<Record<TimePeriod, string>> = {
  ...{ second: t('Second'), minute: t('Minute'), hour: t('Hour'), day: t('Day') },
  ...{ week: t('Week'), month: t('Month'), year: t('Year') },
};

/** Each costs one pass over the rows. */
const otherAxesMax = 4;

/** The option for the columns of a pivot, each of which is a series. */
const allColumns = 'all';

/** What the user has chosen, kept while the page is hidden or shows other rows. */
export interface ChartChoices {
  readonly type: ChartType;
  readonly x: string;
  readonly y: string;
  readonly period: string;
  readonly split: string;
}

export interface ChartStart {
  /** The active column. */
  readonly column: number;
  /** Index of the first measure of grouped rows. */
  readonly measure: number | undefined;
  readonly isMeasureSum: boolean | undefined;
  readonly pivot: RunHeader['pivot'];
  /** Earlier choices, without those whose columns are gone. */
  readonly choices?: Partial<ChartChoices> | undefined;
}

/** Who decides what the chart shows. */
type Chooser =
  /** The values: `others` are the columns still to try, and `active` is what to return to if none is better. */
  | { readonly kind: 'values'; readonly others: readonly number[]; readonly active: ActiveAxis | undefined }
  /** The groups of the rows. */
  | { readonly kind: 'groups' }
  /** The user, perhaps also the measure. */
  | { readonly kind: 'user'; readonly isMeasure: boolean };

interface ActiveAxis {
  readonly type: ChartType;
  readonly x: string;
  readonly y: string;
}

export class ChartForm {
  readonly #type = element('select', { aria: { label: t('Chart') } });
  readonly #x = element('select');
  readonly #y = element('select');
  readonly #xName = choiceName();
  readonly #yName = choiceName();
  readonly #period = element('select', { class: 'chart-period', aria: { label: t('Per') }, title: t('Per') });
  readonly #split = element('select', { aria: { label: t('Split by') }, title: t('Split by') });
  readonly #choices: readonly (readonly [HTMLElement, HTMLSelectElement])[] = [
    [choiceName(t('Chart')), this.#type],
    [this.#xName, this.#x],
    [this.#yName, this.#y],
    [choiceName(t('Per')), this.#period],
    [choiceName(t('Split by')), this.#split],
  ];
  #columns: readonly ShownColumn[] = [];
  #pivot: (NonNullable<RunHeader['pivot']> & { readonly columns: readonly number[] }) | undefined;
  /** Grouped rows: columns from this index on hold measures, which add up or not. */
  #groups: { readonly measure: number; readonly isSum: boolean } | undefined;
  #chooser: Chooser = { kind: 'groups' };

  constructor(changed: () => void) {
    for (const type of chartTypes) this.#type.append(optionOf(type, typeWords[type]));
    this.#period.append(
      optionOf('', t('Automatic')),
      ...timePeriods.map((period) => optionOf(period, periodTitles[period])),
    );
    for (const [, select] of this.#choices) {
      select.addEventListener('change', () => {
        this.#chooser = { kind: 'user', isMeasure: select === this.#y || this.#isMeasureChosen };
        if (select === this.#type) this.#choose({});
        else this.#offerOthers({ y: this.#y.value, split: this.#split.value });
        changed();
      });
    }
  }

  get elements(): readonly HTMLElement[] {
    return this.#choices.map(([name, select]) => element('label', { class: 'chart-choice' }, name, select));
  }

  /** Bars stand or lie, depending on their space, so their axes are named for what they show. */
  #nameAxes(type: ChartType): void {
    const isBar = type === 'bar';
    this.#xName.textContent = isBar ? t('Category') : t('Horizontal');
    this.#yName.textContent = isBar ? t('Values') : t('Vertical');
    this.#x.ariaLabel = isBar ? t('Category') : t('Horizontal axis');
    this.#y.ariaLabel = isBar ? t('Values') : t('Vertical axis');
  }

  focus(): void {
    this.#type.focus();
  }

  /**
   * Starts with the active column, whose type determines the chart; for grouped rows, also selects the measure, and for
   * a pivot, its columns as series. For rows that the query has grouped, bars show its counts instead of the number of
   * rows.
   */
  start(
    columns: readonly ShownColumn[],
    { column, measure, isMeasureSum, pivot, choices }: ChartStart,
  ): void {
    this.#columns = columns;
    this.#groups = measure === undefined ? undefined : { measure, isSum: isMeasureSum === true };
    this.#chooser = { kind: 'groups' };
    const values = columns.map((_, index) => index).slice(measure, -1);
    const isPivot = pivot !== undefined && measure !== undefined && values.length > 0;
    this.#pivot = isPivot ? { ...pivot, columns: values } : undefined;
    const x = measure === undefined || column < measure ? column : 0;
    const kind = columns[x]?.kind;
    const grouped = kind === 'time' ? 'line' : 'bar';
    // Bars of times are those of whole periods, unlike a histogram's.
    const plain = kind === 'number' ? 'histogram' : 'bar';
    const type = measure === undefined ? plain : grouped;
    const isId = measure === undefined && kind === 'number' && isIdName(columns[x]?.name ?? '');
    // Bars tell whether the values of an ID repeat.
    this.#type.value = isId ? 'bar' : type;
    this.#period.value = '';
    const counts = this.#chosenType === 'bar' ? countColumn(columns, x) : undefined;
    const total = this.#isSplitByPivot ? allColumns : columns.length - 1;
    this.#choose({ x, y: String((measure === undefined ? counts : total) ?? ''), split: '' });
    const isWordy = (other: ShownColumn) => other.kind === 'text' || other.kind === 'boolean';
    const others = [...columns.entries()].filter(([other, one]) => other !== x && isWordy(one));
    if (measure === undefined)
      this.#chooser = {
        kind: 'values',
        others: others.map(([other]) => other).slice(0, otherAxesMax),
        active: { type, x: String(x), y: this.#y.value },
      };
    if (choices !== undefined) this.#restore(choices);
  }

  /** Undefined if the user has chosen nothing yet. */
  get choices(): ChartChoices | undefined {
    if (this.#chooser.kind !== 'user') return undefined;
    const [x, y, period, split] = [this.#x, this.#y, this.#period, this.#split].map(({ value }) => value);
    return { type: this.#chosenType, x: x ?? '', y: y ?? '', period: period ?? '', split: split ?? '' };
  }

  #restore({ type, x, y, period, split }: Partial<ChartChoices>): void {
    this.#chooser = { kind: 'user', isMeasure: y !== undefined };
    this.#type.value = type ?? this.#type.value;
    this.#period.value = period ?? '';
    this.#choose({ x: Number(x ?? this.#x.value), y: y ?? this.#y.value, split: split ?? '' });
  }

  /** The chart to draw, or undefined if there is no column for an axis. */
  get spec(): ChartSpec | undefined {
    const type = this.#chosenType;
    const isMeasured = (type === 'line' && !this.#mayCount) || type === 'scatter';
    if (this.#x.options.length === 0 || (isMeasured && this.#y.value === '')) return undefined;
    const x = Number(this.#x.value);
    if (type === 'histogram') return { type, x };
    const chosen = this.#period.hidden
      ? undefined
      : timePeriods.find((period) => period === this.#period.value);
    const period = chosen === undefined ? {} : { period: chosen };
    if (this.#y.value === allColumns) return { type, x, measures: this.#pivot?.columns ?? [], ...period };
    const { y, combination = 'sum' } = this.#measure;
    const isCombined = type === 'bar' && combination !== 'sum';
    const keepsTimes = isCombined && chosen === undefined && y !== undefined && this.#usual(y) !== 'sum';
    return {
      ...{ type, x, ...period },
      ...(y === undefined ? {} : { y }),
      ...(isCombined ? { combination } : {}),
      ...(keepsTimes ? { keepsTimes } : {}),
      ...(this.#split.hidden || this.#split.value === '' ? {} : { split: Number(this.#split.value) }),
    };
  }

  get missingWords(): string {
    const type = this.#chosenType;
    return type === 'scatter'
      ? t('{0} needs two columns of numbers.', typeWords[type])
      : t('{0} needs a column of numbers or times.', typeWords[type]);
  }

  /** How bars combine the numbers of a column if nothing else is chosen: averages are not added up. */
  #usual(column: number): Combination {
    const isAverage = this.#groups?.isSum === false && column >= this.#groups.measure;
    return combinationByName(this.#columns[column]?.name ?? '') ?? (isAverage ? 'average' : 'sum');
  }

  /** The chosen column of numbers, if any. The value of its option is the index, alone if it is combined as usual. */
  get #measure(): { readonly y?: number; readonly combination?: Combination } {
    const [column = '', how] = this.#y.value.split(':');
    if (column === '' || column === allColumns) return {};
    const y = Number(column);
    return { y, combination: combinations.find((one) => one === how) ?? this.#usual(y) };
  }

  namesOf(
    { type, x, y, combination, split, measures, keepsTimes, period: chosen }: ChartSpec,
    { series = [], period }: ChartData,
  ): ChartNames {
    const measured = y === undefined ? undefined : this.#nameOf(y);
    const isOwn = this.#isOneGroupEach && (combination === undefined || period?.isMerged !== true);
    const isCombined = type === 'bar' && !isOwn;
    const count =
      measured === undefined ? t('Rows') : isCombined ? combinedWords(measured, combination) : measured;
    const splitName = split === undefined ? undefined : this.#nameOf(split);
    const by = measures === undefined ? splitName : shownText(this.#pivot?.name ?? '');
    const names = series.map((one) => this.#seriesName(one, by ?? ''));
    return {
      x: this.#nameOf(x),
      // The vertical name may be cut, the horizontal one hardly is.
      axis:
        period !== undefined && (period.isMerged || chosen !== undefined)
          ? `${this.#nameOf(x)} (${periodWords(period.unit)})`
          : undefined,
      y: this.#perPeriod(
        measures === undefined ? count : this.#measureOfPivot,
        keepsTimes === true ? undefined : period,
      ),
      split: by,
      series: names,
      legend: names.map((name) => wordsOfValueName(by ?? '', name)),
    };
  }

  /**
   * Selects another axis if almost every row has a value of its own, or a better measure if the bars count a single row
   * each. Returns whether it did.
   */
  improve(spec: ChartSpec, data: ChartData): boolean {
    const chooser = this.#chooser;
    if (chooser.kind !== 'values') return false;
    const { active, others } = chooser;
    if (active !== undefined && isCountOfRows(spec) && !isWorthBars(spec, data, active)) {
      const [next, ...left] = others;
      this.#chooser = { ...chooser, others: left, active: next === undefined ? undefined : active };
      if (next === undefined) {
        this.#type.value = active.type;
        this.#choose({ x: Number(active.x), y: active.y, split: '' });
      } else this.#choose({ x: next, y: '', split: '' });
      return true;
    }
    const better = isOneRowEach(spec, data) ? this.#measures({ withIds: false })[0] : undefined;
    if (better !== undefined) this.#y.value = better;
    return better !== undefined;
  }

  get #isMeasureChosen(): boolean {
    return this.#chooser.kind === 'user' && this.#chooser.isMeasure;
  }

  /** Whether each bar is one row, whose number is not a sum. */
  get #isOneGroupEach(): boolean {
    return this.#groups?.measure === 1;
  }

  get #chosenType(): ChartType {
    return chartTypes.find((one) => one === this.#type.value) ?? 'bar';
  }

  /** Stacks of averages would mean nothing. */
  get #isSplitByPivot(): boolean {
    const type = this.#chosenType;
    return this.#pivot !== undefined && (type === 'line' || (type === 'bar' && this.#pivot.isSum));
  }

  /** Groups of the rows already name their period, which the bars keep if they merge none. */
  #perPeriod(measure: string, period: ChartData['period']): string {
    if (period === undefined || (this.#groups !== undefined && !period.isMerged)) return measure;
    return perPeriodWords(measure, period.unit);
  }

  get #measureOfPivot(): string {
    const { name = '', description = name } = this.#columns.at(-1) ?? {};
    return shownText(description);
  }

  /** Offers the columns that the chart type can draw, keeping the current choice if possible. */
  #choose({
    x = Number(this.#x.value),
    y = this.#y.value,
    split = this.#split.value,
  }: {
    readonly x?: number;
    readonly y?: string;
    readonly split?: string;
  }): void {
    const type = this.#chosenType;
    this.#nameAxes(type);
    const all = this.#columns.map((column, index) => ({ ...column, index }));
    const ordered = all.filter(({ kind }) => kind === 'number' || kind === 'time');
    const across = type === 'bar' ? all : ordered;
    this.#x.replaceChildren(...across.map(({ index }) => optionOf(String(index), this.#nameOf(index))));
    if (across.some(({ index }) => index === x)) this.#x.value = String(x);
    else if (type === 'line')
      this.#x.value = String(across.find(({ kind }) => kind === 'time')?.index ?? across[0]?.index ?? '');
    this.#offerOthers({ y, split });
  }

  /** Offers what depends on the column of the horizontal axis. */
  #offerOthers({ y, split }: { readonly y: string; readonly split: string }): void {
    this.#offerMeasures(y);
    this.#offerSplits(split);
    this.#offerPeriods();
  }

  get #isOverTime(): boolean {
    return this.#columns[Number(this.#x.value)]?.kind === 'time';
  }

  /** A line needs a number for each row, or times whose rows it counts. */
  get #mayCount(): boolean {
    const type = this.#chosenType;
    return type === 'bar' || (type === 'line' && this.#isOverTime);
  }

  #offerMeasures(y: string): void {
    const type = this.#chosenType;
    const numbers = [...this.#columns.entries()].filter(([, { kind }]) => kind === 'number');
    this.#y.replaceChildren(
      ...(this.#isSplitByPivot ? [optionOf(allColumns, t('All columns'))] : []),
      ...(this.#mayCount ? [optionOf('', t('Number of rows'))] : []),
      ...numbers.map(([index]) => optionOf(String(index), this.#measureWords(type, index))),
      ...(type === 'bar' && !this.#isOneGroupEach
        ? this.#unusualMeasures(numbers.map(([index]) => index))
        : []),
    );
    this.#y.hidden = type === 'histogram';
    const values = [...this.#y.options].map(({ value }) => value);
    const kept = values.includes(y) ? y : (y.split(':')[0] ?? '');
    // Unlike bars, a line first shows the numbers themselves.
    const isKept = values.includes(kept) && (kept !== '' || type === 'bar' || this.#isMeasureChosen);
    if (isKept) this.#y.value = kept;
    else if (y === allColumns && type !== 'histogram') this.#y.value = String(this.#columns.length - 1);
    else {
      const other = this.#measures({ withIds: !this.#mayCount }).at(0);
      if (type !== 'bar' && other !== undefined) this.#y.value = other;
    }
  }

  /** Bars on a time axis have a period, and a line that counts rows. */
  #offerPeriods(): void {
    const isPerPeriod = this.#chosenType === 'bar' || (this.#mayCount && this.#y.value === '');
    this.#period.hidden = !this.#isOverTime || !isPerPeriod;
  }

  #offerSplits(split: string): void {
    const type = this.#chosenType;
    const others = this.#columns.map((_, index) => String(index)).filter((index) => index !== this.#x.value);
    this.#split.replaceChildren(
      optionOf('', t('Not split')),
      ...others.map((index) => optionOf(index, this.#nameOf(Number(index)))),
    );
    if (others.includes(split)) this.#split.value = split;
    // Stacks of averages would mean nothing.
    const isStackable = type === 'bar' && (this.#measure.combination ?? 'sum') === 'sum';
    this.#split.hidden = (!isStackable && type !== 'line') || this.#y.value === allColumns;
  }

  /** Returns the options for the vertical axis; those that are numeric IDs, which measure nothing, come last. */
  #measures({ withIds = true } = {}): readonly string[] {
    const values = [...this.#y.options].map(({ value }) => value);
    const others = values.filter((value) => !/^$|:/.test(value) && value !== this.#x.value);
    const isId = (value: string) => isIdName(this.#columns[Number(value)]?.name ?? '');
    return [...others.filter((value) => !isId(value)), ...(withIds ? others.filter(isId) : [])];
  }

  #nameOf(column: number): string {
    return shownText(this.#columns[column]?.name ?? '');
  }

  #measureWords(type: ChartType, column: number): string {
    const name = this.#nameOf(column);
    return type === 'bar' && !this.#isOneGroupEach ? combinedWords(name, this.#usual(column)) : name;
  }

  /** Returns the other ways to combine the numbers of each column. IDs have none. */
  #unusualMeasures(columns: readonly number[]): readonly HTMLOptionElement[] {
    return columns
      .filter((column) => !isIdName(this.#columns[column]?.name ?? ''))
      .flatMap((column) =>
        combinations
          .filter((how) => how !== this.#usual(column))
          .map((how) => optionOf(`${column}:${how}`, combinedWords(this.#nameOf(column), how))),
      );
  }

  /** @param by the column that splits the chart. */
  #seriesName(series: ChartSeries, by: string): string {
    switch (series.kind) {
      case 'value':
        return valueName(by, series.value, categoryLabel(series.value));
      case 'column':
        return this.#nameOf(series.column);
      case 'others':
        return t('Other');
      default:
        return series satisfies never;
    }
  }
}

function combinedWords(name: string, how: Combination = 'sum'): string {
  return {
    sum: t('Sum of {0}', name),
    average: t('Average of {0}', name),
    least: t('Minimum of {0}', name),
    greatest: t('Maximum of {0}', name),
  }[how];
}

function periodWords(unit: TimePeriod): string {
  return {
    ...{ second: t('second'), minute: t('minute'), hour: t('hour'), day: t('day') },
    ...{ week: t('week'), month: t('month'), year: t('year') },
  }[unit];
}

function perPeriodWords(measure: string, unit: TimePeriod): string {
  return {
    second: t('{0} per second', measure),
    minute: t('{0} per minute', measure),
    hour: t('{0} per hour', measure),
    day: t('{0} per day', measure),
    week: t('{0} per week', measure),
    month: t('{0} per month', measure),
    year: t('{0} per year', measure),
  }[unit];
}

/** @param words hidden from screen readers, for which the choice itself has a name that may be longer. */
function choiceName(words = ''): HTMLElement {
  return element('span', { class: 'chart-choice-name', aria: { hidden: 'true' } }, words);
}

/** Whether the bars count rows, which is the default. */
function isCountOfRows({ type, y, measures, split }: ChartSpec): boolean {
  return type === 'bar' && y === undefined && measures === undefined && split === undefined;
}

/** Whether bars of a column group rows; those of a column that is not the active one must also all be drawn. */
function isWorthBars({ x }: ChartSpec, { points, others, rows }: ChartData, active: ActiveAxis): boolean {
  if (active.x !== String(x)) return others === undefined && points.length > 1 && points.length * 2 <= rows;
  return others === undefined || (points.length + others.count) * 2 <= rows;
}

/** Whether each bar counts a single row, as in rows that the query has grouped. */
function isOneRowEach({ type, y, measures }: ChartSpec, { points, others }: ChartData): boolean {
  return (
    type === 'bar' &&
    y === undefined &&
    measures === undefined &&
    points.length > 0 &&
    points.every((point) => point.y === 1) &&
    (others === undefined || others.sum === others.count)
  );
}
