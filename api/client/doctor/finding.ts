/** What is found out about an assumption, as data: whoever shows it finds the words. */
import type { AssumptionId } from '../../contract/assumptions.ts';

/** `unknown`: reading alone does not tell. */
export type Verdict = 'holds' | 'differs' | 'unknown';

export type Seen =
  | { readonly kind: 'as-assumed' }
  /** Another status or code than assumed. */
  | {
      readonly kind: 'status';
      readonly request: string;
      readonly status: number;
      readonly code: string | undefined;
    }
  /** A member is missing, or not what it was taken for. */
  | { readonly kind: 'member'; readonly request: string; readonly member: string }
  /** The service says which methods a path takes, and these are not among them. */
  | { readonly kind: 'methods'; readonly path: string; readonly missing: readonly string[] }
  /** The service does not say which methods a path takes. */
  | { readonly kind: 'methods-untold' }
  /** There is no record to look at. */
  | { readonly kind: 'nothing-there'; readonly request: string }
  /** Only a write would show it. */
  | { readonly kind: 'needs-write' }
  /** Only a rate limit would show it. */
  | { readonly kind: 'needs-rate-limit' }
  /** Read and write together were not granted, read alone was. */
  | { readonly kind: 'write-scope-refused' }
  /** The secret was taken in the body of the request and not by HTTP Basic. */
  | { readonly kind: 'secret-in-body' }
  /** No answer, or one that says nothing of the assumption. */
  | { readonly kind: 'no-answer'; readonly request: string; readonly error: unknown };

export interface Finding {
  readonly id: AssumptionId;
  readonly verdict: Verdict;
  readonly seen: Seen;
}

/** A finding without its id. */
export type Found = Omit<Finding, 'id'>;

export const holds: Found = { verdict: 'holds', seen: { kind: 'as-assumed' } };

export function differs(seen: Seen): Found {
  return { verdict: 'differs', seen };
}

export function unknown(seen: Seen): Found {
  return { verdict: 'unknown', seen };
}
