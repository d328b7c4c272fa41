/** Filter for the records of a collection. */
import type { ActivityWindow } from './activity-window.ts';

export interface RecordsFilter {
  /** A UUID; undefined for all application instances. */
  readonly applicationInstanceId?: string | undefined;
  /** Only for activities. */
  readonly window?: ActivityWindow | undefined;
}
