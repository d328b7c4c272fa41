/** Looking for a text in the rows: what is typed is looked for at once, Enter goes on, Shift+Enter back. */
import type { FindAnswer } from '../../src/features/results/data/rows.ts';
import { element, iconButton } from './dom.ts';
import { number } from './format.ts';
import { t } from './l10n.ts';

export interface FindQuestion {
  readonly question: number;
  readonly text: string;
  readonly matchCase: boolean;
  readonly backwards: boolean;
  /** Look from where the search began, not from the present match: the text was changed. */
  readonly isNew: boolean;
}

export class FindBar {
  readonly element: HTMLElement;
  readonly #ask: (question: FindQuestion) => void;
  readonly #text = element('input', { class: 'find-text', aria: { label: t('Find in rows') } });
  readonly #matchCase = element('button', {
    class: 'icon-button find-case',
    title: t('Match case'),
    aria: { label: t('Match case'), pressed: 'false' },
  });
  readonly #answer = element('span', { class: 'find-answer', role: 'status' });
  #question = 0;
  #timer = 0;

  constructor(on: { readonly ask: (question: FindQuestion) => void; readonly close: () => void }) {
    this.#ask = on.ask;
    this.#text.type = 'text';
    this.#text.placeholder = t('Find');
    this.#matchCase.type = 'button';
    this.#matchCase.textContent = 'Aa';
    this.#matchCase.addEventListener('click', () => {
      const isOn = this.#matchCase.getAttribute('aria-pressed') === 'true';
      this.#matchCase.setAttribute('aria-pressed', String(!isOn));
      this.#find({ backwards: false, isNew: true });
    });
    this.#text.addEventListener('input', () => {
      // A million cells are not searched for each key of a fast typist.
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#find({ backwards: false, isNew: true }), 120);
    });
    this.element = element(
      'search',
      {
        class: 'find-bar',
        aria: { label: t('Find') },
        on: {
          keydown: (event) => {
            const mod = event.ctrlKey || event.metaKey;
            const isNext = event.key === 'Enter' && event.target === this.#text;
            if (event.key === 'Escape') on.close();
            else if (isNext || event.key === 'F3') this.#find({ backwards: event.shiftKey, isNew: false });
            else if (mod && event.key.toLowerCase() === 'f') this.#text.select();
            else return;
            event.preventDefault();
            event.stopPropagation();
          },
        },
      },
      this.#text,
      this.#matchCase,
      this.#answer,
      iconButton('previous', t('Previous match (Shift+Enter)'), () =>
        this.#find({ backwards: true, isNew: false }),
      ),
      iconButton('next', t('Next match (Enter)'), () => this.#find({ backwards: false, isNew: false })),
      iconButton('close', t('Close'), on.close),
    );
  }

  get text(): string {
    return this.#text.value;
  }

  focus(): void {
    this.#text.focus();
    this.#text.select();
  }

  next(backwards: boolean): void {
    this.#find({ backwards, isNew: false });
  }

  /** The rows are others: what was counted is not true any more. */
  refresh(): void {
    if (this.#text.value !== '') this.#find({ backwards: false, isNew: true });
  }

  /** @returns false for an answer that came too late. */
  show(question: number, { at, matches, ordinal }: FindAnswer): boolean {
    if (question !== this.#question) return false;
    this.#answer.textContent =
      at === undefined ? t('No matches') : t('{0} of {1}', number(ordinal), number(matches));
    return true;
  }

  #find(how: { readonly backwards: boolean; readonly isNew: boolean }): void {
    window.clearTimeout(this.#timer);
    this.#question += 1;
    const text = this.#text.value;
    if (text === '') {
      this.#answer.textContent = '';
      return;
    }
    const matchCase = this.#matchCase.getAttribute('aria-pressed') === 'true';
    this.#ask({ question: this.#question, text, matchCase, ...how });
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
  }
}
