/** Filter for the records of a collection. */
import type { ActivityWindow } from './activity-window.ts';

export interface RecordsFilter {
  /** A UUID; undefined: all application instances. */
  readonly applicationInstanceId?: string | undefined;
  /** Activities only. */
  readonly window?: ActivityWindow | undefined;
}
