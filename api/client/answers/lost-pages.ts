/**
 * Pages whose answer was lost. They are asked for again, but a service that keeps the place of a walk itself, such as one
 * with a scroll, then answers with the page behind: that would be missing without a word. So the answer must come twice.
 */
import { ApiError, UnfinishedListError } from '../errors.ts';
import { jsonText } from '../json.ts';
import type { ParsedAnswer } from '../requests/requester.ts';
import { hasHints } from './more-hints.ts';
import { withItems } from './other-pages.ts';
import { isRecord } from './shape.ts';

interface AskedPage<Answer> {
  /** Of the request. */
  readonly key: string;
  readonly ask: () => Promise<Answer>;
  /** Returns what two equal answers have in common; empty for a last page of nothing, undefined for one before more. */
  readonly contentOf: (answer: Answer) => string | undefined;
}

export class LostPages {
  /** Requests that were sent, without an answer that was taken. */
  readonly #open = new Set<string>();

  /** @throws UnfinishedListError if the answer that was lost does not come again. */
  async ask<Answer extends { readonly isAfterLoss: boolean }>({
    key,
    ask,
    contentOf,
  }: AskedPage<Answer>): Promise<Answer> {
    const wasOpen = this.#open.has(key);
    if (this.#open.size >= openMax) this.#open.clear();
    this.#open.add(key);
    const answer = await ask().catch((error: unknown) => {
      const isRefused = error instanceof ApiError && (error.status ?? 500) < 500;
      if (isRefused && !wasOpen) this.#open.delete(key);
      throw error;
    });
    if (wasOpen || answer.isAfterLoss) {
      const content = contentOf(answer);
      if (content !== undefined && (content === '' || contentOf(await ask()) !== content)) throw lost();
    }
    this.#open.delete(key);
    return answer;
  }
}

const openMax = 1_000;

function lost(): UnfinishedListError {
  return new UnfinishedListError(
    'lost',
    'The answer with a page was lost, and the service does not send this page again, so a part is missing. Read all of it again.',
  );
}

/** As in `AskedPage`, for a page of a list. */
export function listContentOf({ value, headers }: ParsedAnswer): string | undefined {
  const named = withItems(value, true);
  const { items, ...others } = isRecord(named) ? named : {};
  if (!Array.isArray(items)) return undefined;
  if (items.length > 0) return jsonText(items);
  return hasHints(new Map(Object.entries(others)), headers) ? undefined : '';
}
