/** What every probe has at hand. */
import type { Asking } from './asking.ts';
import type { Found } from './finding.ts';

export interface ProbeContext {
  readonly ask: Asking;
  /** The first model that this client sees. */
  readonly model: string | undefined;
  /** What was met when the tokens were asked for. */
  readonly token: Found;
  /** Whether the service says in Allow which methods a path takes. */
  readonly tellsMethods: boolean;
}
