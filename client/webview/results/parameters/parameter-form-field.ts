/** One parameter of the form: a control for its type, checkboxes for NULL and empty, its meaning, and its problem. */
import { isSingular } from '#panel-protocol/panel-texts.ts';
import {
  isoDate,
  isoLocalTime,
  relativeMoment,
  listItem,
  splitList,
  type EnteredValue,
  type ParameterField,
} from '#panel-protocol/parameters.ts';
import { element, iconButton, optionOf } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { language, t } from '../ui/l10n.ts';
import { openPopup } from '../ui/popup.ts';
import { Calendar, dayOf } from './parameter-form-calendar.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Values in lists longer than this are not recounted on every keystroke. */
const countedCharsMax = 200_000;

export class FieldView {
  readonly element: HTMLElement;
  readonly #field: ParameterField;
  readonly #id: string;
  readonly #control: Control;
  readonly #isNull: HTMLInputElement;
  readonly #isEmpty: HTMLInputElement | undefined;
  readonly #meaning: HTMLElement;
  readonly #choices: HTMLElement;
  readonly #changed: () => void;
  #problem: string | undefined;
  #shownProblem: HTMLElement | undefined;

  constructor(field: ParameterField, index: number, changed: () => void) {
    this.#field = field;
    this.#id = `parameter-${index}`;
    this.#changed = changed;
    this.#control = makeControl(field, this.#id);
    this.#isNull = checkbox(`${this.#id}-null`, t('{0} is NULL', field.name), field.isNull);
    this.#isEmpty = field.mayBeEmpty
      ? checkbox(`${this.#id}-empty`, t('{0} is {1}', field.name, emptyWords(field)), field.isEmpty)
      : undefined;
    this.#meaning = element('p', { class: 'field-meaning', id: `${this.#id}-meaning` });
    this.#choices = element('div', {
      class: 'choices',
      role: 'group',
      aria: { label: t('Known values of {0}', field.name) },
    });
    this.#choices.hidden = true;
    this.#problem = field.problem;
    this.element = this.#draw();
    this.#drawProblem();
    this.#control.addEventListener('input', () => this.#update());
    this.#control.addEventListener('change', () => this.#update());
    for (const tick of [this.#isNull, this.#isEmpty]) {
      tick?.addEventListener('change', () => {
        // At most one of the two boxes can be checked.
        for (const other of [this.#isNull, this.#isEmpty]) if (other && other !== tick) other.checked = false;
        this.#update();
        if (!tick.checked) this.#control.focus();
      });
    }
    this.#update({ isSilent: true });
  }

  get value(): EnteredValue {
    return {
      name: this.#field.name,
      text: this.#control.value,
      isNull: this.#isNull.checked,
      isEmpty: this.#isEmpty?.checked ?? false,
    };
  }

  get isWrong(): boolean {
    return this.#problem !== undefined;
  }

  /** Shows the problem that the host found, unless the value has changed since, and the values that it offers now. */
  check({ text, isNull, isEmpty, problem, choices }: ParameterField): void {
    this.#drawChoices(choices);
    const now = this.value;
    const isCurrent = text === now.text && isNull === now.isNull && isEmpty === now.isEmpty;
    if (!isCurrent || problem === this.#problem) return;
    this.#problem = problem;
    this.#drawProblem();
  }

  focus(): void {
    if (this.#control.disabled) {
      (this.#isNull.checked ? this.#isNull : this.#isEmpty)?.focus();
      return;
    }
    // Focused a second time by the editor, it may hold text that was typed since: the next letter must not replace it.
    if (document.activeElement === this.#control) return;
    this.#control.focus();
    // Enter would replace a selected list with an empty line.
    if (this.#control instanceof HTMLTextAreaElement)
      this.#control.setSelectionRange(this.#control.value.length, this.#control.value.length);
    else if (this.#control instanceof HTMLInputElement) this.#control.select();
  }

  #set(text: string): void {
    this.#isNull.checked = false;
    if (this.#isEmpty) this.#isEmpty.checked = false;
    this.#control.value = text;
    this.#update();
    this.#control.focus();
  }

  #update({ isSilent } = { isSilent: false }): void {
    this.#control.disabled = this.#isNull.checked || this.#isEmpty?.checked === true;
    this.#meaning.textContent = this.#control.disabled ? '' : meaningOf(this.#field, this.#control.value);
    this.#meaning.title = this.#meaning.textContent;
    if (!isSilent) this.#changed();
  }

  #draw(): HTMLElement {
    const field = this.#field;
    const id = this.#id;
    const label = element(
      'label',
      { title: field.name },
      element('span', { class: 'field-name' }, field.name),
    );
    label.htmlFor = id;
    // A truth value is always chosen.
    const isRequired = field.defaultText === undefined && field.control !== 'boolean';
    if (isRequired) this.#control.setAttribute('aria-required', 'true');
    const notes: HTMLElement[] = [];
    if (field.description !== undefined)
      notes.push(element('p', { class: 'field-description', id: `${id}-description` }, field.description));
    // The placeholder is gone once there is text.
    if (field.control === 'list')
      notes.push(element('p', { class: 'only-read', id: `${id}-rules` }, listRules()));
    const hasPicker = field.control === 'date' || field.control === 'timestamp';
    return element(
      'div',
      { class: 'field', data: { parameter: field.name } },
      element(
        'div',
        { class: 'field-head' },
        label,
        element('span', { class: 'field-type', id: `${id}-type`, title: typeWords(field) }, typeWords(field)),
        isRequired && element('span', { class: 'field-required' }, t('required')),
        field.defaultText !== undefined &&
          element('span', { class: 'field-required field-default' }, t('default {0}', field.defaultText)),
      ),
      ...notes,
      element(
        'div',
        { class: 'field-line' },
        this.#control,
        hasPicker && this.#pickerButton(),
        ...tick(this.#isNull, 'NULL'),
        ...(this.#isEmpty === undefined ? [] : tick(this.#isEmpty, emptyWords(field))),
      ),
      this.#meaning,
      ...this.#offers(),
    );
  }

  #drawProblem(): void {
    const id = this.#id;
    const { description, control } = this.#field;
    const problem = this.#problem;
    this.#shownProblem?.remove();
    this.#shownProblem = undefined;
    if (problem === undefined) this.#control.removeAttribute('aria-invalid');
    else {
      this.#control.setAttribute('aria-invalid', 'true');
      this.#shownProblem = element(
        'p',
        { class: 'field-problem', id: `${id}-problem`, role: 'alert' },
        problem,
      );
      this.#meaning.before(this.#shownProblem);
    }
    const described = [
      ...(problem === undefined ? [] : [`${id}-problem`]),
      ...(description === undefined ? [] : [`${id}-description`]),
      ...(control === 'list' ? [`${id}-rules`] : []),
      ...[`${id}-type`, `${id}-meaning`],
    ];
    this.#control.setAttribute('aria-describedby', described.join(' '));
  }

  /** Returns suggested values: known ones as buttons, recent ones in a drop-down. */
  #offers(): HTMLElement[] {
    const field = this.#field;
    this.#drawChoices(field.choices);
    const offers: HTMLElement[] = [this.#choices];
    if (field.control === 'list' && field.recent.length > 0) {
      const select = element('select', {
        class: 'recent',
        aria: { label: t('Recent values of {0}', field.name) },
      });
      const first = optionOf('', t('Recent values...'));
      select.append(first);
      for (const [index, value] of field.recent.entries()) {
        const option = element(
          'option',
          {},
          splitList(value)
            .map((item) => item ?? 'NULL')
            .join(', ')
            .slice(0, 80),
        );
        option.value = String(index);
        select.append(option);
      }
      select.addEventListener('change', () => {
        const value = field.recent[Number(select.value)];
        if (select.value !== '' && value !== undefined) this.#set(value);
        select.value = '';
      });
      offers.push(select);
    }
    return offers;
  }

  /** Shows known values as buttons. They are drawn again only if they are others: one may have the focus. */
  #drawChoices(choices: readonly string[]): void {
    const drawn = [...this.#choices.children].map(({ textContent }) => textContent);
    const isSame = drawn.length === choices.length && drawn.every((text, at) => text === choices[at]);
    if (isSame || this.#control instanceof HTMLSelectElement) return;
    const buttons = choices.map((choice) => {
      const made = element('button', { class: 'choice' }, choice);
      made.type = 'button';
      made.addEventListener('click', () => this.#choose(choice));
      return made;
    });
    this.#choices.replaceChildren(...buttons);
    this.#choices.hidden = buttons.length === 0;
  }

  #choose(choice: string): void {
    if (this.#field.control !== 'list') {
      this.#set(choice);
      return;
    }
    const before = this.#control.value.trimEnd();
    const quoted = listItem(choice);
    const items = splitList(before);
    if (!items.includes(choice)) this.#set(before === '' ? quoted : `${before}\n${quoted}`);
  }

  #pickerButton(): HTMLElement {
    const field = this.#field;
    const made = iconButton('calendar', t('Choose a value for {0}', field.name), () => {
      const hasTime = field.control === 'timestamp';
      const calendar = new Calendar({
        name: field.name,
        hasTime,
        current: dayOf(this.#control.value),
        pick: (text) => {
          popup.close();
          const time = /^\d{4}-\d\d-\d\d[ T](.+)$/.exec(this.#control.value)?.[1];
          const isDay = /^\d/.test(text);
          this.#set(hasTime && isDay && time !== undefined ? `${text} ${time}` : text);
        },
      });
      made.setAttribute('aria-expanded', 'true');
      const popup = openPopup(calendar.element, {
        at: made.getBoundingClientRect(),
        opened: () => calendar.focus(),
        closed: () => made.setAttribute('aria-expanded', 'false'),
      });
    });
    made.setAttribute('aria-haspopup', 'dialog');
    made.setAttribute('aria-expanded', 'false');
    return made;
  }
}

function checkbox(id: string, label: string, isChecked: boolean): HTMLInputElement {
  const made = element('input', { id, aria: { label } });
  made.type = 'checkbox';
  made.checked = isChecked;
  return made;
}

function tick(box: HTMLInputElement, words: string): HTMLElement[] {
  const label = element('label', { class: 'field-tick' }, words);
  label.htmlFor = box.id;
  return [box, label];
}

function emptyWords(field: ParameterField): string {
  return field.control === 'list' ? t('Empty list') : t('Empty text');
}

function typeWords(field: ParameterField): string {
  const type = field.isSecret ? t('secret, not kept') : field.type;
  return field.typeFrom === 'compared' ? t('{0} as {1}', type, field.comparedWith ?? '') : type;
}

const listRules = (): string => t('One per line (Enter) or separated by commas; Ctrl+Enter runs');

/** Explains a value whose meaning is not obvious. */
function meaningOf(field: ParameterField, text: string): string {
  if (text.trim() === '')
    return field.defaultText === undefined ? '' : t('Left empty: {0}', field.defaultText);
  if (field.control === 'list') {
    if (text.length > countedCharsMax) return '';
    const count = splitList(text).length;
    return t(isSingular(count, language) ? '{0} value' : '{0} values', number(count));
  }
  if (field.control !== 'date' && field.control !== 'timestamp') return '';
  const moment = relativeMoment(text, new Date());
  if (moment === undefined) return '';
  return `= ${field.control === 'date' ? isoDate(moment) : isoLocalTime(moment).slice(0, 16)}`;
}

function makeControl(field: ParameterField, id: string): Control {
  if (field.control === 'boolean' || (field.isClosed && field.control === 'text')) {
    const select = element('select', { id });
    const values = field.control === 'boolean' ? ['true', 'false'] : ['', ...field.choices];
    select.append(...values.map((value) => optionOf(value, value === '' ? t('Choose...') : value)));
    const isFalse = /^(?:false|f|no|n|off|0)$/i.test(field.text.trim());
    select.value = field.control === 'boolean' ? String(!isFalse) : field.text;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    return select;
  }
  if (field.control === 'list') {
    const area = element('textarea', { id });
    area.rows = Math.max(3, Math.min(8, field.text.split('\n').length));
    area.value = field.text;
    area.placeholder = listRules();
    area.title = listRules();
    area.spellcheck = false;
    return area;
  }
  const input = element('input', { id });
  input.type = field.isSecret ? 'password' : 'text';
  input.value = field.text;
  input.spellcheck = false;
  input.autocomplete = 'off';
  if (field.control === 'number') input.inputMode = 'decimal';
  if (field.control === 'date') input.placeholder = t('2026-01-31 or today - 30 days');
  if (field.control === 'timestamp') input.placeholder = t('2026-01-31 08:00 or now - 2 hours');
  if (field.recent.length > 0) {
    const list = element('datalist', { id: `${id}-recent` });
    for (const value of field.recent) {
      const option = element('option');
      option.value = value;
      list.append(option);
    }
    input.setAttribute('list', list.id);
    input.append(list);
  }
  return input;
}
