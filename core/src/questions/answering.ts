/** The answering side of a channel. Every question gets exactly one answer or failure. */
import type { AnswerMessage, AskMessage } from './line-messages.ts';

export interface AnswerContext {
  /** Aborted once the asking side stops waiting. */
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
}

export class Answering<Body> {
  readonly #post: (message: AnswerMessage) => void;
  readonly #answer: (body: Body, context: AnswerContext) => unknown;
  readonly #failed: (error: unknown, body: Body) => void;
  readonly #running = new Map<number, AbortController>();

  /** @param options.failed called for each failure; by default, failures are reported only to the asking side. */
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
      // Plain values are posted synchronously, so that no later message overtakes them.
      say({ kind: 'answer', id, value: outcome instanceof Promise ? await outcome : outcome });
    } catch (error) {
      this.#failed(error, body);
      const { name, message: why } = error instanceof Error ? error : new Error('Unknown failure');
      say({ kind: 'failed', id, name, message: why });
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }

  /** Stops all work without posting anything, because the asking side has gone away. */
  forget(): void {
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const controller of running) controller.abort();
  }
}
