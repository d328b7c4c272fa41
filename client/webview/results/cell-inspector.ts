/** The whole value of the cell the keyboard is on: JSON spread out, texts with their line breaks. */
import type { CellValue } from '../../src/features/results/data/rows.ts';
import type { ShownColumn } from '../../src/features/results/messages.ts';
import { element, iconButton } from './dom.ts';
import { count } from './format.ts';
import { localTime } from './local-time.ts';
import { spreadJson } from './spread-json.ts';

export interface Inspected {
  readonly column: ShownColumn;
  readonly row: number;
  readonly place: number;
  readonly value: CellValue;
}

export class CellInspector {
  readonly element: HTMLElement;
  readonly #title = element('h2', { class: 'inspector-title' });
  readonly #facts = element('p', { class: 'inspector-facts' });
  readonly #value = element('pre', { class: 'inspector-value', tabIndex: 0, aria: { label: 'Value' } });
  #copied = '';
  #at: { readonly row: number; readonly place: number } | undefined;

  constructor(on: { readonly close: () => void; readonly copy: (text: string) => void }) {
    this.element = element(
      'aside',
      {
        class: 'inspector',
        aria: { label: 'Cell' },
        on: {
          keydown: (event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            on.close();
          },
        },
      },
      element(
        'div',
        { class: 'inspector-head' },
        this.#title,
        iconButton('copy', 'Copy the value', () => on.copy(this.#copied)),
        iconButton('close', 'Close', on.close),
      ),
      this.#facts,
      this.#value,
    );
  }

  isFor({ row, place }: { readonly row: number; readonly place: number }): boolean {
    return this.#at?.row === row && this.#at.place === place;
  }

  show({ column, row, place, value }: Inspected): void {
    this.#at = { row, place };
    this.#title.textContent = column.name;
    const { text } = value;
    const facts = [column.type, `row ${(row + 1).toLocaleString('en-US')}`];
    if (text !== null) facts.push(count([...text].length, 'character'));
    const local = column.kind === 'time' && text !== null ? localTime(text) : undefined;
    if (local !== undefined) facts.push(`here ${local}`);
    this.#facts.textContent = facts.filter((fact) => fact !== '' && fact !== 'unknown').join(' · ');
    this.#copied = text ?? '';
    this.#value.classList.toggle('null', text === null);
    this.#value.textContent =
      text === null ? 'NULL' : text === '' ? '' : value.isJson ? spreadJson(text) : text;
    this.#value.dataset['empty'] = String(text === '');
  }
}
