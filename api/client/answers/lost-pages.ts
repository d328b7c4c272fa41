/**
 * Pages whose answer was lost. They are asked for again, but a service that keeps the place of a walk itself, such as one
 * with a scroll, then answers with the page behind: that would be missing without a word. So the answer must come twice.
 */
import type { PageToken } from '#api/contract/lists.ts';
import { UnfinishedListError } from '../errors.ts';
import { jsonText } from '../json.ts';
import type { ParsedAnswer } from '../requests/requester.ts';
import { isPerhapsDone } from '../requests/retry.ts';
import { hasHints } from './more-hints.ts';
import { withItems } from './other-pages.ts';
import type { PagePart } from './paging.ts';
import { isRecord } from './shape.ts';

interface PageOfWalk {
  /** The request without its token and its size. */
  readonly walk: readonly unknown[];
  readonly pageToken: PageToken | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface AskedPage<Answer> {
  readonly ask: () => Promise<Answer>;
  /** Returns what two equal answers have in common; empty for a last page of nothing, undefined for one before more. */
  readonly contentOf: (answer: Answer) => string | undefined;
}

type Ask = <Answer extends AfterLoss>(asked: AskedPage<Answer>) => Promise<Answer>;
type AfterLoss = Pick<ParsedAnswer, 'isAfterLoss'>;

export class LostPages {
  /** Requests that were perhaps carried out, without an answer that was taken. */
  readonly #lost = new Set<string>();

  /**
   * Reads a page by the `ask` that is given. That it was lost counts until an answer gives its token anew, as those of another reading do.
   * @throws UnfinishedListError if the answer that was lost does not come again.
   */
  async read<Page extends PagePart>(
    { walk, pageToken, signal }: PageOfWalk,
    readBy: (ask: Ask) => Promise<Page>,
  ): Promise<Page> {
    const keyOf = (token: PageToken) => jsonText([walk, token]);
    const key = pageToken === undefined ? undefined : keyOf(pageToken);
    let isAnswered = false;
    const lose = () => {
      if (key !== undefined && isAnswered) this.#add(key);
    };
    try {
      const page = await readBy(async (asked) => {
        const answer = key === undefined ? await asked.ask() : await this.#ask({ key, ...asked });
        isAnswered = true;
        return answer;
      });
      if (page.nextPageToken !== undefined) this.#lost.delete(keyOf(page.nextPageToken));
      // The caller leaves it.
      if (signal?.aborted === true) lose();
      return page;
    } catch (error) {
      lose();
      throw error;
    }
  }

  /** @throws UnfinishedListError if the answer that was lost does not come again. */
  async #ask<Answer extends AfterLoss>({
    key,
    ask,
    contentOf,
  }: AskedPage<Answer> & { readonly key: string }): Promise<Answer> {
    const answer = await ask().catch((error: unknown) => {
      if (isPerhapsDone(error)) this.#add(key);
      throw error;
    });
    if (answer.isAfterLoss) this.#add(key);
    if (this.#lost.has(key)) {
      const content = contentOf(answer);
      if (content !== undefined && (content === '' || contentOf(await ask()) !== content)) throw lost();
    }
    this.#lost.delete(key);
    return answer;
  }

  #add(key: string): void {
    const [oldest] = this.#lost;
    if (this.#lost.size >= lostMax && oldest !== undefined) this.#lost.delete(oldest);
    this.#lost.add(key);
  }
}

const lostMax = 1_000;

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
