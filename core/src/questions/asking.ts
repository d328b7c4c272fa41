/**
 * The side of a line that asks: numbers what it asks, gives each answer to whoever waits for it, and tells the other side
 * what need not be answered any more.
 */
import type { AnswerMessage, AskMessage } from './line-messages.ts';

export interface AskOptions {
  /** Tells the other side to stop: it rejects with an AbortError, unless the answer was on its way. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Given away with the question. */
  readonly transfer?: readonly ArrayBuffer[] | undefined;
}

interface Waiting<Body> {
  readonly body: Body;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: AskOptions['onProgress'];
}

export class Asking<Body> {
  readonly #post: (message: AskMessage<Body>, transfer: readonly ArrayBuffer[]) => void;
  readonly #errorOf: (failure: { readonly name: string; readonly message: string }) => Error;
  readonly #waiting = new Map<number, Waiting<Body>>();
  #last = 0;

  /** @param options.errorOf makes an error of a failure of the other side. */
  constructor(options: {
    readonly post: (message: AskMessage<Body>, transfer: readonly ArrayBuffer[]) => void;
    readonly errorOf: (failure: { readonly name: string; readonly message: string }) => Error;
  }) {
    this.#post = options.post;
    this.#errorOf = options.errorOf;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** What it resolves with is typed by whoever knows which map the question is of. */
  ask(body: Body, { signal, onProgress, transfer = [] }: AskOptions = {}): Promise<unknown> {
    if (signal?.aborted === true) return Promise.reject(new DOMException('Stopped', 'AbortError'));
    this.#last += 1;
    const id = this.#last;
    const stop = () => {
      if (this.#waiting.has(id)) this.#post({ kind: 'stop', id }, []);
    };
    signal?.addEventListener('abort', stop, { once: true });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { body, resolve, reject, onProgress });
      this.#post({ kind: 'ask', id, body }, transfer);
    }).finally(() => {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', stop);
    });
  }

  /** Takes what the other side says. An answer that nobody waits for is dropped. */
  receive(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'progress') {
      waiting.onProgress?.(message.done);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.value);
    else waiting.reject(this.#errorOf(message));
  }

  /** Rejects what is waited for: all of it, or that which is meant. */
  fail(error: Error, isMeant: (body: Body) => boolean = () => true): void {
    for (const [id, { body, reject }] of this.#waiting) {
      if (!isMeant(body)) continue;
      this.#waiting.delete(id);
      reject(error);
    }
  }
}
