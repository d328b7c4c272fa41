/** Exports that clients asked for. A file is made while it is read, so nothing but the request is kept. */
import { randomUUID } from 'node:crypto';
import { numberOf, textOf, type RunSql, type StateDatabase, type StateRow } from './state-database.ts';

export interface ExportRequest {
  readonly client: string;
  readonly context: string;
  readonly format: string;
  /** How long the link is valid. */
  readonly minutes: number;
}

export interface KeptExport extends ExportRequest {
  readonly id: string;
  /** Milliseconds since 1970, by the clock of the state. */
  readonly expiresAt: number;
}

export interface ExportStore {
  /** Returns undefined if the client has too many. */
  create(request: ExportRequest): Promise<KeptExport | undefined>;
  find(id: string): Promise<(KeptExport & { readonly isOver: boolean }) | undefined>;
}

/** Called in the transaction of each new export. */
export type ExportWitness = (run: RunSql, kept: KeptExport) => Promise<void>;

/** Exports of one client whose links are valid. */
const mostOfClient = 1_000;
/** How long an expired link says that it is. */
const keptMs = 86_400_000;
const endOf = 'requested_at + minutes * 60000';
const columns = `id, client, context, format, minutes, ${endOf} AS expires_at`;

/**
 * @param options whether the state knows the clients, so that an export ends with its client, even where another one gets its name; what to do in the
 *   transaction of a new export
 */
export function exportsOf(
  state: StateDatabase,
  source: string,
  {
    hasClients = false,
    witness = () => Promise.resolve(),
  }: { readonly hasClients?: boolean; readonly witness?: ExportWitness } = {},
): ExportStore {
  const ofClient = hasClients
    ? 'AND EXISTS (SELECT 1 FROM state.clients c WHERE c.name = exports.client AND c.source = exports.source AND c.created_at <= exports.requested_at)'
    : '';
  return {
    create: ({ client, context, format, minutes }) =>
      state.write(async (run) => {
        await run(`DELETE FROM state.exports WHERE source = $1 AND ${endOf} < {now} - ${keptMs}`, [source]);
        const [valid] = await run(
          `SELECT count(*) AS count FROM state.exports WHERE source = $1 AND client = $2 AND ${endOf} > {now}`,
          [source, client],
        );
        if (numberOf(valid, 'count') >= mostOfClient) return undefined;
        const [row] = await run(
          `INSERT INTO state.exports (id, source, client, context, format, minutes, requested_at)
           VALUES ($1, $2, $3, $4, $5, $6, {now}) RETURNING ${columns}`,
          [randomUUID(), source, client, context, format, minutes],
        );
        const kept = keptIn(row);
        await witness(run, kept);
        return kept;
      }),
    find: async (id) => {
      const [row] = await state.read(
        `SELECT ${columns}, CASE WHEN ${endOf} > {now} THEN 0 ELSE 1 END AS is_over
         FROM state.exports WHERE id = $1 AND source = $2 ${ofClient}`,
        [id, source],
      );
      return row && { ...keptIn(row), isOver: numberOf(row, 'is_over') === 1 };
    },
  };
}

function keptIn(row: StateRow | undefined): KeptExport {
  return {
    id: textOf(row, 'id'),
    client: textOf(row, 'client'),
    context: textOf(row, 'context'),
    format: textOf(row, 'format'),
    minutes: numberOf(row, 'minutes'),
    expiresAt: numberOf(row, 'expires_at'),
  };
}

export async function sourceOfExport(state: StateDatabase, id: string): Promise<string | undefined> {
  const [row] = await state.read('SELECT source FROM state.exports WHERE id = $1', [id]);
  return row && textOf(row, 'source');
}
