/** A run as reported to the history: never a row, never a secret. */
import type { RememberedValue } from '../parameters/memory.ts';

export interface RunRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  readonly title: string;
  /** The name of a value set, or the number of the statement. */
  readonly part?: string | undefined;
  /** The executed document. */
  readonly documentUri: string;
  readonly savedQuery?:
    { readonly id: string; readonly version: number; readonly isModified: boolean } | undefined;
  readonly connection: string;
  readonly connectionKey: string;
  readonly environment?: string | undefined;
  readonly model: string;
  /** The statement as typed, with its placeholders. */
  readonly sql: string;
  readonly sha256: string;
  readonly parameters: readonly RunRecordParameter[];
  readonly outcome: 'rows' | 'failed' | 'cancelled';
  /** The code of the failure. */
  readonly code?: string | undefined;
  /** All rows of the result if known, else the rows read; undefined without rows. */
  readonly rowCount?: number | undefined;
  /** Whether there are more rows than that. */
  readonly hasMore?: boolean | undefined;
}

export interface RunRecordParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** Omitted for secrets, and if values must not be stored. */
  readonly value?: RememberedValue | undefined;
}
