/** Where a saved query belongs, and how to get there. */
import type { QueryHome } from '#core/policy/query-home.ts';

export interface HomeOfQuery extends QueryHome {
  /** Undefined if that connection is gone. */
  readonly connect?:
    | { readonly title: string; readonly command: string; readonly argument?: string }
    | undefined;
}
