/** One form for all parameters of a run: Enter runs, problems stand beside their field, NULL is said and not typed. */
import type { PanelMessage, ParameterField, ResultView } from '../../src/features/results/messages.ts';
import type { Body } from './body.ts';
import { button, element } from './dom.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface FieldView {
  readonly name: string;
  readonly control: Control;
  readonly isNull: HTMLInputElement;
}

export class ParameterForm implements Body {
  readonly element: HTMLElement;
  readonly #send: (message: PanelMessage) => void;
  readonly #id: string;
  readonly #fields: readonly FieldView[];
  readonly #drawn: string;

  constructor(view: ResultView, fields: readonly ParameterField[], send: (message: PanelMessage) => void) {
    this.#send = send;
    this.#id = view.id;
    this.#drawn = JSON.stringify(fields);
    const drawn = fields.map((field, index) => drawField(field, index));
    this.#fields = drawn.map((one) => one.view);
    const submit = button('Run', () => undefined, { kind: 'primary' });
    submit.type = 'submit';
    this.element = element(
      'form',
      {
        class: 'form',
        aria: { labelledby: 'form-title' },
        on: {
          submit: (event) => {
            event.preventDefault();
            this.#submit();
          },
          keydown: (event) => this.#onKey(event),
        },
      },
      element('h2', { id: 'form-title' }, fields.length === 1 ? 'Parameter' : 'Parameters'),
      ...drawn.map((one) => one.element),
      element(
        'div',
        { class: 'buttons' },
        submit,
        button('Cancel', () => send({ kind: 'cancel', result: view.id })),
        element('span', { class: 'form-hint' }, 'Enter runs'),
      ),
    );
  }

  update(view: ResultView): boolean {
    return view.state.kind === 'parameters' && JSON.stringify(view.state.fields) === this.#drawn;
  }

  /** The first field with a problem, else the first. */
  focus(): void {
    const wrong = this.#fields.find(({ control }) => control.getAttribute('aria-invalid') === 'true');
    const { control } = wrong ?? this.#fields[0] ?? {};
    control?.focus();
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
  }

  dispose(): void {
    // Its elements go with the page; it holds nothing else.
  }

  #submit(): void {
    this.#send({
      kind: 'submit',
      result: this.#id,
      values: this.#fields.map(({ name, control, isNull }) => ({
        name,
        text: control.value,
        isNull: isNull.checked,
      })),
    });
  }

  #onKey(event: KeyboardEvent): void {
    const isInList = event.target instanceof HTMLTextAreaElement;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && isInList && mod) this.#submit();
    else if (event.key === 'Escape') this.#send({ kind: 'cancel', result: this.#id });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function drawField(
  field: ParameterField,
  index: number,
): { readonly element: HTMLElement; readonly view: FieldView } {
  const id = `parameter-${index}`;
  const control = controlOf(field, id);
  const isNull = element('input', { id: `${id}-null` });
  isNull.type = 'checkbox';
  isNull.checked = field.isNull;
  const toggle = () => (control.disabled = isNull.checked);
  toggle();
  isNull.addEventListener('change', () => {
    toggle();
    if (!isNull.checked) control.focus();
  });
  const described: string[] = [];
  const notes: HTMLElement[] = [];
  if (field.description !== undefined) {
    described.push(`${id}-description`);
    notes.push(element('p', { class: 'field-description', id: `${id}-description` }, field.description));
  }
  if (field.problem !== undefined) {
    described.push(`${id}-problem`);
    control.setAttribute('aria-invalid', 'true');
    notes.push(element('p', { class: 'field-problem', id: `${id}-problem`, role: 'alert' }, field.problem));
  }
  if (described.length > 0) control.setAttribute('aria-describedby', described.join(' '));
  const label = element('label', {}, element('span', { class: 'field-name' }, field.name));
  label.htmlFor = id;
  const nullLabel = element('label', { class: 'field-null-label' }, 'NULL');
  nullLabel.htmlFor = isNull.id;
  isNull.setAttribute('aria-label', `${field.name} is NULL`);
  return {
    element: element(
      'div',
      { class: 'field' },
      element(
        'div',
        { class: 'field-head' },
        label,
        element('span', { class: 'field-type' }, typeWords(field)),
      ),
      element('div', { class: 'field-line' }, control, isNull, nullLabel),
      ...recentOf(field, id),
      ...notes,
    ),
    view: { name: field.name, control, isNull },
  };
}

function typeWords(field: ParameterField): string {
  return field.control === 'list' ? `${field.type}, one a line or separated by commas` : field.type;
}

function controlOf(field: ParameterField, id: string): Control {
  if (field.control === 'boolean') {
    const select = element('select', { id });
    for (const value of ['true', 'false']) select.append(element('option', {}, value));
    select.value = field.text === 'false' ? 'false' : 'true';
    return select;
  }
  if (field.control === 'list') {
    const area = element('textarea', { id });
    area.rows = Math.max(3, Math.min(8, field.text.split('\n').length));
    area.value = field.text;
    area.spellcheck = false;
    return area;
  }
  const input = element('input', { id });
  input.type = 'text';
  input.value = field.text;
  input.spellcheck = false;
  input.autocomplete = 'off';
  if (field.control === 'number') input.inputMode = 'decimal';
  if (field.control === 'date') input.placeholder = '2026-01-31 or today - 30 days';
  if (field.control === 'timestamp') input.placeholder = '2026-01-31 08:00 or now - 2 hours';
  if (field.recent.length > 0) input.setAttribute('list', `${id}-recent`);
  return input;
}

function recentOf(field: ParameterField, id: string): HTMLElement[] {
  if (field.recent.length === 0 || field.control === 'list' || field.control === 'boolean') return [];
  const list = element('datalist', { id: `${id}-recent` });
  for (const value of field.recent) {
    const option = element('option');
    option.value = value;
    list.append(option);
  }
  return [list];
}
