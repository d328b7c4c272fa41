/** One row from top to bottom, with column descriptions; up to five rows side by side, with differences marked. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { CellValue } from '#panel-protocol/rows.ts';
import { changeWords } from '../comparison/change-labels.ts';
import { element } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { localTime } from '../ui/local-time.ts';
import { shownText } from '../ui/shown-text.ts';
import { typeWord } from '../ui/type-word.ts';
import type { IdLinks } from './id-links.ts';
import { inspectorFrame, inspectorTitle, spreadValue, type InspectorEvents } from './inspector.ts';

export interface ShownRecord {
  readonly row: number;
  readonly values: readonly CellValue[];
  /** Shown in place of the row number. */
  readonly label?: string;
  /** Label of the row in copied text; the same in every language. */
  readonly key?: string;
  /** Whether the row is missing on this side of a comparison. */
  readonly isAbsent?: boolean;
}

export class RecordInspector {
  readonly element: HTMLElement;
  readonly #title = inspectorTitle();
  readonly #onlyDifferent = element('button', {
    class: 'button link',
    aria: { pressed: 'false' },
    hidden: true,
  });
  readonly #place = element('div', {
    class: 'record-place',
    tabIndex: 0,
    role: 'region',
    aria: { label: t('Row') },
  });
  readonly #links: IdLinks;
  #records: readonly ShownRecord[] = [];
  #columns: readonly ShownColumn[] = [];
  #order: readonly number[] = [];

  constructor(on: InspectorEvents, links: IdLinks) {
    this.#links = links;
    this.#onlyDifferent.type = 'button';
    this.#onlyDifferent.textContent = t('Only differences');
    this.#onlyDifferent.addEventListener('click', () => {
      const isOn = this.#onlyDifferent.getAttribute('aria-pressed') === 'true';
      this.#onlyDifferent.setAttribute('aria-pressed', String(!isOn));
      this.#draw();
    });
    this.element = inspectorFrame(
      {
        label: t('Row inspector'),
        class: 'record-inspector',
        title: this.#title,
        copyLabel: t('Copy as JSON'),
        copied: () => this.#json(),
        buttons: [this.#onlyDifferent],
      },
      on,
      this.#place,
    );
  }

  /** @param order columns in reading order: visible, then hidden ones. */
  show(records: readonly ShownRecord[], columns: readonly ShownColumn[], order: readonly number[]): void {
    this.#records = records;
    this.#columns = columns;
    this.#order = order;
    this.#draw();
  }

  #draw(): void {
    const records = this.#records;
    const isCompared = records.length > 1;
    const [first] = records;
    const change = first?.values[0]?.change;
    this.#title.textContent =
      first?.label !== undefined
        ? change === undefined
          ? rowWords(first.row)
          : t('Row {0}, {1}', number(first.row + 1), changeWords(change))
        : isCompared
          ? t('Rows {0}', records.map(({ row }) => number(row + 1)).join(', '))
          : rowWords(first?.row ?? 0);
    this.#onlyDifferent.hidden = !isCompared;
    const isOnly = isCompared && this.#onlyDifferent.getAttribute('aria-pressed') === 'true';
    const head = element('tr', {}, element('th', { class: 'record-column' }, t('Column')));
    for (const th of head.querySelectorAll('th')) th.scope = 'col';
    for (const { row, label } of records) {
      const cell = element('th', {}, label ?? (isCompared ? rowWords(row) : t('Value')));
      cell.scope = 'col';
      head.append(cell);
    }
    const rows = this.#order
      .map((column) => ({ column, isDifferent: isCompared && differs(records, column) }))
      .filter(({ isDifferent }) => !isOnly || isDifferent)
      .map(({ column, isDifferent }) => this.#row(column, isDifferent));
    this.#place.replaceChildren(
      element('table', { class: 'record' }, element('thead', {}, head), element('tbody', {}, ...rows)),
    );
  }

  #row(column: number, isDifferent: boolean): HTMLElement {
    const shown = this.#columns[column];
    const name = element(
      'th',
      { class: 'record-column' },
      element('span', { class: 'record-name' }, shown && shownText(shown.name)),
      shown?.type !== 'unknown' && element('span', { class: 'record-type' }, typeWord(shown?.type ?? '')),
      shown?.description !== undefined && element('span', { class: 'record-description' }, shown.description),
      isDifferent && element('span', { class: 'record-differs' }, t('differs')),
    );
    name.scope = 'row';
    return element(
      'tr',
      { class: isDifferent ? 'is-different' : '' },
      name,
      ...this.#records.map(({ values, isAbsent }) =>
        isAbsent === true
          ? element('td', { class: 'null' }, t('missing'))
          : valueCell(values[column], shown, this.#links),
      ),
    );
  }

  #json(): string {
    const objects = this.#records.map(({ values, isAbsent }) => {
      if (isAbsent === true) return 'null';
      const members = this.#order.map((column) => {
        const value = values[column];
        const text = value?.text ?? null;
        const written = text === null ? 'null' : value?.isJson === true ? text : JSON.stringify(text);
        return `  ${JSON.stringify(this.#columns[column]?.name ?? '')}: ${written}`;
      });
      return `{\n${members.join(',\n')}\n}`;
    });
    const keys = this.#records.map(({ key }) => key);
    if (keys[0] !== undefined)
      return `{\n${objects.map((object, index) => `${JSON.stringify(keys[index] ?? '')}: ${object}`).join(',\n')}\n}`;
    return objects.length === 1 ? (objects[0] ?? '') : `[\n${objects.join(',\n')}\n]`;
  }
}

function rowWords(row: number): string {
  return t('Row {0}', number(row + 1));
}

function differs(records: readonly ShownRecord[], column: number): boolean {
  // A row that exists on only one side differs as a whole, so marking each value adds nothing.
  if (records.some(({ isAbsent }) => isAbsent)) return false;
  const first = records[0]?.values[column]?.text;
  return records.some(({ values }) => values[column]?.text !== first);
}

function valueCell(
  value: CellValue | undefined,
  column: ShownColumn | undefined,
  links: IdLinks,
): HTMLElement {
  const text = value?.text ?? null;
  if (value === undefined || text === null) return element('td', { class: 'null' }, 'NULL');
  if (text === '') return element('td', { class: 'null' }, t('(empty)'));
  const local = column?.kind === 'time' ? localTime(text) : undefined;
  return element(
    'td',
    { data: { kind: column?.kind ?? 'text' }, ...(local === undefined ? {} : { title: local }) },
    ...links.nodesOf(text, column, spreadValue(value)),
  );
}
