/** The options of `run`. */
import type { SeveralOptions } from '../connections/choose-several.ts';
import type { ConnectionOptions } from '../service.ts';
import type { TimeLimitOptions } from '../time-limit.ts';
import type { QueryValues } from './query-values.ts';
import type { RowsOptions } from './send-rows.ts';

export interface RunOptions
  extends ConnectionOptions, SeveralOptions, RowsOptions, QueryValues, TimeLimitOptions {
  readonly saved?: string;
  readonly model?: string;
  readonly partial?: boolean;
}
