/** A finding about an assumption, as data; the caller formats the text. */
import type { AssumptionId } from '#api/contract/assumptions.ts';

/** `unknown`: reading alone cannot determine it. */
export type Verdict = 'holds' | 'differs' | 'unknown';

export type Seen =
  | { readonly kind: 'as-assumed' }
  /** The status or code differs from the assumption. */
  | {
      readonly kind: 'status';
      readonly request: string;
      readonly status: number;
      readonly code: string | undefined;
    }
  /** A member is missing or has another type. */
  | { readonly kind: 'member'; readonly request: string; readonly member: string }
  /** A member has the expected type, but another value. */
  | { readonly kind: 'value'; readonly request: string; readonly member: string }
  /** Queries of these tables are refused. */
  | { readonly kind: 'tables'; readonly request: string; readonly tables: readonly string[] }
  /** The service has no such operation. */
  | { readonly kind: 'not-offered'; readonly request: string; readonly status: number }
  /** Two pages of a list have the same token. */
  | { readonly kind: 'same-token'; readonly request: string }
  /** Pages of a result are requested under other names, which the client has learned. */
  | {
      readonly kind: 'paging';
      readonly request: string;
      readonly next: string;
      readonly token: string;
      readonly size: string;
    }
  /** A response contains the whole result, however many rows are requested. */
  | { readonly kind: 'unpaged'; readonly request: string }
  /** A response contains a part of the result, and nothing tells how to request the rest. */
  | { readonly kind: 'paging-unknown'; readonly request: string }
  /** No query of two rows was answered. */
  | { readonly kind: 'paging-untested'; readonly request: string }
  /** The service lists the path's methods, but not these. */
  | { readonly kind: 'methods'; readonly path: string; readonly missing: readonly string[] }
  /** The service does not list the path's methods. */
  | { readonly kind: 'methods-untold' }
  /** There is no record to examine. */
  | { readonly kind: 'nothing-there'; readonly request: string }
  /** Only a write would show whether the assumption holds. */
  | { readonly kind: 'needs-write' }
  /** Only hitting a rate limit would show whether the assumption holds. */
  | { readonly kind: 'needs-rate-limit' }
  /** The token endpoint refused read and write together, but granted read alone. */
  | { readonly kind: 'write-scope-refused' }
  /** The token endpoint accepted the secret in the request body but not with HTTP Basic. */
  | { readonly kind: 'secret-in-body' }
  /** No response, or an irrelevant one. */
  | { readonly kind: 'no-answer'; readonly request: string; readonly error: unknown };

export interface Finding {
  readonly id: AssumptionId;
  readonly verdict: Verdict;
  readonly seen: Seen;
}

export type Found = Omit<Finding, 'id'>;

export const holds: Found = { verdict: 'holds', seen: { kind: 'as-assumed' } };

export function differs(seen: Seen): Found {
  return { verdict: 'differs', seen };
}

export function unknown(seen: Seen): Found {
  return { verdict: 'unknown', seen };
}
