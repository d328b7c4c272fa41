/** A worker thread that answers one request at a time. It keeps the process alive only during a request. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

export class AskedWorker<Message, Answer extends object> {
  /** Whether the worker has started; false if it failed. Never rejects. */
  readonly ready: Promise<boolean>;
  readonly #worker: Worker;
  #settle: ((answer: Answer | undefined) => void) | undefined;

  /** @param answerOf returns the answer of a message; `ready` for the one that says that the worker has started. */
  constructor(script: string, options: WorkerOptions, answerOf: (message: Message) => Answer | 'ready') {
    // The host's flags (inspector, loaders) must not apply to this thread.
    this.#worker = new Worker(script, { ...options, execArgv: [] });
    this.#worker.unref();
    this.ready = new Promise((resolve) => {
      this.#worker.on('message', (message: Message) => {
        const answer = answerOf(message);
        if (answer === 'ready') resolve(true);
        else this.#settle?.(answer);
      });
      // A failure resolves the request ("gave up"); the next request replaces the worker.
      const failed = (): void => {
        resolve(false);
        this.#settle?.(undefined);
      };
      this.#worker.on('error', failed);
      this.#worker.on('exit', failed);
      // Treated as a failure, since waiting for another response would block all later checks.
      this.#worker.on('messageerror', failed);
    });
  }

  /** Returns undefined if the worker does not respond in time or dies. */
  async ask(request: unknown, limitMs: number): Promise<Answer | undefined> {
    this.#worker.ref();
    if (!(await this.ready)) return undefined;
    const answer = await within(
      new Promise<Answer | undefined>((resolve) => {
        this.#settle = resolve;
        this.#worker.postMessage(request);
      }),
      limitMs,
    );
    this.#settle = undefined;
    this.#worker.unref();
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

export async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  // Promise.withResolvers is not available: the command line also runs on Node.js 20.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
