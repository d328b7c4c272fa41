/**
 * Runs a query over PostgreSQL's own protocol. PostgreSQL validates it and proves that it is a SELECT. Each Parse takes
 * only one statement, which PostgreSQL must accept as a cursor's query; this excludes INTO, data-modifying WITH, and
 * statements other than queries. Only then is it planned and run, as the unnamed statement, so that nothing is left
 * on a connection that a pooler shares. The transaction is read-only, uses a role that can read one schema, and is
 * always rolled back.
 */
import { encoderOf, type Encoder } from './encode.ts';
import type { Column, DatabaseFailure, RunRequest } from './messages.ts';
import type { BackendMessage, ErrorMessage, Step, Wire } from './wire.ts';

export interface RowSink {
  /** Called once, before the first rows. */
  begin(columns: readonly Column[]): void;
  rows(json: Uint8Array, ends: Uint32Array): void;
  /** Whether further rows would be dropped, so that reading can stop. */
  readonly isFull?: boolean;
}

export interface TypeName {
  readonly oid: number;
  /** With its schema if the name means another type of PostgreSQL, or could be read as an array. */
  readonly name: string;
  /** Between the elements of an array; PostGIS has others than a comma. */
  readonly delimiter: string;
}

/** By OID. */
export type TypeNames = ReadonlyMap<number, TypeName>;

/** An array is named by its element, or by the base type of that; `oidvector` and `int2vector` are no arrays in text. */
export const typeNamesSql = `WITH RECURSIVE bases (oid, base) AS (
    SELECT oid, oid FROM pg_catalog.pg_type WHERE typtype <> 'd'
    UNION ALL SELECT d.oid, b.base FROM pg_catalog.pg_type d JOIN bases b ON b.oid = d.typbasetype WHERE d.typtype = 'd'
  ), named AS (
    SELECT t.oid, CASE WHEN n.nspname = 'pg_catalog' OR NOT (t.typname LIKE '%[]' OR EXISTS (
        SELECT FROM pg_catalog.pg_type s WHERE s.typname = t.typname
          AND s.typnamespace = 'pg_catalog'::pg_catalog.regnamespace)) THEN t.typname::pg_catalog.text
      ELSE pg_catalog.format('%I.%I', n.nspname, t.typname) END AS name
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  ) SELECT t.oid::pg_catalog.int4 AS oid, coalesce(b.name || '[]', n.name) AS name,
    coalesce(e.typdelim, ',')::pg_catalog.text AS delimiter
  FROM pg_catalog.pg_type t JOIN named n ON n.oid = t.oid LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid
    LEFT JOIN bases ON bases.oid = e.oid LEFT JOIN named b ON b.oid = bases.base`;

export function typeNamesOf(rows: readonly TypeName[]): TypeNames {
  return new Map(rows.map((row) => [row.oid, row]));
}

/** Returns the connection to its initial state. */
export const finishSql = 'ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()';

/** Rows fetched before their width is known; afterward, as many as make up `bytesAtOnce`. */
const rowsAtFirst = 200;
const mostRowsAtOnce = 10_000;
const bytesAtOnce = 1_000_000;
/** Rows are passed on in chunks of about this size. */
const chunkLength = 262_144;
const sync: Step = { kind: 'sync' };

