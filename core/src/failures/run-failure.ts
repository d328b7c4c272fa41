/** A failed run, as shown to the user. */
import type { FailureDetails } from './failure-details.ts';

/**
 * A failure that is not about the request: the service answered 502 to 504, with another 5xx, or not at all, or the
 * sign-in was refused.
 */
export type ServiceFault = 'unavailable' | 'failed' | 'unreachable' | 'sign-in';

export interface RunFailure {
  /** One sentence that explains what failed and why. */
  readonly message: string;
  /** A stable code, from the service or the client. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  readonly fault?: ServiceFault | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  /** 1-based position in the document, if the failure has one. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly requestId?: string | undefined;
  /** A command that may help. */
  readonly nextStep?:
    | { readonly title: string; readonly command: string; readonly argument?: unknown }
    | undefined;
  /** Whether it fails again until the next step is taken, which is therefore offered first. */
  readonly isLasting?: boolean | undefined;
  readonly details?: FailureDetails | undefined;
}
