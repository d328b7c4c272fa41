/** Shared context of all probes. */
import type { Asking } from './asking.ts';
import type { Found } from './finding.ts';

export interface ProbeContext {
  readonly ask: Asking;
  /** The first model this client can see. */
  readonly model: string | undefined;
  /** Observations from the token request. */
  readonly token: Found;
  /** Whether the service reports a path's methods in Allow. */
  readonly tellsMethods: boolean;
}
