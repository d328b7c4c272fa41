/**
 * Groups rows by the values of one or more columns, with one measure per group, optionally pivoted by another column.
 */
import { t } from '#base/texts.ts';
import { CommonCurrency, type Amounts, type MixedAmounts } from '../amounts.ts';
import { cellText } from '../chunk.ts';
import { DecimalSum, withoutTrailingZeros } from '../decimal-sum.ts';
import { orderOf, type TypeOrder } from '../order/type-order.ts';
import { cellTag } from '../packed-rows.ts';
import type { GroupAnswer, GroupColumn, GroupSpec, MeasureKind, StoreColumn } from '../rows.ts';
import type { ChartSource } from './chart-cells.ts';
import { valueName } from './value-name.ts';

/** Beyond these limits, the table would be unreadable. */
const columnsMax = 100;
const groupsMax = 200_000;
/** Rows processed between pauses. */
const rowsAtATime = 10_000;

export interface GroupSource extends ChartSource {
  readonly columns: readonly StoreColumn[];
}

type Key = string | null;

interface Group {
  readonly keys: readonly Key[];
  readonly total: Measure;
  readonly parts: Map<string, Measure>;
}

export async function groupRows(
  source: GroupSource,
  { by, across, measure }: GroupSpec,
  pause: () => Promise<void>,
): Promise<GroupAnswer> {
  const groups = new Map<string, Group>();
  const values = new Map<string, Key>();
  const measured = measure.column;
  const newMeasure = (): Measure =>
    createMeasure(
      measure.kind,
      orderAt(source, measured),
      measured === undefined ? undefined : source.amountsOf?.(measured),
    );
  const orders = by.map((column) => orderOfKeys(source, column));
  const acrossOrder = orderOfKeys(source, across);
  for (let row = 0; row < source.rowCount; row += 1) {
    const keys = by.map((column) => keyAt(source, row, column));
    const id = keys.map((key, place) => idOf(key, orders[place])).join('');
    let group = groups.get(id);
    if (group === undefined) {
      if (groups.size >= groupsMax) return { kind: 'too-many-groups', most: groupsMax };
      group = { keys, total: newMeasure(), parts: new Map() };
      groups.set(id, group);
    }
    const text = measured === undefined ? undefined : textAt(source, row, measured);
    group.total.add(text);
    if (across !== undefined) {
      const key = keyAt(source, row, across);
      const place = idOf(key, acrossOrder);
      if (!values.has(place)) values.set(place, key);
      if (values.size > columnsMax) return { kind: 'too-many-columns', most: columnsMax };
      let part = group.parts.get(place);
      if (part === undefined) group.parts.set(place, (part = newMeasure()));
      part.add(text);
    }
    if (row % rowsAtATime === rowsAtATime - 1) await pause();
  }
  const measures = [...groups.values()].flatMap(({ total, parts }) =>
    across === undefined ? [total] : [...parts.values()],
  );
  const mixed = measures.find((each) => each.mixed !== undefined)?.mixed;
  if (mixed !== undefined) return { kind: 'mixed-amounts', mixed };
  const places = [...values].sort(([, a], [, b]) => compareKeys(a, b, orderOfKeys(source, across)));
  const nothing = newMeasure().result;
  const rows = [...groups.values()]
    .sort((a, b) => compareGroups(a, b, by, source))
    .map(({ keys, total, parts }) => [
      ...keys,
      ...places.map(([place]) => parts.get(place)?.result ?? nothing),
      // Across currencies, there is no total.
      total.mixed !== undefined ? nothing : total.result,
    ]);
  return { kind: 'groups', columns: columnsOf(source, { by, across, measure }, places), rows };
}

function columnsOf(
  { columns }: GroupSource,
  { by, across, measure }: GroupSpec,
  places: readonly (readonly [string, Key])[],
): readonly StoreColumn[] {
  const measured = measure.column === undefined ? undefined : columns[measure.column];
  const type = typeOfMeasure(measure.kind, measured?.type);
  const name = measureWords(measure.kind, measured?.name ?? '');
  const pivot = across === undefined ? '' : groupColumnName(across, columns[across.column]?.name);
  return [
    ...by.map((one): StoreColumn => {
      const { name, type = 'text', description } = columns[one.column] ?? {};
      const { unit } = one;
      return unit === undefined
        ? { name: name ?? '', type, description }
        : { name: groupColumnName(one, name), type: unit === 'hour' ? 'timestamp' : 'date' };
    }),
    ...places.map(([, key]) => ({ name: valueName(pivot, key, keyWords(key)), type })),
    {
      name: across === undefined ? name : t('Total'),
      type,
      ...(across === undefined ? {} : { description: name }),
    },
  ];
}

/** Returns the name of a column that rows are grouped by, with the unit of its times. */
export function groupColumnName({ unit }: GroupColumn, name = ''): string {
  return unit === undefined ? name : `${name} (${unitWords(unit)})`;
}

function keyWords(key: Key): string {
  return key === null ? 'NULL' : key === '' ? t('(empty)') : key;
}

function unitWords(unit: NonNullable<GroupColumn['unit']>): string {
  return { hour: t('hour'), day: t('day'), month: t('month'), year: t('year') }[unit];
}

export function measureWords(kind: MeasureKind, column: string): string {
  return {
    count: t('Number of rows'),
    sum: t('Sum of {0}', column),
    average: t('Average of {0}', column),
    least: t('Minimum of {0}', column),
    greatest: t('Maximum of {0}', column),
    distinct: t('Different values of {0}', column),
  }[kind];
}

