/** Runs the formatter in a worker, which starts on demand and is terminated after a timeout. */
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FormatAnswer, FormatRequest } from './messages.ts';

export type FormatOutcome =
  | { readonly kind: 'formatted'; readonly text: string }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too-slow' };

const timeLimitMs = 5_000;

export async function formatText(
  request: FormatRequest,
  limits: { readonly timeLimitMs: number } = { timeLimitMs },
): Promise<FormatOutcome> {
  const worker = new Worker(scriptPath());
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), limits.timeLimitMs);
  try {
    const answered = once(worker, 'message', { signal: aborter.signal });
    worker.postMessage(request);
    // The worker sends no other messages.
    const [answer] = (await answered) as [FormatAnswer];
    return answer.text === undefined ? { kind: 'unreadable' } : { kind: 'formatted', text: answer.text };
  } catch {
    // The timeout expired, or the worker failed, for example because it ran out of memory.
    return { kind: aborter.signal.aborted ? 'too-slow' : 'unreadable' };
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function scriptPath(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? 'format-worker.cjs' : 'worker.ts');
}
