/** Shared context of all probes. */
import type { Asking } from './asking.ts';
import type { Found } from './finding.ts';

export interface ProbeContext {
  readonly ask: Asking;
  /** The first model this client can see. */
  readonly model: string | undefined;
  /** The models whose tables the service lists. */
  readonly listingModels: readonly string[];
  /** The finding from the token request. */
  readonly token: Found;
  /** Whether the service lists a path's methods in the Allow header. */
  readonly tellsMethods: boolean;
}
