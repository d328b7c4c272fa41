/** Which page sizes a service takes: it may refuse a query because of the size that is asked for. */
import { limits } from '../contract/limits.ts';
import { RejectedError } from './errors.ts';
import { oneRowText, pagedRequest, type ExecutePaging } from './execute-paging.ts';
import type { RunRequest } from './query-calls.ts';

/** Sends a query of our own, with these members. */
type Ask = (members: Readonly<Record<string, unknown>>) => Promise<unknown>;

export class PageSizes {
  /** The largest one that the service takes; 0 if it takes a query only without one. */
  #max = Infinity;
  /** Those up to this one were examined. */
  #examined: number = limits.pageSizeMax;
  /** Those that were refused as any other was, since the service has no such model. */
  readonly #refused = new Map<string | undefined, number>();
  readonly #examining = new Map<string | undefined, Promise<void>>();

  /** Returns a request for no more rows than the service takes. */
  capped({ pageSize = 0, ...request }: RunRequest): RunRequest {
    const size = Math.min(pageSize, this.#max);
    return { ...request, ...(size === 0 ? {} : { pageSize: size }) };
  }

  /** Learns whether the service refuses a page size that it need not take, rather than the query. */
  async examine(
    { pageSize = 0, model }: RunRequest,
    paging: ExecutePaging | undefined,
    ask: Ask,
  ): Promise<void> {
    if (pageSize <= Math.max(this.#examined, this.#refused.get(model) ?? 0)) return;
    // Without a size in the request, it was refused for something else.
    if (paging !== undefined && paging.size === undefined) return;
    const examine = async () => {
      for (const size of [pageSize, limits.pageSizeMax, undefined]) {
        const request = { query_string: oneRowText, pageSize: size };
        try {
          await ask(pagedRequest(request, paging));
          if (size !== pageSize) this.#max = Math.min(this.#max, size ?? 0);
          this.#examined = Math.max(this.#examined, pageSize);
          return;
        } catch (error) {
          if (!(error instanceof RejectedError)) throw error;
        }
      }
      this.#refused.set(model, pageSize);
    };
    const examined = this.#examining.get(model) ?? examine().finally(() => this.#examining.delete(model));
    this.#examining.set(model, examined);
    await examined;
  }
}
