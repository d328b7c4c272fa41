/** A failed run, as shown to people. */
import type { FailureDetails } from '../util/failure-details.ts';

export interface RunFailure {
  /** One sentence: what failed and why. */
  readonly message: string;
  /** The service's or our stable code. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  /** 1-based, in the document, if the failure has a position there. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly requestId?: string | undefined;
  /** A command that may help. */
  readonly nextStep?:
    { readonly title: string; readonly command: string; readonly argument?: unknown } | undefined;
  /** Details of the failed request. */
  readonly details?: FailureDetails | undefined;
}