class QueryFailure extends Error {
  readonly failure: DatabaseFailure;
  constructor(failure: DatabaseFailure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** The connection that a query runs on. */
export interface Session {
  readonly wire: Wire;
  readonly types: TypeNames;
  /**
   * Returns the SQL of a simple query that starts the read-only transaction with the schema's search path and reader
   * role.
   */
  readonly begin: (schema: string) => string;
  /** SQL of a simple query that ends the transaction. */
  readonly finish: string;
}

export type QueryTask = Omit<RunRequest, 'kind' | 'id'>;

/** Runs a query and passes on columns and rows as they arrive. Returns undefined once all rows are sent. */
export async function runQuery(
  session: Session,
  request: QueryTask,
  sink: RowSink,
): Promise<{ failure: DatabaseFailure } | undefined> {
  const { wire } = session;
  let failure: DatabaseFailure | undefined;
  try {
    const parsed = await parse(session, request);
    await prove(wire, request.sql, parsed.parameterTypes);
    const types = await typesOf(session, parsed.fields);
    const columns = parsed.fields.map((field) => ({
      name: field.name,
      type: types.get(field.dataTypeID)?.name ?? 'unknown',
    }));
    sink.begin(columns);
    const encoders = parsed.fields.map(({ dataTypeID }) => {
      const { name, delimiter } = types.get(dataTypeID) ?? { name: 'unknown' };
      return encoderOf(name, delimiter);
    });
    await readRows(wire, request, { encoders, types: parsed.parameterTypes }, sink);
  } catch (error) {
    if (!(error instanceof QueryFailure)) {
      await wire.exchange({ kind: 'query', text: session.finish }).catch(() => undefined); // `error` says more
      throw error;
    }
    ({ failure } = error);
  }
  const finished = wire.exchange({ kind: 'query', text: session.finish });
  // A server that ended the connection said why, such as for its transaction_timeout.
  await (failure === undefined ? finished : finished.catch(() => undefined));
  return failure === undefined ? undefined : { failure };
}

/** A connection can be older than a type. */
async function typesOf({ wire, types }: Session, fields: Parsed['fields']): Promise<TypeNames> {
  if (fields.every(({ dataTypeID }) => types.has(dataTypeID))) return types;
  const answers = await wire.exchange({ kind: 'query', text: typeNamesSql });
  const error = errorOf(answers);
  if (error !== undefined) throw failed('run', { ...error, position: undefined });
  return typeNamesOf(
    answers.flatMap((answer) => {
      if (answer.name !== 'dataRow') return [];
      const [oid = null, name = null, delimiter = null] = answer.fields;
      return name === null || delimiter === null ? [] : [{ oid: Number(oid), name, delimiter }];
    }),
  );
}

interface Parsed {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly parameterTypes: readonly number[];
}

async function parse(session: Session, request: QueryTask): Promise<Parsed> {
  const { wire } = session;
  let answers: readonly BackendMessage[] = [];
  for (const types of [[], [...request.fallbackTypes]]) {
    await begin(session, request.schema);
    answers = await wire.exchange(
      { kind: 'parse', name: '', text: request.sql, types },
      { kind: 'describe', name: '' },
      sync,
    );
    const error = errorOf(answers);
    if (error === undefined) break;
    // On "could not determine data type of parameter", retry once with the values' own types.
    const undetermined = error.code === '42P18' && types.length === 0 && request.fallbackTypes.length > 0;
    if (!undetermined) throw failed('parse', error);
    await wire.exchange({ kind: 'query', text: 'ROLLBACK' }).catch((cause: unknown) => {
      throw failed('parse', error, cause); // the server ended the connection on its error
    });
  }
  let fields: Parsed['fields'] = [];
  let parameterTypes: readonly number[] = [];
  for (const answer of answers) {
    if (answer.name === 'rowDescription') fields = answer.fields;
    if (answer.name === 'parameterDescription') parameterTypes = answer.dataTypeIDs;
  }
  return { fields, parameterTypes };
}

/** SQLSTATEs of a name that is not there. */
export const changedSchema: ReadonlySet<string> = new Set(['42P01', '42703', '42883', '3F000']);

async function begin(session: Session, schema: string): Promise<void> {
  const answers = await session.wire.exchange({ kind: 'query', text: session.begin(schema) });
  const error = errorOf(answers);
  if (error === undefined) return;
  const code = error.code ?? '';
  if (/^(?:08|25|57P0)/.test(code))
    throw new Error(`A read-only transaction could not be started (${code}).`);
  // The transaction may begin with views, whose tables may be gone, locked or closed to the login.
  const hint = changedSchema.has(code)
    ? 'The service knows another state of the database. Refresh its models.'
    : error.hint;
  throw failed('run', { ...error, hint, position: undefined });
}

/** Fails unless PostgreSQL accepts the text as a cursor's query. */
async function prove(wire: Wire, sql: string, types: readonly number[]): Promise<void> {
  const text = `DECLARE proof NO SCROLL CURSOR FOR\n${sql}`;
  const answers = await wire.exchange({ kind: 'parse', name: '', text, types }, sync);
  const error = errorOf(answers);
  if (error !== undefined) throw failed('proof', { ...error, position: undefined });
}

async function readRows(
  wire: Wire,
  request: QueryTask,
  { encoders, types }: { readonly encoders: readonly Encoder[]; readonly types: readonly number[] },
  sink: RowSink,
): Promise<void> {
  let rows: string[] = [];
  let length = 0;
  let rowCount = 0;
  let byteCount = 0;
  const passOn = (): void => {
    if (rows.length === 0) return;
    const chunk = joinRows(rows);
    byteCount += chunk.json.length;
    rows = [];
    length = 0;
    if (byteCount <= request.byteLimit) sink.rows(chunk.json, chunk.ends);
  };
  const start: readonly Step[] = [
    { kind: 'parse', name: '', text: request.sql, types },
    { kind: 'bind', statement: '', values: request.values },
  ];
  for (let steps = start, fetched = rowsAtFirst; ; steps = []) {
    const seen: { isSuspended: boolean; failure: QueryFailure | undefined } = {
      isSuspended: false,
      failure: undefined,
    };
    await wire.stream([...steps, { kind: 'execute', rows: fetched }, sync], (answer) => {
      if (seen.failure !== undefined) return;
      if (answer.name === 'dataRow') {
        const row = rowToJson(answer.fields, encoders);
        rows.push(row);
        rowCount += 1;
        length += row.length;
        if (rowCount > request.rowLimit) seen.failure = limitReached(`more than ${request.rowLimit} rows`);
        else if (length >= chunkLength) passOn();
        if (byteCount > request.byteLimit)
          seen.failure ??= limitReached(`more than ${request.byteLimit} bytes`);
      } else if (answer.name === 'portalSuspended') seen.isSuspended = true;
      else if (answer.name === 'commandComplete' && !answer.text.startsWith('SELECT')) {
        const message = `${answer.text} is not a query`;
        seen.failure = failed('proof', { code: '25006', message, hint: undefined, position: undefined });
      } else if (answer.name === 'error') seen.failure = failed('run', answer);
    });
    if (seen.failure !== undefined) throw seen.failure;
    passOn();
    if (byteCount > request.byteLimit) throw limitReached(`more than ${request.byteLimit} bytes`);
    if (!seen.isSuspended || sink.isFull === true) return;
    fetched = Math.max(1, Math.min(mostRowsAtOnce, Math.floor((bytesAtOnce * rowCount) / byteCount)));
  }
}

function rowToJson(fields: readonly (string | null)[], encoders: readonly Encoder[]): string {
  let json = '[';
  for (let index = 0; index < encoders.length; index += 1) {
    if (index > 0) json += ',';
    const field = fields[index];
    json += field === null || field === undefined ? 'null' : (encoders[index]?.(field) ?? 'null');
  }
  return `${json}]`;
}

function joinRows(rows: readonly string[]): { json: Uint8Array; ends: Uint32Array } {
  const ends = new Uint32Array(rows.length);
  let end = -1;
  for (const [index, row] of rows.entries()) {
    end += 1 + Buffer.byteLength(row);
    ends[index] = end;
  }
  // Copy into a separate buffer, so that it can be transferred to another thread.
  return { json: new Uint8Array(new TextEncoder().encode(rows.join(','))), ends };
}

type ProtocolError = Omit<ErrorMessage, 'name'>;

function errorOf(answers: readonly BackendMessage[]): ProtocolError | undefined {
  const error = answers.find((answer) => answer.name === 'error');
  if (error === undefined) return undefined;
  // An Error's message is not enumerable, so copy the fields one at a time.
  return { code: error.code, message: error.message, hint: error.hint, position: error.position };
}

/** SQLSTATEs that say nothing of the query's text, such as that of a lock: already to read a query needs its tables. */
const ofServer = /^(?:40|53|55P|57)/;

function failed(phase: DatabaseFailure['phase'], error: ProtocolError, cause?: unknown): QueryFailure {
  const sqlState = error.code ?? 'XX000';
  const failure: DatabaseFailure = {
    phase: ofServer.test(sqlState) ? 'run' : phase,
    sqlState,
    message: error.message,
    hint: error.hint,
    position: error.position === undefined ? undefined : Number(error.position),
  };
  return new QueryFailure(failure, cause);
}

function limitReached(what: string): QueryFailure {
  return new QueryFailure({
    phase: 'limit',
    sqlState: '54000',
    message: `The result has ${what}, which is the most this service answers.`,
    hint: 'Add a LIMIT, or choose fewer columns.',
    position: undefined,
  });
}
