/** One run as it is told to whoever keeps a history: never a row, never a secret. */
import { createHash } from 'node:crypto';
import type { ParameterField, RunHeader } from '../results/index.ts';
import type { RememberedValue } from './parameters/memory.ts';
import type { Prepared } from './prepared-run.ts';
import type { RunOutcome } from './query-run.ts';

export interface RunRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  readonly title: string;
  /** The name of a value set, or which of several statements. */
  readonly part?: string | undefined;
  /** The document that was run. */
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
  /** All rows of the result where that is known, else those that were read; undefined unless there are rows. */
  readonly rowCount?: number | undefined;
  /** Whether there are more rows than that. */
  readonly hasMore?: boolean | undefined;
}

export interface RunRecordParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** Left out for a secret, and where values are not to be kept. */
  readonly value?: RememberedValue | undefined;
}

export function recordOf(run: {
  readonly prepared: Prepared;
  readonly header: RunHeader;
  readonly fields: readonly ParameterField[];
  readonly outcome: RunOutcome;
  readonly startedAt: number;
  readonly connectionKey: string;
}): RunRecord {
  const { prepared, header, outcome } = run;
  const { savedQuery, statement } = prepared;
  return {
    id: crypto.randomUUID(),
    startedAt: run.startedAt,
    ms: Math.round(outcome.ms),
    title: header.title,
    part: header.part,
    documentUri: prepared.document.uri.toString(),
    ...(savedQuery === undefined
      ? {}
      : {
          savedQuery: {
            id: savedQuery.id,
            version: savedQuery.version,
            isModified: header.isModified === true || header.lines !== undefined,
          },
        }),
    connection: header.connection ?? '',
    connectionKey: run.connectionKey,
    environment: header.environment,
    model: prepared.model,
    sql: statement.text,
    sha256: createHash('sha256').update(statement.text).digest('hex'),
    parameters: run.fields.map(({ name, type, isSecret, text, isNull, isEmpty }) => ({
      name,
      type,
      isSecret,
      ...(isSecret ? {} : { value: { text, isNull, isEmpty } }),
    })),
    outcome: outcome.kind,
    ...(outcome.failure?.code === undefined ? {} : { code: outcome.failure.code }),
    ...(outcome.kind === 'rows'
      ? {
          rowCount: outcome.totalRows ?? outcome.rowCount,
          hasMore: !outcome.isComplete && outcome.totalRows === undefined,
        }
      : {}),
  };
}
