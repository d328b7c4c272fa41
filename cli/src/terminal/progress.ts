/** One progress line on standard error, shown only on a terminal. */
import type { Writable } from 'node:stream';
import { isTerminal } from '../output.ts';

export interface Progress {
  /** Replaces the line, at most ten times a second. */
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

const pauseMs = 100;

export function createProgress(stream: Writable, now: () => number = () => performance.now()): Progress {
  if (!isTerminal(stream)) return { show: () => undefined, clear: () => undefined };
  let shownAt = -Infinity;
  let isShown = false;
  return {
    show(text) {
      const at = now();
      if (at - shownAt < pauseMs) return;
      shownAt = at;
      isShown = true;
      stream.write(`\r\u001b[2K${text}`);
    },
    clear() {
      if (!isShown) return;
      isShown = false;
      shownAt = -Infinity;
      stream.write('\r\u001b[2K');
    },
  };
}
