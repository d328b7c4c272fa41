/**
 * The asking side of a channel: numbers questions, delivers each answer to its caller, and cancels questions on the
 * other side.
 */
import type { AnswerMessage, AskMessage } from './line-messages.ts';

export interface AskOptions {
  /** Tells the other side to stop: it rejects with an AbortError unless the answer was already sent. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Transferred with the question. */
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

  /** @param options.errorOf converts a failure of the other side to an error. */
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

  /** The caller that knows the question map types the result. */
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

  /** Takes a message from the other side. Drops answers to cancelled questions. */
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

  /** Rejects all pending questions, or the given ones. */
  fail(error: Error, isMeant: (body: Body) => boolean = () => true): void {
    for (const [id, { body, reject }] of this.#waiting) {
      if (!isMeant(body)) continue;
      this.#waiting.delete(id);
      reject(error);
    }
  }
}
