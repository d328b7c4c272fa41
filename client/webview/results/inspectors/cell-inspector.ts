/** The whole value of the active cell: formatted JSON, strings with their line breaks. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { isSingular } from '#panel-protocol/panel-texts.ts';
import type { CellValue } from '#panel-protocol/rows.ts';
import { element } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { isGlobalId } from '../ui/global-ids.ts';
import { language, t } from '../ui/l10n.ts';
import { localTime } from '../ui/local-time.ts';
import { shownText } from '../ui/shown-text.ts';
import { typeWord } from '../ui/type-word.ts';
import type { IdLinks } from './id-links.ts';
import { inspectorFrame, inspectorTitle, spreadValue, type InspectorEvents } from './inspector.ts';
import { spreadJson } from './spread-json.ts';

export interface Inspected {
  readonly column: ShownColumn;
  readonly row: number;
  readonly place: number;
  readonly value: CellValue;
}

export class CellInspector {
  readonly element: HTMLElement;
  readonly #title = inspectorTitle();
  readonly #facts = element('p', { class: 'inspector-facts' });
  readonly #value = element('pre', { class: 'inspector-value', tabIndex: 0, aria: { label: t('Value') } });
  readonly #links: IdLinks;
  #copied = '';
  #at: { readonly row: number; readonly place: number } | undefined;

  constructor(on: InspectorEvents, links: IdLinks) {
    this.#links = links;
    this.element = inspectorFrame(
      { label: t('Cell'), title: this.#title, copyLabel: t('Copy the value'), copied: () => this.#copied },
      on,
      this.#facts,
      this.#value,
    );
  }

  isFor({ row, place }: { readonly row: number; readonly place: number }): boolean {
    return this.#at?.row === row && this.#at.place === place;
  }

  show({ column, row, place, value }: Inspected): void {
    this.#at = { row, place };
    this.#title.textContent = shownText(column.name);
    const { text } = value;
    const facts = [typeWord(column.type), t('row {0}', number(row + 1))];
    if (text !== null) facts.push(lengthWords([...text].length));
    const local = column.kind === 'time' && text !== null ? localTime(text) : undefined;
    if (local !== undefined) facts.push(t('local time {0}', local));
    const drawFacts = () => {
      this.#facts.textContent = facts.filter((fact) => fact !== '' && fact !== 'unknown').join(' · ');
    };
    drawFacts();
    this.#copied = text ?? '';
    const { before } = value;
    if (before !== undefined) {
      const whole = (one: string | null) =>
        one === null ? 'NULL' : one === '' ? t('(empty)') : value.isJson ? spreadJson(one) : one;
      this.#value.classList.remove('null');
      this.#value.dataset['empty'] = 'false';
      this.#value.replaceChildren(
        element('span', { class: 'inspector-side' }, t('Before')),
        element('del', {}, whole(before)),
        element('span', { class: 'inspector-side' }, t('After')),
        element('ins', {}, whole(text)),
      );
      return;
    }
    this.#value.classList.toggle('null', text === null);
    this.#value.replaceChildren(
      ...(text === null ? ['NULL'] : this.#links.nodesOf(text, column, spreadValue(value))),
    );
    this.#value.dataset['empty'] = String(text === '');
    if (text === null || !isGlobalId(text, column)) return;
    void this.#links.describe(text).then((words) => {
      if (words === undefined || !this.isFor({ row, place }) || this.#copied !== text) return;
      facts.unshift(words);
      drawFacts();
    });
  }
}

function lengthWords(characters: number): string {
  return t(isSingular(characters, language) ? '{0} character' : '{0} characters', number(characters));
}
