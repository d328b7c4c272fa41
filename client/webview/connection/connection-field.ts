/** One field of a connection: its control, the meaning of the current choice, and the problem, if any. */
import type { ConnectionField } from '#panel-protocol/connection-form.ts';
import { element } from '../results/ui/dom.ts';

export class ConnectionFieldView {
  readonly element: HTMLElement;
  readonly #field: ConnectionField;
  readonly #control: HTMLInputElement | HTMLSelectElement;
  readonly #hint: HTMLElement;
  readonly #problem: HTMLElement;
  /** Set once the user has left the field or tried to save: a new form starts without error messages. */
  #isTold: boolean;
  #wrong: string | undefined;

  constructor(field: ConnectionField, text: string, changed: () => void) {
    const id = `field-${field.name}`;
    this.#field = field;
    this.#isTold = text !== '' || field.control === 'tick';
    this.#control = makeControl(field, id, text);
    this.#hint = element('p', { class: 'field-meaning', id: `${id}-hint` }, field.hint);
    this.#problem = element('p', { class: 'field-problem', id: `${id}-problem`, aria: { live: 'polite' } });
    this.#problem.hidden = true;
    this.#control.setAttribute('aria-describedby', `${id}-problem ${id}-hint`);
    const label = element('label', {}, element('span', { class: 'field-name' }, field.label));
    label.htmlFor = id;
    const isTick = field.control === 'tick';
    this.element = element(
      'div',
      { class: 'field' },
      !isTick && element('div', { class: 'field-head' }, label),
      element('div', { class: 'field-line' }, this.#control, isTick && label),
      this.#problem,
      this.#hint,
    );
    this.#control.addEventListener('input', () => {
      this.#sayChoice();
      changed();
    });
    this.#control.addEventListener('blur', () => {
      // Leaving an empty field is not a mistake yet.
      if (this.text !== '') this.#isTold = true;
      this.#draw();
    });
    this.#sayChoice();
  }

  get text(): string {
    const control = this.#control;
    if (this.#field.control === 'tick') return (control as HTMLInputElement).checked ? 'yes' : ''; // a `tick` control is an `<input>`
    return control.value;
  }

  get isWrong(): boolean {
    return !this.element.hidden && this.#wrong !== undefined;
  }

  update(state: {
    readonly isAsked: boolean;
    readonly problem: string | undefined;
    readonly hint: string | undefined;
    /** Whether to show the problem even if the field is untouched. */
    readonly isTold: boolean;
  }): void {
    this.element.hidden = !state.isAsked;
    this.#wrong = state.problem;
    this.#isTold ||= state.isTold;
    if (this.#field.control !== 'choice') this.#hint.textContent = state.hint ?? this.#field.hint ?? '';
    this.#draw();
  }

  focus(): void {
    this.#control.focus();
  }

  #sayChoice(): void {
    const chosen = this.#field.choices?.find(({ value }) => value === this.#control.value);
    if (this.#field.control === 'choice') this.#hint.textContent = chosen?.description ?? '';
  }

  #draw(): void {
    const shown = this.#isTold ? this.#wrong : undefined;
    if (this.#problem.textContent !== (shown ?? '')) this.#problem.textContent = shown ?? '';
    this.#problem.hidden = shown === undefined;
    if (shown === undefined) this.#control.removeAttribute('aria-invalid');
    else this.#control.setAttribute('aria-invalid', 'true');
  }
}

function makeControl(field: ConnectionField, id: string, text: string): HTMLInputElement | HTMLSelectElement {
  if (field.control === 'choice') {
    const select = element('select', { id });
    for (const { value, label } of field.choices ?? []) {
      const option = element('option', {}, label);
      option.value = value;
      select.append(option);
    }
    select.value = text;
    return select;
  }
  const input = element('input', { id });
  input.type = field.control === 'tick' ? 'checkbox' : field.control === 'secret' ? 'password' : 'text';
  if (field.control === 'tick') input.checked = text === 'yes';
  else input.value = text;
  input.placeholder = field.placeholder ?? '';
  input.spellcheck = false;
  // The browser must neither offer to store a secret nor fill one in.
  input.autocomplete = field.control === 'secret' ? 'new-password' : 'off';
  return input;
}
