/** What the parser's worker and its owner say to each other. */
import type { ParseOutcome } from '../language/parser.ts';

/** Owner to worker: parse these texts, in order. */
export interface ParseRequest {
  readonly texts: readonly string[];
}

/** Worker to owner: once when it can take requests, then one answer a request. */
export type WorkerMessage =
  { readonly kind: 'ready' } | { readonly kind: 'parsed'; readonly outcomes: readonly ParseOutcome[] };
