/**
 * The asking side of a channel. Numbers the questions, delivers each answer to its caller, and cancels questions on the
 * other side.
 */
import type { AnswerMessage, AskMessage } from './line-messages.ts';

export interface AskOptions {
  /**
   * Cancels the question on the other side. The promise rejects with an AbortError unless the answer was already sent.
   */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Buffers to transfer with the question. */
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

  /** @param options.errorOf converts a failure reported by the other side to an error. */
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

  /** The result is untyped; `askThrough` adds the types of a question map. */
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

  /** Handles a message from the other side. Answers to unknown questions are dropped. */
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

  /** Rejects all pending questions, or those selected by `isMeant`. */
  fail(error: Error, isMeant: (body: Body) => boolean = () => true): void {
    for (const [id, { body, reject }] of this.#waiting) {
      if (!isMeant(body)) continue;
      this.#waiting.delete(id);
      reject(error);
    }
  }
}
