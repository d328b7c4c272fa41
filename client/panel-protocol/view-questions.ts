/**
 * The page's questions about the visible result. A caller gets a valid answer or undefined: stale, superseded and
 * failed answers are dropped here, and the host reports failures.
 */
import type { Asking, AskOptions } from '#core/questions/asking.ts';
import { askThrough } from '#core/questions/question-map.ts';
import {
  isNewestOnly,
  isStillTrue,
  type PanelBody,
  type PanelQuestion,
  type PanelQuestions,
  type Subject,
} from './panel-questions.ts';

export { Asking } from '#core/questions/asking.ts';

interface OpenQuestion {
  readonly question: PanelQuestion;
  readonly of: Subject;
  readonly controller: AbortController;
}

export class ViewQuestions {
  readonly #line: Asking<PanelBody>;
  readonly #open = new Set<OpenQuestion>();
  #of: Subject;

  constructor(line: Asking<PanelBody>, of: Subject) {
    this.#line = line;
    this.#of = of;
  }

  async ask<Name extends PanelQuestion>(
    question: Name,
    request: PanelQuestions[Name]['request'],
  ): Promise<PanelQuestions[Name]['answer'] | undefined> {
    if (isNewestOnly(question)) this.drop(question);
    const of = this.#of;
    const open = { question, of, controller: new AbortController() };
    const { signal } = open.controller;
    this.#open.add(open);
    const ask = askThrough<PanelQuestions, AskOptions>((asked, options) =>
      this.#line.ask({ of, asked }, options),
    );
    try {
      const answer = await ask(question, request, { signal });
      return signal.aborted ? undefined : answer;
    } catch {
      return undefined; // the host has reported the failure if necessary
    } finally {
      this.#open.delete(open);
    }
  }

  /** Aborts pending questions whose answers are no longer wanted. */
  drop(question: PanelQuestion): void {
    this.#stop((open) => open.question === question);
  }

  /** Returns whether an unsolicited message is about the visible rows. */
  isTrue(question: PanelQuestion, of: Subject): boolean {
    return isStillTrue(question, of, this.#of);
  }

  /** Replaces the subject after rows moved or changed, and aborts questions whose answers would be stale. */
  renew(of: Subject): void {
    this.#of = of;
    this.#stop((open) => !isStillTrue(open.question, open.of, of));
  }

  dispose(): void {
    this.#stop(() => true);
  }

  #stop(isMeant: (open: OpenQuestion) => boolean): void {
    for (const open of this.#open) if (isMeant(open)) open.controller.abort();
  }
}
