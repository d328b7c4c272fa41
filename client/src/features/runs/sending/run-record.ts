/** Creates a run's record for the history. */
import { createHash } from 'node:crypto';
import type { RunRecord } from '#core/history/run-record.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import type { ReadOutcome } from '#core/reading/page-reader.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { Prepared } from './prepared-run.ts';

export function recordOf(run: {
  readonly prepared: Prepared;
  readonly header: RunHeader;
  readonly fields: readonly ParameterField[];
  readonly outcome: ReadOutcome;
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
            ...(header.home === undefined ? {} : { connection: header.home }),
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
    ...factsOf(outcome),
  };
}

/** What the reader says of the rows, or why there are none. */
function factsOf(outcome: ReadOutcome): Pick<RunRecord, 'code' | 'rowCount' | 'hasMore'> {
  switch (outcome.kind) {
    case 'rows': {
      const { extent, rowCount, totalRows } = outcome;
      return { rowCount: totalRows ?? rowCount, hasMore: extent !== 'complete' && totalRows === undefined };
    }
    case 'failed':
      return outcome.failure.code === undefined ? {} : { code: outcome.failure.code };
    case 'cancelled':
      return {};
    default:
      return outcome satisfies never;
  }
}
