/**
 * One form for all parameters of a run. Enter runs the query, problems appear next to their fields, and NULL is a
 * checkbox, never typed.
 */
import type { PanelCommand, ParameterFormState, ResultView } from '#panel-protocol/messages.ts';
import type { Body } from '../shell/body.ts';
import { button, element, optionOf } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { revealInForm } from '../ui/reveal.ts';
import { FieldView } from './parameter-form-field.ts';

/** Pause in typing after which the host stores the input, so that hiding the panel loses nothing. */
const draftAfterMs = 100;

export class ParameterForm implements Body {
  readonly element: HTMLElement;
  readonly #send: (message: PanelCommand) => void;
  readonly #id: string;
  readonly #fields: readonly FieldView[];
  readonly #revision: number;
  readonly #sets: string;
  #draftTimer = 0;

  constructor(view: ResultView, state: ParameterFormState, send: (message: PanelCommand) => void) {
    this.#send = send;
    this.#id = view.id;
    this.#revision = state.revision;
    this.#sets = JSON.stringify([state.valueSets, state.valueSet]);
    this.#fields = state.fields.map((field, index) => new FieldView(field, index, () => this.#keepDraft()));
    const submit = button(t('Run'), () => undefined, { kind: 'primary' });
    submit.type = 'submit';
    submit.title = hintOf(state);
    const hasRecent = state.fields.some((field) => field.recent.length > 0);
    this.element = element(
      'form',
      {
        class: 'form',
        aria: { labelledby: 'form-title' },
        on: {
          submit: (event) => {
            event.preventDefault();
            this.submit();
          },
          keydown: (event) => this.#onKey(event),
          focusin: (event) => revealInForm(this.element, event.target),
        },
      },
      element(
        'div',
        { class: 'form-head' },
        element('h2', { id: 'form-title' }, titleOf(state)),
        ...this.#drawSets(state),
      ),
      ...this.#fields.map((field) => field.element),
      element(
        'div',
        { class: 'buttons' },
        submit,
        button(t('Cancel'), () => send({ kind: 'cancel', result: view.id })),
        button(t('Save as Set...'), () => this.#request('saveSet'), {
          title: t('Keep these values under a name'),
        }),
        hasRecent &&
          button(t('Forget Earlier Values'), () => this.#request('forget'), {
            kind: 'link',
            title: t('Forget the remembered values of this query on this connection'),
          }),
        element('span', { class: 'form-hint' }, hintOf(state)),
      ),
    );
  }

  update(view: ResultView): boolean {
    const { state } = view;
    if (
      state.kind !== 'parameters' ||
      state.revision !== this.#revision ||
      JSON.stringify([state.valueSets, state.valueSet]) !== this.#sets
    )
      return false;
    state.fields.forEach((field, index) => this.#fields[index]?.check(field));
    return true;
  }

  /** Focuses the first field with a problem, or the first field if there is none. */
  focus(): void {
    (this.#fields.find((field) => field.isWrong) ?? this.#fields[0])?.focus();
  }

  dispose(): void {
    window.clearTimeout(this.#draftTimer);
  }

  #drawSets(state: ParameterFormState): HTMLElement[] {
    if (state.valueSets.length === 0) return [];
    const select = element('select', { id: 'value-set' });
    select.append(optionOf('', t('Last values')), ...state.valueSets.map((name) => optionOf(name, name)));
    select.value = state.valueSet ?? '';
    select.addEventListener('change', () => {
      if (select.value === '') return;
      this.#send({ kind: 'form', result: this.#id, request: { kind: 'useSet', name: select.value } });
    });
    const label = element('label', { class: 'field-tick' }, t('Value set'));
    label.htmlFor = select.id;
    return [label, select];
  }

  #values() {
    return this.#fields.map((field) => field.value);
  }

  #request(kind: 'saveSet' | 'forget' | 'draft'): void {
    window.clearTimeout(this.#draftTimer);
    this.#send({ kind: 'form', result: this.#id, request: { kind, values: this.#values() } });
  }

  #keepDraft(): void {
    window.clearTimeout(this.#draftTimer);
    this.#draftTimer = window.setTimeout(() => this.#request('draft'), draftAfterMs);
  }

  /** Sends the values, as its button does. */
  submit(): void {
    window.clearTimeout(this.#draftTimer);
    this.#send({ kind: 'submit', result: this.#id, values: this.#values() });
  }

  #onKey(event: KeyboardEvent): void {
    const isInList = event.target instanceof HTMLTextAreaElement;
    const mod = event.ctrlKey || event.metaKey;
    if (
      event.key === 'Enter' &&
      (isInList || event.target instanceof HTMLSelectElement) &&
      (mod || !isInList)
    ) {
      this.submit();
    } else if (event.key === 'Escape') this.#send({ kind: 'cancel', result: this.#id });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function titleOf({ fields, statementCount }: ParameterFormState): string {
  const isOne = fields.length === 1;
  if (statementCount === undefined) return isOne ? t('Parameter') : t('Parameters');
  return isOne
    ? t('Parameter for {0} statements', statementCount)
    : t('Parameters for {0} statements', statementCount);
}

function hintOf({ fields }: ParameterFormState): string {
  const hasList = fields.some((field) => field.control === 'list');
  return hasList
    ? t('Press Enter to run (Ctrl+Enter in a list) or Escape to cancel.')
    : t('Press Enter to run or Escape to cancel.');
}
