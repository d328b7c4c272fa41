/**
 * Runs one query over PostgreSQL's own protocol. PostgreSQL decides what is valid and proves that it is a SELECT:
 * one statement a Parse, accepted as the query of a cursor (which takes no writing WITH, no INTO, nothing but
 * a query), in a read-only transaction under a role that may read one schema, always rolled back.
 */
import { messages, protocol, type PGlite } from '@electric-sql/pglite';
import { encoderOf } from './encode.ts';
import type { Column, DatabaseFailure, RunRequest } from './messages.ts';

/** Sends protocol messages and gives back what PostgreSQL answers up to "ready". */
export interface Wire {
  exchange(bytes: Uint8Array): Promise<readonly BackendMessage[]>;
}
export type BackendMessage = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number];

export interface RowSink {
  rows(json: Uint8Array, ends: Uint32Array): void;
}

/** Maps the OID of a type to its name. */
export type TypeNames = ReadonlyMap<number, string>;

const { serialize } = protocol;
const statementName = 'q';
const rowsAtOnce = 2_000;

class QueryFailure extends Error {
  readonly failure: DatabaseFailure;
  constructor(failure: DatabaseFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The role that may read the tables of a schema and nothing else. */
export function readerOf(schema: string): string {
  return `reader_${schema}`;
}

export async function runQuery(
  wire: Wire,
  types: TypeNames,
  request: RunRequest,
  sink: RowSink,
): Promise<{ columns: Column[] } | { failure: DatabaseFailure }> {
  try {
    const parsed = await parse(wire, request);
    await prove(wire, request, parsed.parameterTypes);
    const columns = parsed.fields.map((field) => ({
      name: field.name,
      type: types.get(field.dataTypeID) ?? 'unknown',
    }));
    await readRows(wire, request, columns, sink);
    return { columns };
  } catch (error) {
    if (error instanceof QueryFailure) return { failure: error.failure };
    throw error;
  } finally {
    await wire.exchange(serialize.query('ROLLBACK; DEALLOCATE ALL'));
  }
}

interface Parsed {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly parameterTypes: readonly number[];
}

async function parse(wire: Wire, request: RunRequest): Promise<Parsed> {
  let answers: readonly BackendMessage[] = [];
  for (const types of [[], [...request.fallbackTypes]]) {
    await begin(wire, request.schema);
    answers = await wire.exchange(
      concat(
        serialize.parse({ name: statementName, text: request.sql, types }),
        serialize.describe({ type: 'S', name: statementName }),
        serialize.sync(),
      ),
    );
    const error = errorOf(answers);
    if (error === undefined) break;
    // "could not determine data type of parameter": tell it the types the values have, once.
    const undetermined = error.code === '42P18' && types.length === 0 && request.fallbackTypes.length > 0;
    if (!undetermined) throw failed('parse', error);
    await wire.exchange(serialize.query('ROLLBACK'));
  }
  let fields: Parsed['fields'] = [];
  let parameterTypes: readonly number[] = [];
  for (const answer of answers) {
    if (answer instanceof messages.RowDescriptionMessage) fields = answer.fields;
    if (answer instanceof messages.ParameterDescriptionMessage) parameterTypes = answer.dataTypeIDs;
  }
  return { fields, parameterTypes };
}

async function begin(wire: Wire, schema: string): Promise<void> {
  const answers = await wire.exchange(
    serialize.query(
      `BEGIN READ ONLY; SET LOCAL search_path = "${schema}"; SET LOCAL ROLE "${readerOf(schema)}"; SET LOCAL timezone = 'UTC'`,
    ),
  );
  const error = errorOf(answers);
  if (error !== undefined)
    throw new Error(`A read-only transaction could not be started (${error.code ?? ''}).`);
}

/** Fails unless PostgreSQL takes the text as the query of a cursor. */
async function prove(wire: Wire, request: RunRequest, types: readonly number[]): Promise<void> {
  const text = `DECLARE proof NO SCROLL CURSOR FOR\n${request.sql}`;
  const answers = await wire.exchange(
    concat(serialize.parse({ name: '', text, types: [...types] }), serialize.sync()),
  );
  const error = errorOf(answers);
  if (error !== undefined) throw failed('proof', { ...error, position: undefined });
}

async function readRows(
  wire: Wire,
  request: RunRequest,
  columns: readonly Column[],
  sink: RowSink,
): Promise<void> {
  const encoders = columns.map((column) => encoderOf(column.type));
  const bind = serialize.bind({ statement: statementName, values: [...request.values] });
  const step = concat(serialize.execute({ rows: rowsAtOnce }), serialize.sync());
  let answers = await wire.exchange(concat(bind, step));
  let rowCount = 0;
  let byteCount = 0;
  for (;;) {
    const rows: string[] = [];
    let isSuspended = false;
    for (const answer of answers) {
      if (answer instanceof messages.DataRowMessage) rows.push(rowToJson(answer.fields, encoders));
      else if (answer.name === 'portalSuspended') isSuspended = true;
      else if (answer instanceof messages.CommandCompleteMessage && !answer.text.startsWith('SELECT')) {
        throw failed('proof', { code: '25006', message: `${answer.text} is not a query`, hint: undefined });
      }
    }
    const error = errorOf(answers);
    if (error !== undefined) throw failed('run', error);
    const chunk = joinRows(rows);
    rowCount += rows.length;
    byteCount += chunk.json.length;
    if (rowCount > request.rowLimit) throw limitReached(`more than ${request.rowLimit} rows`);
    if (byteCount > request.byteLimit) throw limitReached(`more than ${request.byteLimit} bytes`);
    if (rows.length > 0) sink.rows(chunk.json, chunk.ends);
    if (!isSuspended) return;
    answers = await wire.exchange(step);
  }
}

function rowToJson(
  fields: readonly (string | null)[],
  encoders: readonly ((text: string) => string)[],
): string {
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
  // A copy of its own memory, so that it can be handed over to another thread.
  return { json: new Uint8Array(new TextEncoder().encode(rows.join(','))), ends };
}

interface ProtocolError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  readonly position?: string | undefined;
}

function errorOf(answers: readonly BackendMessage[]): ProtocolError | undefined {
  const error = answers.find((answer) => answer instanceof messages.DatabaseError);
  if (error === undefined) return undefined;
  return { code: error.code, message: error.message, hint: error.hint, position: error.position };
}

function failed(phase: DatabaseFailure['phase'], error: ProtocolError): QueryFailure {
  return new QueryFailure({
    phase,
    sqlState: error.code ?? 'XX000',
    message: error.message ?? 'The database gave no reason.',
    hint: error.hint,
    position: error.position === undefined ? undefined : Number(error.position),
  });
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

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
