/** What went wrong with a run, as people are shown it. */
import type { FailureDetails } from '../util/failure-details.ts';

export interface RunFailure {
  /** One sentence of what failed and why. */
  readonly message: string;
  /** The service's or our stable code. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  /** 1-based, in the document, where the failure has a place there. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly requestId?: string | undefined;
  /** A command of ours that may help. */
  readonly nextStep?:
    { readonly title: string; readonly command: string; readonly argument?: unknown } | undefined;
  /** All that is known of the request that failed. */
  readonly details?: FailureDetails | undefined;
}
