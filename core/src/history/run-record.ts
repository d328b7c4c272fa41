/** A run as recorded in the history. Contains no rows and no secrets. */
import type { RememberedValue } from '../parameters/memory.ts';

export interface RunRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  readonly title: string;
  /** The name of the value set, or the number of the statement. */
  readonly part?: string | undefined;
  readonly documentUri: string;
  readonly savedQuery?:
    | {
        readonly id: string;
        readonly version: number;
        readonly isModified: boolean;
        /** The connection that the query belongs to, if another one ran it. */
        readonly connection?: string | undefined;
      }
    | undefined;
  readonly connection: string;
  readonly connectionKey: string;
  readonly environment?: string | undefined;
  readonly model: string;
  /** The statement as typed, with its placeholders. */
  readonly sql: string;
  readonly sha256: string;
  readonly parameters: readonly RunRecordParameter[];
  readonly outcome: 'rows' | 'failed' | 'cancelled';
  /** The error code of a failed run. */
  readonly code?: string | undefined;
  /** The total number of rows if known, otherwise the number read; undefined if the run returned no rows. */
  readonly rowCount?: number | undefined;
  /** Whether the service has more rows than `rowCount`. */
  readonly hasMore?: boolean | undefined;
}

export interface RunRecordParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** Omitted for secrets, and if the settings forbid storing values. */
  readonly value?: RememberedValue | undefined;
}
