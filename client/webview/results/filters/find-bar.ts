/** Looking for a text in the rows: what is typed is looked for at once, Enter goes on, Shift+Enter back. */
import type { FindAnswer } from '../../../../core/src/rows/rows.ts';
import { element, iconButton } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';

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
  /** The text of the question that has no answer yet. */
  #asked: string | undefined;
  /** Steps that were asked for meanwhile: above zero forwards, below backwards. */
  #stepsLeft = 0;

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

  /** @param goTo shows the match; steps that a fast typist asked for meanwhile go on from there. */
  answered(
    question: number,
    { at, matches, ordinal }: FindAnswer,
    goTo: (at: NonNullable<FindAnswer['at']>) => void,
  ): void {
    // One that comes too late is no answer to what stands in the field.
    if (question !== this.#question) return;
    this.#asked = undefined;
    const left = this.#stepsLeft;
    this.#stepsLeft = 0;
    if (at === undefined) {
      this.#answer.textContent = t('No matches');
      return;
    }
    this.#answer.textContent = t('{0} of {1}', number(ordinal), number(matches));
    goTo(at);
    if (left === 0) return;
    this.#find({ backwards: left < 0, isNew: false });
    this.#stepsLeft = left - Math.sign(left);
  }

  #find(how: { readonly backwards: boolean; readonly isNew: boolean }): void {
    window.clearTimeout(this.#timer);
    const text = this.#text.value;
    if (!how.isNew && text !== '' && text === this.#asked) {
      this.#stepsLeft += how.backwards ? -1 : 1;
      return;
    }
    this.#question += 1;
    this.#stepsLeft = 0;
    this.#asked = undefined;
    if (text === '') {
      this.#answer.textContent = '';
      return;
    }
    this.#asked = text;
    const matchCase = this.#matchCase.getAttribute('aria-pressed') === 'true';
    this.#ask({ question: this.#question, text, matchCase, ...how });
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
  }
}
