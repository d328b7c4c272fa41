/** How rows are grouped: by which columns, pivoted by which one, and with which measures. */
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import {
  measureKinds,
  timeUnits,
  type GroupColumn,
  type GroupSpec,
  type MeasureKind,
} from '../../../../panel-protocol/rows.ts';
import { button, element } from '../ui/dom.ts';
import { labelFor } from './filter-form.ts';
import { openPopup } from '../ui/popup.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';

const measureLabels: Readonly<Record<MeasureKind, string>> = {
  count: t('Number of rows'),
  sum: t('Sum'),
  average: t('Average'),
  least: t('Least'),
  greatest: t('Greatest'),
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
  /** In the order they are shown. */
  readonly order: readonly number[];
  /** The one that the person is at. */
  readonly column: number;
  readonly at: DOMRect;
  readonly group: (spec: GroupSpec) => void;
}

export function openGroupForm({ columns, order, column, at, group }: GroupFormOptions): void {
  const kindOf = (index: number) => columns[index]?.kind;
  const numbers = order.filter((index) => kindOf(index) === 'number');
  const nameOf = (index: number) => shownText(columns[index]?.name ?? '');
  const optionsOf = (indexes: readonly number[], none?: string) => [
    ...(none === undefined ? [] : [optionOf('', none)]),
    ...indexes.map((index) => optionOf(String(index), nameOf(index))),
  ];
  const field = (id: string, label: string, options: readonly HTMLOptionElement[]) => {
    const select = element('select', { id }, ...options);
    const unit = element(
      'select',
      { aria: { label: t('{0}: part of the time', label) }, hidden: true },
      optionOf('', t('whole value')),
      ...timeUnits.map((one) => optionOf(one, unitLabels[one])),
    );
    const line = element('div', { class: 'group-line' }, labelFor(id, label), select, unit);
    const draw = () => {
      unit.hidden = select.value === '' || kindOf(Number(select.value)) !== 'time';
    };
    select.addEventListener('change', draw);
    return { select, unit, line, draw };
  };
  const first = field('group-by', t('Group by'), optionsOf(order));
  const second = field('group-then', t('Then by'), optionsOf(order, t('(nothing)')));
  const across = field('group-across', t('Pivot by'), optionsOf(order, t('(nothing)')));
  const measure = element(
    'select',
    { id: 'group-measure' },
    ...measureKinds.map((kind) => optionOf(kind, measureLabels[kind])),
  );
  const measured = element('select', { aria: { label: t('Of column') } });
  const drawMeasure = () => {
    const kind = measureOf(measure.value);
    measured.hidden = kind === 'count';
    const before = measured.value;
    const offered = kind === 'sum' || kind === 'average' ? numbers : order;
    measured.replaceChildren(...optionsOf(offered));
    if (offered.some((index) => String(index) === before)) measured.value = before;
  };
  measure.addEventListener('change', drawMeasure);
  if (numbers.length === 0)
    for (const option of measure.options)
      option.disabled = option.value === 'sum' || option.value === 'average';
  first.select.value = String(column);
  if (kindOf(column) === 'time') first.unit.value = 'month';
  for (const { draw } of [first, second, across]) draw();
  drawMeasure();

  const form = element(
    'form',
    { class: 'filter-form group-form' },
    element('h2', { id: 'group-title' }, t('Group Rows')),
    first.line,
    second.line,
    across.line,
    element('div', { class: 'group-line' }, labelFor('group-measure', t('Show')), measure, measured),
    element(
      'p',
      { class: 'form-hint' },
      t('Of the rows that meet the filters. The groups open as a result.'),
    ),
    element('div', { class: 'buttons' }, submitButton(t('Group'))),
  );
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) form.requestSubmit();
  });
  const columnOf = ({ select, unit }: ReturnType<typeof field>): readonly GroupColumn[] => {
    if (select.value === '') return [];
    const chosen = timeUnits.find((one) => !unit.hidden && one === unit.value);
    return [{ column: Number(select.value), ...(chosen === undefined ? {} : { unit: chosen }) }];
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const kind = measureOf(measure.value);
    const [acrossColumn] = columnOf(across);
    popup.close();
    group({
      by: [...columnOf(first), ...columnOf(second)],
      ...(acrossColumn === undefined ? {} : { across: acrossColumn }),
      measure: { kind, ...(kind === 'count' ? {} : { column: Number(measured.value) }) },
    });
  });
  const dialog = element(
    'div',
    { class: 'dialog', role: 'dialog', aria: { labelledby: 'group-title' } },
    form,
  );
  const popup = openPopup(dialog, { at, opened: () => first.select.focus() });
}

function measureOf(value: string): MeasureKind {
  return measureKinds.find((kind) => kind === value) ?? 'count';
}

function optionOf(value: string, label: string): HTMLOptionElement {
  const option = element('option', {}, label);
  option.value = value;
  return option;
}

function submitButton(text: string): HTMLButtonElement {
  const made = button(text, () => undefined, { kind: 'primary' });
  made.type = 'submit';
  return made;
}
