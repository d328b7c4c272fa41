/** The filter for one column: a condition, or values to choose from with their counts. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { isSingular } from '#panel-protocol/panel-texts.ts';
import type { ColumnValues, CompareOperator, FilterRule, TextOperator } from '#panel-protocol/rows.ts';
import { button, element, optionOf } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { language, t } from '../ui/l10n.ts';
import { makeOneTabStop } from '../ui/one-tab-stop.ts';
import { openPopup, type Popup } from '../ui/popup.ts';
import { shownText } from '../ui/shown-text.ts';
import { comparisonProblem, compareOperators, textOperators, valueWords } from './filter-labels.ts';

export interface FilterFormOptions {
  readonly column: ShownColumn;
  readonly rule: FilterRule | undefined;
  readonly at: DOMRect;
  /** Undefined removes the filter. */
  readonly apply: (rule: FilterRule | undefined) => void;
  readonly closed: () => void;
}

type Condition =
  | `is:${'true' | 'false'}`
  | `text:${TextOperator}`
  | `compare:${CompareOperator}`
  | 'null'
  | 'not-null';

/** Maximum number of listed values; the search narrows the list. */
const valuesShown = 200;

export class FilterForm {
  readonly #options: FilterFormOptions;
  readonly #popup: Popup;
  readonly #condition = element('select', { aria: { label: t('Condition') } });
  readonly #text = element('input', { aria: { label: t('Value') } });
  readonly #matchCase = element('input', { id: 'filter-match-case' });
  readonly #problem = element('p', {
    class: 'field-problem',
    id: 'filter-problem',
    role: 'alert',
    hidden: true,
  });
  readonly #search = element('input', { aria: { label: t('Search values') } });
  readonly #list = element('div', { class: 'filter-values', role: 'group', aria: { label: t('Values') } });
  readonly #known = element('p', { class: 'form-hint', role: 'status' }, t('Counting values...'));
  readonly #stop = makeOneTabStop(
    this.#list,
    (box) => box.parentElement?.querySelector('.filter-value')?.textContent ?? '',
  );
  #values: ColumnValues | undefined;
  #chosen: Set<string | null>;

  constructor(options: FilterFormOptions) {
    this.#options = options;
    const { rule, column } = options;
    this.#chosen = new Set(rule?.kind === 'values' ? rule.values : []);
    this.#matchCase.type = 'checkbox';
    this.#text.type = 'text';
    this.#search.type = 'search';
    this.#search.placeholder = t('Search values');
    this.#fillCondition(rule);
    const head = element('h2', { id: 'filter-title' }, t('Filter {0}', shownText(column.name)));
    const form = element(
      'form',
      { class: 'filter-form has-values' },
      head,
      element(
        'div',
        { class: 'filter-condition' },
        element('div', { class: 'filter-line' }, this.#condition, this.#text),
        element(
          'div',
          { class: 'filter-case', hidden: this.#isBoolean },
          this.#matchCase,
          labelFor('filter-match-case', t('Match case')),
        ),
        this.#problem,
      ),
      element(
        'div',
        { class: 'filter-choices' },
        element('div', { class: 'filter-line', hidden: this.#isBoolean }, this.#search),
        this.#list,
        this.#known,
      ),
      element(
        'div',
        { class: 'buttons' },
        submitButton(t('Apply')),
        button(t('Clear'), () => this.#apply(undefined)),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#condition.addEventListener('change', () => {
      this.#drawCondition();
      if (this.#text.disabled) this.#clearChosen();
    });
    this.#condition.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') form.requestSubmit();
    });
    this.#text.addEventListener('input', () => this.#clearChosen());
    this.#search.addEventListener('input', () => this.#drawValues());
    this.#drawCondition();
    const dialog = element(
      'div',
      { class: 'dialog', role: 'dialog', aria: { labelledby: 'filter-title' } },
      form,
    );
    this.#popup = openPopup(dialog, {
      at: options.at,
      narrowest: 340,
      opened: () => (this.#text.disabled ? this.#condition : this.#text).focus(),
      closed: options.closed,
    });
  }

  show(values: ColumnValues): void {
    this.#values = values;
    this.#drawValues();
  }

  close(): void {
    this.#popup.close();
  }

  /** Whether the values true, false and NULL are all there is to choose. */
  get #isBoolean(): boolean {
    const { column, rule } = this.#options;
    return column.kind === 'boolean' && rule?.kind !== 'text' && rule?.kind !== 'compare';
  }

  #fillCondition(rule: FilterRule | undefined): void {
    const { column } = this.#options;
    const booleans = [
      ['is:true', t('is true')],
      ['is:false', t('is false')],
    ] as const;
    const texts = textOperators.map(([operator, label]) => [`text:${operator}`, label] as const);
    const compares = compareOperators(column).map(
      ([operator, label]) => [`compare:${operator}`, label] as const,
    );
    const isOrdered = column.kind === 'number' || column.kind === 'time';
    const nulls = [
      ['null', t('is NULL')],
      ['not-null', t('is not NULL')],
    ] as const;
    for (const [value, label] of [
      ...(column.kind === 'boolean' ? booleans : []),
      ...(this.#isBoolean ? [] : isOrdered ? [...compares, ...texts] : [...texts, ...compares]),
      ...nulls,
    ]) {
      this.#condition.append(optionOf(value, label));
    }
    if (rule === undefined) return;
    if (rule.kind === 'values') {
      const [value, ...others] = rule.values;
      if (this.#isBoolean && others.length === 0 && value === 'false') this.#condition.value = 'is:false';
      return;
    }
    this.#condition.value = conditionOf(rule);
    if (rule.kind === 'text' || rule.kind === 'compare') this.#text.value = rule.text;
    if (rule.kind === 'text') this.#matchCase.checked = rule.matchCase;
  }

  #drawCondition(): void {
    const condition = this.#condition.value as Condition; // the options above have these values
    const isText = condition.startsWith('text:');
    const hasText = isText || condition.startsWith('compare:');
    // A field that is disabled loses focus.
    if (!hasText && document.activeElement === this.#text) this.#condition.focus();
    this.#text.disabled = !hasText;
    this.#text.hidden = this.#isBoolean;
    this.#matchCase.disabled = !isText;
    this.#say(undefined);
  }

  /** A condition and chosen values are mutually exclusive: the last edit wins. */
  #clearChosen(): void {
    if (this.#chosen.size === 0) return;
    this.#chosen = new Set();
    this.#drawValues();
  }

  #drawValues(): void {
    const values = this.#values;
    if (values === undefined) return;
    const wanted = this.#search.value.toLowerCase();
    const found = values.values.filter(
      ({ text }) => wanted === '' || valueText(text).toLowerCase().includes(wanted),
    );
    this.#list.replaceChildren(
      ...found.slice(0, valuesShown).map(({ text, count }, index) => {
        const id = `filter-value-${index}`;
        const box = element('input', { id });
        box.type = 'checkbox';
        box.checked = this.#chosen.has(text);
        box.addEventListener('change', () => {
          if (box.checked) this.#chosen.add(text);
          else this.#chosen.delete(text);
          this.#say(undefined);
          // The form stays, for more values.
          this.#options.apply(this.#ruleOfChosen());
        });
        const label = labelFor(id, '');
        label.append(
          element(
            'span',
            { class: text === null || text === '' ? 'filter-value null' : 'filter-value' },
            valueText(text),
          ),
          element('span', { class: 'filter-count' }, number(count)),
        );
        return element('div', { class: 'filter-choice' }, box, label);
      }),
    );
    this.#stop.update();
    const shown = Math.min(found.length, valuesShown);
    const left = values.distinct - values.values.length;
    const isPart = shown < found.length || left > 0;
    this.#known.textContent = isPart
      ? t('{0} different values; the {1} most frequent are shown', number(values.distinct), number(shown))
      : t(
          isSingular(values.distinct, language) ? '{0} different value' : '{0} different values',
          number(values.distinct),
        );
  }

  #ruleOfChosen(): FilterRule | undefined {
    return this.#chosen.size === 0 ? undefined : { kind: 'values', values: [...this.#chosen] };
  }

  #submit(): void {
    const ofChosen = this.#ruleOfChosen();
    if (ofChosen !== undefined) {
      this.#apply(ofChosen);
      return;
    }
    const condition = this.#condition.value as Condition; // the options have these values
    if (condition === 'null' || condition === 'not-null') {
      this.#apply({ kind: 'null', isNull: condition === 'null' });
      return;
    }
    const text = this.#text.value;
    const [kind, operator] = condition.split(':');
    if (kind === 'is') {
      this.#apply({ kind: 'values', values: [operator ?? ''] });
      return;
    }
    if (kind === 'compare') {
      const problem = comparisonProblem(this.#options.column, text);
      if (problem !== undefined) {
        this.#say(problem);
        this.#text.focus();
        return;
      }
      this.#apply({ kind, operator: operator as CompareOperator, text }); // the options have these operators
      return;
    }
    const isNothing = text === '' && operator !== 'equals';
    this.#apply(
      isNothing
        ? undefined
        : { kind: 'text', operator: operator as TextOperator, text, matchCase: this.#matchCase.checked }, // the options have these operators
    );
  }

  #say(problem: string | undefined): void {
    this.#problem.hidden = problem === undefined;
    this.#problem.textContent = problem ?? '';
    if (problem === undefined) this.#text.removeAttribute('aria-invalid');
    else {
      this.#text.setAttribute('aria-invalid', 'true');
      this.#text.setAttribute('aria-describedby', 'filter-problem');
    }
  }

  #apply(rule: FilterRule | undefined): void {
    this.#popup.close();
    this.#options.apply(rule);
  }
}

function valueText(text: string | null): string {
  return text === null || text === '' ? valueWords(text) : text;
}

function conditionOf(rule: Exclude<FilterRule, { kind: 'values' }>): Condition {
  switch (rule.kind) {
    case 'text':
      return `text:${rule.operator}`;
    case 'compare':
      return `compare:${rule.operator}`;
    case 'null':
      return rule.isNull ? 'null' : 'not-null';
    default:
      return rule satisfies never;
  }
}

export function labelFor(id: string, text: string): HTMLLabelElement {
  const label = element('label', {}, text);
  label.htmlFor = id;
  return label;
}

export function submitButton(text: string): HTMLButtonElement {
  const made = element('button', { class: 'button primary' }, text);
  made.type = 'submit';
  return made;
}
