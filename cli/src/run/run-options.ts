/** The options of `run`. */
import type { SeveralOptions } from '../connections/choose-several.ts';
import type { ConnectionOptions } from '../service.ts';
import type { TimeLimitOptions } from '../time-limit.ts';
import type { Allowance } from './allow.ts';
import type { RowsOptions } from './send-rows.ts';

export interface RunOptions extends ConnectionOptions, SeveralOptions, RowsOptions, TimeLimitOptions {
  readonly saved?: string;
  readonly model?: string;
  readonly param: readonly string[];
  readonly null: readonly string[];
  readonly allow: readonly Allowance[];
  readonly partial?: boolean;
}