function typeOfMeasure(kind: MeasureKind, type = 'text'): string {
  if (kind === 'count' || kind === 'distinct') return 'int8';
  return kind === 'sum' || kind === 'average' ? 'numeric' : type;
}

/** Returns a map key for a group key. NULL forms its own group, distinct from every string. */
function idOf(key: Key, order: TypeOrder | undefined): string {
  if (key === null) return '-';
  const identity = order?.identityOf(key) ?? key;
  return `${identity.length}:${identity}`;
}

function keyAt(source: GroupSource, row: number, { column, unit }: GroupColumn): Key {
  const text = textAt(source, row, column);
  if (text === undefined) return null;
  if (unit !== undefined) return startOf(text, unit);
  return source.kindOf(column) === 'number' ? numberKey(text) : text;
}

/** Writes a number as short as possible, since its group may have 1.0 and 1. */
function numberKey(text: string): string {
  const plain = /^-?\d+\.\d+$/.test(text) ? withoutTrailingZeros(text) : text;
  return plain === '-0' ? '0' : plain;
}

/** Returns the start of the hour, day, month or year, in the time zone of the text. */
function startOf(text: string, unit: NonNullable<GroupColumn['unit']>): string {
  const match = /^(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d))?/.exec(text);
  if (match === null) return text;
  const [, year = '', month = '', day = '', hour = '00'] = match;
  const era = text.endsWith(' BC') ? ' BC' : '';
  switch (unit) {
    case 'hour':
      return `${year}-${month}-${day} ${hour}:00:00${era}`;
    case 'day':
      return `${year}-${month}-${day}${era}`;
    case 'month':
      return `${year}-${month}-01${era}`;
    case 'year':
      return `${year}-01-01${era}`;
    default:
      return unit satisfies never;
  }
}

function textAt(source: GroupSource, row: number, column: number): string | undefined {
  const { packed, row: at } = source.locate(row, column);
  return packed === undefined || packed.tags[at] === cellTag.null ? undefined : cellText(packed, at);
}

function orderAt(source: GroupSource, column: number | undefined): TypeOrder {
  if (column === undefined) return orderOf('text', 'text');
  return orderOf(source.columns[column]?.type ?? '', source.kindOf(column));
}

function orderOfKeys(source: GroupSource, of: GroupColumn | undefined): TypeOrder {
  return of?.unit === undefined ? orderAt(source, of?.column) : orderOf('timestamp', 'time');
}

/** Compares keys in ascending order, with NULL last. */
function compareKeys(a: Key, b: Key, order: TypeOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return order.compare(a, b);
}

function compareGroups(a: Group, b: Group, by: readonly GroupColumn[], source: GroupSource): number {
  for (const [place, column] of by.entries()) {
    const order = compareKeys(a.keys[place] ?? null, b.keys[place] ?? null, orderOfKeys(source, column));
    if (order !== 0) return order;
  }
  return 0;
}

interface Measure {
  /** Adds a cell. Undefined means NULL, which counts as a row but has no value. */
  add(text: string | undefined): void;
  /** The exact result, or null if there is no value. */
  readonly result: string | null;
  /** Set if there is none of amounts of money. */
  readonly mixed?: MixedAmounts | undefined;
}

function createMeasure(kind: MeasureKind, order: TypeOrder, amounts: Amounts | undefined): Measure {
  switch (kind) {
    case 'count':
      return new Count();
    case 'distinct':
      return new Distinct(order);
    case 'sum':
    case 'average':
      return new Sum(kind, amounts);
    case 'least':
      return new Extreme(order, -1);
    case 'greatest':
      return new Extreme(order, 1);
    default:
      return kind satisfies never;
  }
}

class Count implements Measure {
  #rows = 0;
  add(): void {
    this.#rows += 1;
  }
  get result(): string {
    return String(this.#rows);
  }
}

class Distinct implements Measure {
  readonly #values = new Set<string>();
  readonly #order: TypeOrder;
  constructor(order: TypeOrder) {
    this.#order = order;
  }
  add(text: string | undefined): void {
    if (text !== undefined) this.#values.add(this.#order.identityOf(text));
  }
  get result(): string {
    return String(this.#values.size);
  }
}

class Sum implements Measure {
  readonly #sum = new DecimalSum();
  readonly #kind: 'sum' | 'average';
  readonly #amounts: Amounts | undefined;
  readonly #currency = new CommonCurrency();
  constructor(kind: 'sum' | 'average', amounts: Amounts | undefined) {
    this.#kind = kind;
    this.#amounts = amounts;
  }
  add(text: string | undefined): void {
    if (text === undefined) return;
    const amount = this.#amounts?.read(text);
    const value = amount === undefined ? text : this.#currency.numberOf(amount);
    if (value !== undefined) this.#sum.addText(value);
  }
  get mixed(): MixedAmounts | undefined {
    return this.#currency.mixed;
  }
  get result(): string | null {
    if (this.#sum.count === 0) return null;
    return this.#kind === 'sum' ? this.#sum.sum : (this.#sum.average ?? null);
  }
}

class Extreme implements Measure {
  readonly #compare: (a: string, b: string) => number;
  readonly #sign: -1 | 1;
  #found: string | null = null;
  constructor({ compare }: TypeOrder, sign: -1 | 1) {
    this.#compare = compare;
    this.#sign = sign;
  }
  add(text: string | undefined): void {
    if (text === undefined) return;
    if (this.#found === null || this.#compare(text, this.#found) * this.#sign > 0) this.#found = text;
  }
  get result(): string | null {
    return this.#found;
  }
}
