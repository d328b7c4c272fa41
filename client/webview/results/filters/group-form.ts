/** A form for grouping rows: the columns to group by, a column to pivot by, and the measure. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import {
  measureKinds,
  timeUnits,
  type GroupColumn,
  type GroupSpec,
  type MeasureKind,
} from '#panel-protocol/rows.ts';
import { element, optionOf } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { openPopup } from '../ui/popup.ts';
import { shownText } from '../ui/shown-text.ts';
import { labelFor, submitButton } from './filter-form.ts';

const measureLabels: Readonly<Record<MeasureKind, string>> = {
  count: t('Number of rows'),
  sum: t('Sum'),
  average: t('Average'),
  least: t('Minimum'),
  greatest: t('Maximum'),
  distinct: t('Different values'),
};
const unitLabels: Readonly<Record<(typeof timeUnits)[number], string>> = {
  hour: t('by hour'),
  day: t('by day'),
  month: t('by month'),
  year: t('by year'),
};

export interface GroupFormOptions {
  readonly columns: readonly ShownColumn[];
  /** Columns in display order. */
  readonly order: readonly number[];
  /** The focused column. */
  readonly column: number;
  readonly at: DOMRect;
  readonly group: (spec: GroupSpec) => void;
}

export function openGroupForm(options: GroupFormOptions): void {
  const choices = new ColumnChoices(options);
  const first = new GroupField('group-by', t('Group by'), choices.all(), choices);
  const second = new GroupField('group-then', t('Then by'), choices.all(t('(nothing)')), choices);
  const across = new GroupField('group-across', t('Pivot by'), choices.all(t('(nothing)')), choices);
  const measure = new MeasureField(choices);
  first.choose(options.column);
  const form = element(
    'form',
    { class: 'filter-form group-form' },
    element('h2', { id: 'group-title' }, t('Group Rows')),
    first.element,
    second.element,
    across.element,
    measure.element,
    element(
      'p',
      { class: 'form-hint' },
      t('Groups the rows that match the filters, and opens the groups as a result.'),
    ),
    element('div', { class: 'buttons' }, submitButton(t('Group'))),
  );
  const nameChoices = () => {
    for (const select of form.querySelectorAll('select'))
      select.title = select.selectedOptions[0]?.label ?? '';
  };
  // A name that does not fit is whole in the tooltip.
  form.addEventListener('change', nameChoices);
  nameChoices();
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const acrossColumn = across.value;
    popup.close();
    options.group({
      by: [first.value, second.value].filter((column) => column !== undefined),
      ...(acrossColumn === undefined ? {} : { across: acrossColumn }),
      measure: measure.value,
    });
  });
  const dialog = element(
    'div',
    { class: 'dialog', role: 'dialog', aria: { labelledby: 'group-title' } },
    form,
  );
  const popup = openPopup(dialog, { at: options.at, opened: () => first.focus() });
}

/** The columns as options of a select, in display order. */
class ColumnChoices {
  readonly #columns: readonly ShownColumn[];
  readonly #order: readonly number[];
  readonly #numbers: readonly number[];

  constructor({ columns, order }: GroupFormOptions) {
    this.#columns = columns;
    this.#order = order;
    this.#numbers = order.filter((index) => columns[index]?.kind === 'number');
  }

  get hasNumbers(): boolean {
    return this.#numbers.length > 0;
  }

  isTime(value: string): boolean {
    return value !== '' && this.#columns[Number(value)]?.kind === 'time';
  }

  /** @param none label of the "no column" option. */
  all(none?: string): readonly HTMLOptionElement[] {
    return [...(none === undefined ? [] : [optionOf('', none)]), ...this.#options(this.#order)];
  }

  /** Returns the columns that a measure can use. */
  measured(kind: MeasureKind): readonly HTMLOptionElement[] {
    return this.#options(kind === 'sum' || kind === 'average' ? this.#numbers : this.#order);
  }

  #options(indexes: readonly number[]): HTMLOptionElement[] {
    return indexes.map((index) => optionOf(String(index), shownText(this.#columns[index]?.name ?? '')));
  }
}

/** A column to group by and, for times, the unit. */
class GroupField {
  readonly element: HTMLElement;
  readonly #choices: ColumnChoices;
  readonly #select: HTMLSelectElement;
  readonly #unit: HTMLSelectElement;

  constructor(id: string, label: string, options: readonly HTMLOptionElement[], choices: ColumnChoices) {
    this.#choices = choices;
    this.#select = element('select', { id }, ...options);
    this.#unit = element(
      'select',
      { aria: { label: t('{0}: part of the time', label) }, hidden: true },
      optionOf('', t('whole value')),
      ...timeUnits.map((one) => optionOf(one, unitLabels[one])),
    );
    this.element = element('div', { class: 'group-line' }, labelFor(id, label), this.#select, this.#unit);
    this.#select.addEventListener('change', () => this.#draw());
    this.#draw();
  }

  choose(column: number): void {
    this.#select.value = String(column);
    this.#draw();
  }

  get value(): GroupColumn | undefined {
    if (this.#select.value === '') return undefined;
    const unit = timeUnits.find((one) => !this.#unit.hidden && one === this.#unit.value);
    return { column: Number(this.#select.value), ...(unit === undefined ? {} : { unit }) };
  }

  focus(): void {
    this.#select.focus();
  }

  #draw(): void {
    const isTime = this.#choices.isTime(this.#select.value);
    // Almost every row has its own time, so groups start with months.
    if (isTime && this.#unit.hidden) this.#unit.value = 'month';
    this.#unit.hidden = !isTime;
  }
}

/** The measure shown for each group. */
class MeasureField {
  readonly element: HTMLElement;
  readonly #choices: ColumnChoices;
  readonly #kind = element(
    'select',
    { id: 'group-measure' },
    ...measureKinds.map((kind) => optionOf(kind, measureLabels[kind])),
  );
  readonly #column = element('select', { aria: { label: t('Of column') } });

  constructor(choices: ColumnChoices) {
    this.#choices = choices;
    this.element = element(
      'div',
      { class: 'group-line' },
      labelFor('group-measure', t('Show')),
      this.#kind,
      this.#column,
    );
    this.#kind.addEventListener('change', () => this.#draw());
    if (!choices.hasNumbers)
      for (const option of this.#kind.options)
        option.disabled = option.value === 'sum' || option.value === 'average';
    this.#draw();
  }

  get value(): GroupSpec['measure'] {
    const kind = measureOf(this.#kind.value);
    return { kind, ...(kind === 'count' ? {} : { column: Number(this.#column.value) }) };
  }

  #draw(): void {
    const kind = measureOf(this.#kind.value);
    this.#column.hidden = kind === 'count';
    const before = this.#column.value;
    const offered = this.#choices.measured(kind);
    this.#column.replaceChildren(...offered);
    if (offered.some(({ value }) => value === before)) this.#column.value = before;
  }
}

function measureOf(value: string): MeasureKind {
  return measureKinds.find((kind) => kind === value) ?? 'count';
}
