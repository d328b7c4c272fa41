/** The connection form: problems are shown next to their fields, and the test report is shown below them. */
import type {
  ConnectionFormRequest,
  ConnectionFormState,
  FieldName,
} from '#panel-protocol/connection-form.ts';
import { button, element } from '../results/ui/dom.ts';
import { t } from '../results/ui/l10n.ts';
import { revealInForm } from '../results/ui/reveal.ts';
import { ConnectionFieldView } from './connection-field.ts';
import { reportChildren } from './test-report.ts';

export class ConnectionPage {
  readonly element: HTMLFormElement;
  readonly #send: (request: ConnectionFormRequest) => void;
  readonly #fields: ReadonlyMap<FieldName, ConnectionFieldView>;
  readonly #report = element('section', { class: 'report', aria: { label: t('Test Connection') } });
  readonly #announced = element('p', { class: 'failure', role: 'alert' });
  readonly #test: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  #refusals = 0;
  #isTesting = false;

  constructor(state: ConnectionFormState, send: (request: ConnectionFormRequest) => void) {
    this.#send = send;
    const all = state.sections.flatMap(({ fields }) => fields);
    const texts: Readonly<Record<string, string>> = state.answers;
    this.#fields = new Map(
      all.map((field) => [
        field.name,
        new ConnectionFieldView(field, texts[field.name] ?? '', () => this.#changed()),
      ]),
    );
    this.#test = button(t('Test Connection'), () => this.#toggleTest());
    this.#save = button(t('Save'), () => undefined, { kind: 'primary' });
    this.#save.type = 'submit';
    this.element = element(
      'form',
      {
        class: 'form',
        aria: { labelledby: 'form-title' },
        on: {
          submit: (event) => {
            event.preventDefault();
            this.#act('save');
          },
          focusin: (event) => revealInForm(this.element, event.target),
        },
      },
      element('h1', { id: 'form-title' }, state.title),
      ...state.sections.map((section, index) =>
        element(
          'div',
          { role: 'group', aria: { labelledby: `section-${index}` } },
          element('h2', { id: `section-${index}` }, section.title),
          ...section.fields.map(({ name }) => this.#fields.get(name)?.element),
        ),
      ),
      this.#report,
      element(
        'div',
        { class: 'buttons' },
        this.#save,
        this.#test,
        button(t('Cancel'), () => send({ kind: 'cancel' })),
        this.#announced,
      ),
    );
    this.element.noValidate = true;
    this.#report.setAttribute('aria-live', 'polite');
  }

  focus(): void {
    this.#fields.get('name')?.focus();
  }

  update(state: ConnectionFormState): void {
    const isRefused = state.refusals !== this.#refusals;
    this.#refusals = state.refusals;
    for (const [name, field] of this.#fields) {
      field.update({
        isAsked: state.asked.includes(name),
        problem: state.problems[name],
        hint: state.hints[name],
        isTold: isRefused,
      });
    }
    if (isRefused) [...this.#fields.values()].find(({ isWrong }) => isWrong)?.focus();
    this.#isTesting = state.test.kind === 'running';
    this.#test.textContent = this.#isTesting ? t('Stop') : t('Test Connection');
    this.#save.disabled = state.isSaving;
    this.#announced.textContent = state.failure ?? '';
    this.#drawReport(state);
  }

  #drawReport({ test }: ConnectionFormState): void {
    const before = JSON.stringify(test);
    if (this.#report.dataset['shown'] === before) return;
    this.#report.dataset['shown'] = before;
    const wasDone = this.#report.dataset['kind'] === 'done';
    this.#report.dataset['kind'] = test.kind;
    this.#report.classList.toggle('has-failed', test.kind === 'done' && test.hasFailed);
    this.#report.replaceChildren(...reportChildren(test));
    if (test.kind === 'running' || (test.kind === 'done' && !wasDone))
      revealInForm(this.element, this.#report);
  }

  #texts(): Record<string, string> {
    return Object.fromEntries(
      [...this.#fields].filter(([name]) => name !== 'secret').map(([name, field]) => [name, field.text]),
    );
  }

  get #secret(): string {
    return this.#fields.get('secret')?.text ?? '';
  }

  #changed(): void {
    this.#send({ kind: 'change', texts: this.#texts(), hasSecret: this.#secret !== '' });
  }

  #act(kind: 'test' | 'save'): void {
    this.#send({ kind, texts: this.#texts(), secret: this.#secret });
  }

  #toggleTest(): void {
    if (this.#isTesting) this.#send({ kind: 'stop' });
    else this.#act('test');
  }
}
