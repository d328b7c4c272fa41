/**
 * Compares inferred types with PostgreSQL on SQL from other projects: every SELECT in a folder of .sql files, whose
 * other statements create the tables. The check must accept each query that PostgreSQL accepts, with the same result
 * columns. For rejected queries, it counts the detection rate by error class. Prints JSON lines.
 *
 *     SQL=folder npm run fuzz -- meaning-files        PART=regular expression of file names, SHOWN=lines of examples
 */
import { PGlite } from '@electric-sql/pglite';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { Finding } from '#server/language/checks/finding.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { columnsDiffer } from '../helpers/described-columns.ts';
import { sqlFiles } from '../helpers/judged-statements.ts';
import { refusingCodes } from '../helpers/typed-queries.ts';

const folder = process.env['SQL'];
const part = new RegExp(process.env['PART'] ?? '.');
const shownMax = Number(process.env['SHOWN'] ?? 20);
const files = folder === undefined ? [] : sqlFiles(folder, part);

/** Syntax errors, missing relations, failed transactions: these have nothing to do with types. */
const otherErrors = new Set([
  '42601',
  '42P01',
  '3F000',
  '25P02',
  '0A000',
  '25001',
  '25006',
  '57014',
  '53200',
]);
/** Slow or waiting statements. PGlite may also read a DOCTYPE endlessly, and no time limit stops it. */
const slow = /pg_sleep|pg_terminate|generate_series\(\s*\d+,\s*\d{6,}|\bvacuum\b|^\s*copy\b|\\|<!doctype/i;
const errorNames: Readonly<Record<string, string>> = {
  '22000': 'data exception',
  '22003': 'number out of range',
  '22007': 'unreadable date or time',
  '22008': 'date or time out of range',
  '22015': 'interval out of range',
  '22023': 'invalid parameter',
  '2201B': 'invalid regular expression',
  '22P02': 'unreadable literal',
  '22P03': 'unreadable literal',
  '42702': 'ambiguous column',
  '42703': 'unknown column',
  '42704': 'unknown object',
  '42712': 'duplicate alias',
  '42725': 'ambiguous function',
  '42803': 'grouping',
  '42804': 'type mismatch',
  '42809': 'wrong object',
  '42846': 'cannot cast',
  '42883': 'unknown function or operator',
  '42P10': 'invalid column reference',
  '42P18': 'type cannot be told',
  '42P19': 'recursion',
  '42P20': 'windows',
  '42P22': 'collation',
};

/** PGlite crashed instead of rejecting the query, or its responses are out of sync after an earlier crash. */
class BrokenDatabase extends Error {}
const crash = /ERRORDATA_STACK_SIZE/;

/** Returns true if neither PostgreSQL nor the files define this function. The check can only report it as unknown. */
function isNobodys(refusal: string): boolean {
  const name = /^42883 function (?:\w+\.)*(\w+)\(/.exec(refusal)?.[1];
  return name !== undefined && loadTypeCatalogue().functions(name).length === 0;
}

interface Refused {
  count: number;
  found: number;
  readonly missed: string[];
}

const counts = {
  queries: 0,
  taken: 0,
  typedWhole: 0,
  wrongColumns: 0,
  falseAlarms: 0,
  /** Alarms caused by the files' own functions or operators, which model catalogs never contain. */
  ownObjects: 0,
  refused: 0,
  found: 0,
};
const classes = new Map<string, Refused>();
const shown: string[] = [];
const typeNames = new Map<number, string>();
const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
let database = await PGlite.create();
let models: readonly CatalogueModel[] | undefined;
let openFolder: string | undefined;

for (const file of files) {
  if (openFolder !== file.folder) {
    openFolder = file.folder;
    await renew();
  }
  try {
    for (const text of file.statements) {
      if (slow.test(text)) continue;
      await judge(file.path, text);
      await execute(text);
    }
    for (const text of ['ROLLBACK', 'RESET ALL', 'SET statement_timeout TO 3000']) await execute(text);
  } catch (error) {
    // Some of PostgreSQL's own test statements crash PGlite. Continue with the next file.
    if (!(error instanceof BrokenDatabase)) throw error;
    process.stderr.write(`${file.path}: PostgreSQL broke, the rest of the file was left out\n`);
    database = await PGlite.create();
    typeNames.clear();
    models = undefined;
    for (const first of files.filter((own) => own.folder === file.folder && own.isFirst)) {
      for (const text of first.statements) await execute(text);
    }
  }
}
for (const line of shown.slice(0, shownMax)) process.stdout.write(`${line}\n`);
for (const [kind, { count, found, missed }] of [...classes].sort((a, b) => b[1].count - a[1].count)) {
  process.stdout.write(
    `${JSON.stringify({ class: kind, refused: count, found, missed: missed.slice(0, shownMax) })}\n`,
  );
}
process.stdout.write(`${JSON.stringify({ fuzz: 'meaning-files', files: files.length, ...counts })}\n`);
if (folder === undefined) process.stdout.write('Nothing was judged: name a folder of .sql files in SQL.\n');
process.exitCode = counts.falseAlarms + counts.wrongColumns > 0 ? 1 : 0;
await parser.dispose();
await database.close();

/** Resets the database to an empty one. */
async function renew(): Promise<void> {
  const isClean = await database.exec('ROLLBACK; DROP SCHEMA public CASCADE; CREATE SCHEMA public').then(
    () => true,
    () => false,
  );
  if (!isClean) {
    await database.close();
    database = await PGlite.create();
    typeNames.clear();
  }
  models = undefined;
}

async function execute(text: string): Promise<void> {
  if (
    /^\s*(?:create|alter|drop|set|reset|begin|commit|rollback|end|abort|savepoint|select\b.*\binto|comment)\b/is.test(
      text,
    )
  ) {
    models = undefined;
  }
  try {
    await database.exec(text);
  } catch (error) {
    // Statements that PostgreSQL rejects are fine, but a crash is rethrown.
    refusalOf(error);
  }
}

async function judge(file: string, text: string): Promise<void> {
  const kind = await parser.parse([text], () => false);
  const [outcome] = kind ?? [];
  if (
    outcome?.kind !== 'parsed' ||
    outcome.node !== 'SelectStmt' ||
    outcome.writingParts.some(({ kind: own }) => own !== 'lock')
  ) {
    return;
  }
  const expected = await described(text);
  if (typeof expected === 'string' && otherErrors.has(expected.slice(0, 5))) return;
  models ??= await readModels();
  counts.queries++;
  const analysis = await analyser.analyse(text, {
    isSavedQuery: false,
    catalogue: { models },
    model: 'public',
  });
  const alarms = (analysis?.findings ?? []).filter(
    ({ code, severity }) => refusingCodes.has(code) && code !== 'UNKNOWN_TABLE' && severity !== 'information',
  );
  const short = text.replaceAll(/\s+/g, ' ').slice(0, 300);
  const messages = alarms.map(({ code, message }) => `${code} ${message}`);
  const refusal =
    typeof expected === 'string' ? expected : alarms.length > 0 ? await failure(text) : undefined;
  if (refusal !== undefined) {
    const code = refusal.slice(0, 5);
    if (otherErrors.has(code)) return;
    const name = isNobodys(refusal)
      ? `function of nobody (${code})`
      : `${errorNames[code] ?? 'other'} (${code})`;
    const counted = classes.get(name) ?? { count: 0, found: 0, missed: [] };
    classes.set(name, counted);
    counted.count++;
    counts.refused++;
    if (alarms.length > 0) {
      counted.found++;
      counts.found++;
    } else {
      counted.missed.push(`${file}: ${refusal} ## ${short}`);
    }
    return;
  }
  if (typeof expected !== 'object') return;
  const columns = analysis?.statements[0]?.types?.columns;
  if (expected.length === 0 && (columns?.length ?? 0) > 0) throw new BrokenDatabase('No columns came back.');
  counts.taken++;
  if (alarms.length > 0) {
    if (await areAboutOwnObjects(alarms)) counts.ownObjects++;
    else counts.falseAlarms++;
    shown.push(JSON.stringify({ falseAlarm: messages, file, text: short }));
  }
  if (columns?.every(({ name, type }) => name !== undefined && type !== undefined) === true)
    counts.typedWhole++;
  const isWrong = columns !== undefined && columnsDiffer(columns, expected);
  if (isWrong) {
    counts.wrongColumns++;
    const own = columns.map(({ name, type }) => [name, type]);
    shown.push(JSON.stringify({ columns: own, expected, file, text: short }));
  }
}

/** `t.f` may call the files' function `f(t)`, and `a = b` their operator. */
async function areAboutOwnObjects(alarms: readonly Pick<Finding, 'code' | 'message'>[]): Promise<boolean> {
  for (const { code, message } of alarms) {
    const [, column] = code === 'UNKNOWN_COLUMN' ? (/There is no column "(.+?)"/.exec(message) ?? []) : [];
    const [, operator] = /^operator does not exist: \S.*? ([+*/<>=~!@#%^&|`?-]+) /.exec(message) ?? [];
    const { rows } = await database.query(
      `SELECT 1 FROM pg_proc WHERE oid >= 16384 AND proname = $1
       UNION ALL SELECT 1 FROM pg_operator WHERE oid >= 16384 AND oprname = $2`,
      [column ?? '', operator ?? ''],
    );
    if (rows.length === 0) return false;
  }
  return true;
}

/** Returns PostgreSQL's result columns, or its code and message if it rejects the query. */
async function described(
  text: string,
): Promise<string | readonly { readonly name: string; readonly type: string }[]> {
  try {
    const { resultFields } = await database.describeQuery(text);
    const columns = [];
    for (const { name, dataTypeID } of resultFields) columns.push({ name, type: await typeName(dataTypeID) });
    return columns;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Returns why PostgreSQL fails to run a query that it could describe, or undefined. */
async function failure(text: string): Promise<string | undefined> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(text);
      await transaction.rollback();
    });
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): string {
  // PGlite errors carry PostgreSQL's fields.
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (code === undefined || crash.test(message)) throw new BrokenDatabase(message, { cause: error });
  return `${code} ${message}`;
}

async function typeName(oid: number): Promise<string> {
  const known = typeNames.get(oid);
  if (known !== undefined) return known;
  const { rows } = await database.query<{ name: string }>('SELECT format_type($1, NULL) AS name', [oid]);
  const name = rows[0]?.name;
  if (name === undefined) throw new BrokenDatabase('The type has no name.');
  // PostgreSQL may reuse the OIDs of dropped user types, so only built-in ones are cached.
  if (oid < 16_384) typeNames.set(oid, name);
  return name;
}

async function readModels(): Promise<readonly CatalogueModel[]> {
  try {
    const { rows } = await database.query<
      Record<'model' | 'name' | 'column' | 'type', string> & { readonly nullable: boolean }
    >(
      `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN 'public' ELSE n.nspname END AS model, c.relname AS name,
         a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'p', 'm', 'f')
         AND n.nspname NOT IN ('pg_toast', 'pg_catalog', 'information_schema')
         AND (n.nspname <> 'public' OR pg_table_is_visible(c.oid)) ORDER BY 1, 2, a.attnum`,
    );
    const byModel = Map.groupBy(rows, ({ model }) => model);
    return ['public', ...[...byModel.keys()].filter((name) => name !== 'public')].map((model) => ({
      name: model,
      tables: [...Map.groupBy(byModel.get(model) ?? [], ({ name }) => name)].map(([name, own]) => ({
        name,
        columns: own.map(({ column, type, nullable }) => ({ name: column, type, nullable })),
      })),
    }));
  } catch (error) {
    refusalOf(error);
    return [];
  }
}
