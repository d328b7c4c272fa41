/** Runs a query and returns its evidence: digests of the text and the rows, never the rows. */
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { evidenceOf, type Evidence } from '#core/evidence/evidence.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { offsetWithin } from '#core/runs/source-positions.ts';
import type { CliContext } from '../context.ts';
import { executeQuery, type PreparedQuery } from '../run/execute.ts';
import { storeTarget } from '../run/store-target.ts';
import type { Service } from '../service.ts';

export interface EvidenceRun {
  readonly prepared: PreparedQuery;
  /** The whole text of the query. */
  readonly text: string;
  /** The saved query that has this text, if any. */
  readonly saved: SavedQuery | undefined;
  /** Name of the query without a saved one. */
  readonly name: string;
  /** Rows to read and digest at most; all by default. */
  readonly limit: number | undefined;
  readonly version: string;
}

/** @throws CliError if rows are missing. */
export async function runForEvidence(
  context: CliContext,
  service: Service,
  { prepared, text, saved, name, limit, version }: EvidenceRun,
): Promise<Evidence> {
  const factory = createWorkerData(new URL('results-worker.cjs', import.meta.url));
  try {
    const startedAt = Date.now();
    const target = storeTarget(factory);
    const { rowCount, isComplete } = await executeQuery(context, service, {
      prepared,
      target,
      isSilent: false,
      limit,
    });
    const { data, columns } = target.held();
    const digest = await data.ask('digest', { rowCount }, { signal: context.signal });
    const { profile } = service;
    const { statement, fields, request, model } = prepared;
    return evidenceOf({
      facts: {
        startedAt,
        service: serviceKeyOf(profile),
        model,
        savedQuery:
          saved === undefined ? undefined : { id: saved.query_id, name: saved.name, version: saved.version },
        text,
        statement: {
          text: statement.text,
          offset: offsetWithin(text, { line: 0, character: 0 }, statement.range.start),
        },
        parameters: fields.map(({ name: parameter, type, isSecret, text: entered, isNull, isEmpty }) =>
          isSecret
            ? { name: parameter, type, isSecret }
            : {
                name: parameter,
                type,
                isSecret,
                ...(isNull || isEmpty || entered === '' ? {} : { entered }),
                value: request.parameters?.[parameter] ?? null,
              },
        ),
      },
      header: {
        title: saved?.name ?? name,
        parameters: [],
        connection: profile.name,
        environment: profile.environment,
      },
      columns,
      digest,
      totalRows: isComplete ? rowCount : undefined,
      isComplete,
      finishedAt: Date.now(),
      extensionVersion: version,
    });
  } finally {
    await factory.dispose();
  }
}
