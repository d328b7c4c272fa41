/**
 * Opens the person's own DuckDB, and locks it before it sees their text: no file but the given ones, no network, no
 * extension, no setting, a limit of memory. Only one SELECT runs.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { jsonText, parseJson } from '#api/client/json.ts';
import { messageOf } from '#base/errors.ts';
import { quoteName, quoteText } from '#base/sql-names.ts';
import { jsonKey } from '../rows/json-key.ts';
import { jsonFunctions } from './arranged-sql.ts';
import type { DuckDbTask, GivenFile } from './duckdb-messages.ts';

/** What is used of `@duckdb/node-api`, of any version. */
interface Library {
  readonly DuckDBInstance: {
    create(
      file: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<Connection> }>;
  };
  readonly StatementType: Readonly<Record<string, unknown>>;
  readonly VARCHAR?: unknown;
  /** Later versions take functions of ours. */
  readonly DuckDBScalarFunction?: {
    create(given: {
      readonly name: string;
      readonly mainFunction: (info: unknown, input: Input, output: Output) => void;
      readonly returnType: unknown;
      readonly parameterTypes: readonly unknown[];
    }): unknown;
  };
}

interface Input {
  getColumnValues(column: number): readonly unknown[];
}

interface Output {
  setItem(row: number, value: unknown): void;
  flush(): void;
}

interface Connection {
  registerScalarFunction?(made: unknown): void;
  run(sql: string): Promise<unknown>;
  extractStatements(sql: string): Promise<{
    readonly count: number;
    prepare(index: number): Promise<{ readonly statementType: unknown; stream(): Promise<RowStream> }>;
  }>;
}

export interface RowStream {
  deduplicatedColumnNames(): readonly string[];
  columnTypes(): readonly { toString(): string; readonly alias?: string | undefined }[];
  fetchChunk(): Promise<{ readonly rowCount: number; getRows(): readonly (readonly unknown[])[] } | null>;
}

export class TaskError extends Error {
  readonly reason: 'load' | 'not-select';

  constructor(reason: 'load' | 'not-select', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Functions by which a SELECT would change settings, write, or run a text that is not the one that was looked at. */
const isRefused = (name: string): boolean =>
  /^(?:enable|disable|force|truncate)_/.test(name) || others.has(name);
const others: ReadonlySet<string> = new Set([
  ...['write_log', 'checkpoint', 'query', 'query_table', 'json_execute_serialized_sql'],
  ...['arrow_scan', 'arrow_scan_dumb'],
]);

/** @throws TaskError; an error of DuckDB */
export async function runLocked(task: DuckDbTask): Promise<RowStream> {
  const { connection, select } = await open(task);
  return await start(connection, task.sql, select);
}

async function open({ library, files, memoryMb, threads, spillFolder }: DuckDbTask): Promise<{
  readonly connection: Connection;
  readonly select: unknown;
}> {
  const loaded = load(library);
  const { DuckDBInstance, StatementType } = loaded;
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMb}MB`,
    temp_directory: spillFolder,
    max_temp_directory_size: '20GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
  });
  const connection = await instance.connect();
  await giveJsonFunctions(connection, loaded);
  await connection.run(`SET allowed_paths = [${files.map((file) => quoteText(file.path)).join(', ')}]`);
  for (const file of files)
    await connection.run(`CREATE VIEW ${quoteName(file.name)} AS SELECT * FROM ${reader(file)}`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return { connection, select: StatementType['SELECT'] };
}

/** DuckDB's own JSON rounds numbers, and tells members in another order apart, so that only an older one uses it. */
export async function giveJsonFunctions(
  connection: Connection,
  { DuckDBScalarFunction, VARCHAR }: Omit<Library, 'DuckDBInstance' | 'StatementType'>,
): Promise<void> {
  const made = { text: compactJson, key: jsonKey };
  for (const [kind, name] of Object.entries(jsonFunctions)) {
    if (connection.registerScalarFunction === undefined || DuckDBScalarFunction === undefined) {
      const own = `coalesce(CAST(json(TRY_CAST(text AS JSON)) AS VARCHAR), text)`;
      await connection.run(`CREATE MACRO ${name}(text) AS nullif(${own}, 'null')`);
      continue;
    }
    const convert = (text: unknown) => {
      if (typeof text !== 'string') return null;
      const converted = made[kind as keyof typeof made](text); // the same names
      return converted === 'null' ? null : converted;
    };
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        mainFunction: (_, input, output) => {
          for (const [row, text] of input.getColumnValues(0).entries()) output.setItem(row, convert(text));
          output.flush();
        },
        returnType: VARCHAR,
        parameterTypes: [VARCHAR],
      }),
    );
  }
}

function compactJson(text: string): string {
  try {
    return jsonText(parseJson(text));
  } catch {
    return text; // a file may contain anything
  }
}

async function start(connection: Connection, sql: string, select: unknown): Promise<RowStream> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new TaskError('not-select', '');
  const prepared = await statements.prepare(0);
  if (select === undefined || prepared.statementType !== select) throw new TaskError('not-select', '');
  await requirePlain(connection, sql);
  return await prepared.stream();
}

/** DuckDB itself tells which functions the text calls. @throws TaskError */
async function requirePlain(connection: Connection, sql: string): Promise<void> {
  const statements = await connection.extractStatements(`SELECT json_serialize_sql(${quoteText(sql)})`);
  const read = await (await statements.prepare(0)).stream();
  const [row] = (await read.fetchChunk())?.getRows() ?? [];
  const tree: unknown = JSON.parse(String(row?.[0]));
  const isPlain = (node: unknown): boolean => {
    if (typeof node !== 'object' || node === null) return true;
    const { function_name: called, error } = node as {
      readonly function_name?: unknown;
      readonly error?: unknown;
    };
    if (error === true) return false;
    if (typeof called === 'string' && isRefused(called.toLowerCase())) return false;
    return Object.values(node).every(isPlain);
  };
  if (!isPlain(tree)) throw new TaskError('not-select', '');
}

function load(library: string): Library {
  try {
    return createRequire(path.join(library, 'package.json'))(library) as Library; // checked below
  } catch (error) {
    throw new TaskError('load', messageOf(error));
  }
}

/**
 * Values stay as they are written: 007 in CSV is no number, and a text in JSON no time. Nothing is guessed: no line is
 * skipped, and no column comes from the name of a folder.
 */
function reader({ path: file, format, isNumbered }: GivenFile): string {
  const given = (call: string, options: readonly string[]) =>
    `${call}(${[quoteText(file), 'hive_partitioning = false', ...options].join(', ')})`;
  switch (format) {
    case 'parquet':
      return given('read_parquet', isNumbered === true ? ['file_row_number = true'] : []);
    case 'csv':
    case 'tsv':
      return given('read_csv', [
        ...['header = true', 'all_varchar = true', `delim = ${format === 'csv' ? "','" : "'\t'"}`],
        ...[`quote = '"'`, `escape = '"'`, 'skip = 0', "comment = ''", 'allow_quoted_nulls = false'],
      ]);
    case 'json':
    case 'jsonl':
      return given('read_json', [
        ...[`format = ${format === 'json' ? "'array'" : "'newline_delimited'"}`, 'sample_size = -1'],
        ...["dateformat = '@'", "timestampformat = '@'"],
      ]);
    default:
      return format satisfies never;
  }
}
