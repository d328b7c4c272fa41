/** The side of a line that answers: one answer or one failure for each question, whatever happens meanwhile. */
import type { AnswerMessage, AskMessage } from './line-messages.ts';

export interface AnswerContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
}

export class Answering<Body> {
  readonly #post: (message: AnswerMessage) => void;
  readonly #answer: (body: Body, context: AnswerContext) => unknown;
  readonly #failed: (error: unknown, body: Body) => void;
  readonly #running = new Map<number, AbortController>();

  /** @param options.failed is told of each failure; by default only the asking side is. */
  constructor(options: {
    readonly post: (message: AnswerMessage) => void;
    readonly answer: (body: Body, context: AnswerContext) => unknown;
    readonly failed?: (error: unknown, body: Body) => void;
  }) {
    this.#post = options.post;
    this.#answer = options.answer;
    this.#failed = options.failed ?? (() => undefined);
  }

  /** Resolves when the question is answered; never rejects. */
  async receive(message: AskMessage<Body>): Promise<void> {
    if (message.kind === 'stop') {
      this.#running.get(message.id)?.abort();
      return;
    }
    const { id, body } = message;
    const controller = new AbortController();
    this.#running.set(id, controller);
    const say = (answer: AnswerMessage) => {
      if (this.#running.get(id) === controller) this.#post(answer);
    };
    try {
      const outcome = this.#answer(body, {
        signal: controller.signal,
        progress: (done) => say({ kind: 'progress', id, done }),
      });
      // A plain value is answered at once: the next message must not pass it.
      say({ kind: 'answer', id, value: outcome instanceof Promise ? await outcome : outcome });
    } catch (error) {
      this.#failed(error, body);
      const { name, message: why } = error instanceof Error ? error : new Error('Unknown failure');
      say({ kind: 'failed', id, name, message: why });
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }

  /** Who asked is gone: what runs is stopped, and nothing is said of it. */
  forget(): void {
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const controller of running) controller.abort();
  }
}
