/**
 * Compares inferred types with PostgreSQL on random queries over the sandbox's tables, valid and invalid, and on the
 * queries that ship with the sandbox. The check must accept each query that PostgreSQL accepts, with the same result
 * columns and types. For rejected queries, it counts the detection rate by kind of mistake. Prints JSON lines.
 *
 *     npm run fuzz -- meaning        COUNT=10000 SEED=1 in the environment
 */
import { PGlite } from '@electric-sql/pglite';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { schemaNames, schemaSql } from '#service/data/tables/schema.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { columnsDiffer } from '../helpers/described-columns.ts';
import { isPlaceholderFree, QueryMaker, refusingCodes } from '../helpers/typed-queries.ts';

const count = Number(process.env['COUNT'] ?? 10_000);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const shownMax = 10;

const database = await PGlite.create();
await database.exec(schemaSql());
const models = await readModels();
const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);

const counts = { queries: 0, taken: 0, typedWhole: 0, wrongColumns: 0, falseAlarms: 0 };
const classes = new Map<string, { refused: number; found: number; missed?: string }>();
const shown: string[] = [];
const typeNames = new Map<number, string>();

const maker = new QueryMaker(models, seed);
const texts = [
  ...sampleQueries
    .filter(({ query_string: text }) => isPlaceholderFree(text))
    .map(({ query_string: text, model }) => ({ kind: 'sample', text, model })),
  ...Array.from({ length: count }, () => ({ ...maker.query(), model: 'platform_identity' })),
];
for (const { kind, text, model } of texts) {
  await judge(kind, text, model);
}
for (const line of shown.slice(0, shownMax)) process.stdout.write(`${line}\n`);
for (const [kind, { refused, found, missed }] of [...classes].sort()) {
  process.stdout.write(
    `${JSON.stringify({ class: kind, refused, found, ...(missed === undefined ? {} : { missed }) })}\n`,
  );
}
process.stdout.write(`${JSON.stringify({ fuzz: 'meaning', seed, ...counts })}\n`);
process.exitCode = counts.falseAlarms + counts.wrongColumns > 0 ? 1 : 0;
await parser.dispose();
await database.close();

async function judge(kind: string, text: string, model: string): Promise<void> {
  counts.queries++;
  await database.exec(`SET search_path TO ${model}`);
  const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue: { models }, model });
  const alarms = (analysis?.findings ?? []).filter(
    ({ code, severity }) => refusingCodes.has(code) && severity !== 'information',
  );
  const expected = await described(text);
  if (expected === undefined) {
    const counted = classes.get(kind) ?? { refused: 0, found: 0 };
    counted.refused++;
    if (alarms.length > 0) counted.found++;
    else counted.missed ??= text;
    classes.set(kind, counted);
    return;
  }
  counts.taken++;
  if (alarms.length > 0) {
    counts.falseAlarms++;
    shown.push(JSON.stringify({ falseAlarm: alarms.map(({ message }) => message), text }));
  }
  const columns = analysis?.statements[0]?.types?.columns;
  const isWhole = columns?.every(({ name, type }) => name !== undefined && type !== undefined) === true;
  if (isWhole) counts.typedWhole++;
  const isWrong = columns !== undefined && columnsDiffer(columns, expected);
  if (isWrong) {
    counts.wrongColumns++;
    shown.push(JSON.stringify({ columns: columns.map(({ name, type }) => [name, type]), expected, text }));
  }
}

/** Returns PostgreSQL's result columns, or undefined if it rejects the query. */
async function described(
  text: string,
): Promise<readonly { readonly name: string; readonly type: string }[] | undefined> {
  try {
    const { resultFields } = await database.describeQuery(text);
    const columns = [];
    for (const { name, dataTypeID } of resultFields) {
      columns.push({ name, type: await typeName(dataTypeID) });
    }
    return columns;
  } catch (error) {
    // PGlite errors carry PostgreSQL's fields. An error without them is a bug in this program.
    if ((error as { readonly code?: string }).code === undefined) throw error;
    return undefined;
  }
}

async function typeName(oid: number): Promise<string> {
  const known = typeNames.get(oid);
  if (known !== undefined) return known;
  const { rows } = await database.query<{ name: string }>('SELECT format_type($1, NULL) AS name', [oid]);
  typeNames.set(oid, rows[0]?.name ?? '');
  return rows[0]?.name ?? '';
}

async function readModels(): Promise<readonly CatalogueModel[]> {
  const { rows } = await database.query<{
    model: string;
    name: string;
    column: string;
    type: string;
    nullable: boolean;
  }>(
    `SELECT n.nspname AS model, c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
       NOT a.attnotnull AS nullable
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND a.attnum > 0 AND c.relkind IN ('r', 'v') ORDER BY 1, 2, a.attnum`,
    [[...schemaNames]],
  );
  return schemaNames.map((name) => {
    const own = rows.filter(({ model }) => model === name);
    return {
      name,
      tables: [...new Set(own.map((row) => row.name))].map((table) => ({
        name: table,
        columns: own
          .filter((row) => row.name === table)
          .map(({ column, type, nullable }) => ({ name: column, type, nullable })),
      })),
    };
  });
}
