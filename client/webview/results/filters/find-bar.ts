/** Finds text in the rows as the user types; Enter finds the next match, Shift+Enter the previous one. */
import type { FindAnswer } from '#panel-protocol/rows.ts';
import type { TextMatch } from '../grid/match-parts.ts';
import { element, iconButton } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';

export interface FindQuestion {
  readonly text: string;
  readonly matchCase: boolean;
  readonly backwards: boolean;
  /** Whether the text changed, so that the search may match at the current position. */
  readonly isNew: boolean;
}

export interface FindBarEvents {
  readonly ask: (question: FindQuestion) => Promise<FindAnswer | undefined>;
  /** Aborts the pending request. */
  readonly drop: () => void;
  readonly goTo: (at: NonNullable<FindAnswer['at']>) => void;
  /** Marks all matches in the rows; undefined marks none. */
  readonly mark: (match: TextMatch | undefined) => void;
  readonly close: () => void;
}

export class FindBar {
  readonly element: HTMLElement;
  readonly #on: FindBarEvents;
  readonly #text = element('input', { class: 'find-text', aria: { label: t('Find in rows') } });
  readonly #matchCase = element('button', {
    class: 'icon-button find-case',
    title: t('Match case'),
    aria: { label: t('Match case'), pressed: 'false' },
  });
  readonly #answer = element('span', { class: 'find-answer', role: 'status' });
  #timer = 0;
  #asked: FindQuestion | undefined;
  /** Steps requested while a question is pending: positive forward, negative backward. */
  #stepsLeft = 0;

  constructor(on: FindBarEvents) {
    this.#on = on;
    this.#text.type = 'text';
    this.#text.placeholder = t('Find');
    this.#matchCase.type = 'button';
    this.#matchCase.textContent = 'Aa';
    this.#matchCase.addEventListener('click', () => {
      this.#matchCase.setAttribute('aria-pressed', String(!this.#isCaseMatched));
      this.#find({ backwards: false, isNew: true });
    });
    this.#text.addEventListener('input', () => {
      // Debounced: fast typing must not search a million cells on every key press.
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

  get #isCaseMatched(): boolean {
    return this.#matchCase.getAttribute('aria-pressed') === 'true';
  }

  markMatches(): void {
    const match = { text: this.#text.value, matchCase: this.#isCaseMatched };
    this.#on.mark(match.text === '' ? undefined : match);
  }

  focus(): void {
    this.#text.focus();
    this.#text.select();
  }

  next(backwards: boolean): void {
    this.#find({ backwards, isNew: false });
  }

  /** Searches again after the rows changed. */
  refresh(): void {
    if (this.#text.value !== '') this.#find({ backwards: false, isNew: true });
  }

  /** Shows the match, then continues with the steps requested in the meantime. */
  #answered({ at, matches, ordinal }: FindAnswer): void {
    const left = this.#stepsLeft;
    this.#stepsLeft = 0;
    if (at === undefined) {
      this.#answer.textContent = t('No matches');
      return;
    }
    this.#answer.textContent = t('{0} of {1}', number(ordinal), number(matches));
    this.#on.goTo(at);
    if (left === 0) return;
    this.#find({ backwards: left < 0, isNew: false });
    this.#stepsLeft = left - Math.sign(left);
  }

  #find(how: { readonly backwards: boolean; readonly isNew: boolean }): void {
    window.clearTimeout(this.#timer);
    this.markMatches();
    const text = this.#text.value;
    if (!how.isNew && text !== '' && text === this.#asked?.text) {
      this.#stepsLeft += how.backwards ? -1 : 1;
      return;
    }
    this.#stepsLeft = 0;
    this.#asked = undefined;
    if (text === '') {
      this.#on.drop();
      this.#answer.textContent = '';
      return;
    }
    void this.#askFor({ text, matchCase: this.#isCaseMatched, ...how });
  }

  async #askFor(question: FindQuestion): Promise<void> {
    this.#asked = question;
    const answer = await this.#on.ask(question);
    if (this.#asked === question) this.#asked = undefined;
    if (answer !== undefined) this.#answered(answer);
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
  }
}
