/**
 * Compares inferred types with PostgreSQL over random catalogs (domains, enumerations, composite types, their arrays,
 * and functions and operators that PostgreSQL lacks): no false alarms and no wrong types. The same texts are then
 * broken at random places: no crashes and no slow checks. Prints JSON lines.
 *
 *     npm run fuzz -- meaning-catalogues        ROUNDS=20 COUNT=200 SEED=1 in the environment
 */
import { PGlite } from '@electric-sql/pglite';
import { Analyser } from '#server/language/checks/analyser.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { refusingCodes } from '../helpers/typed-queries.ts';

const rounds = Number(process.env['ROUNDS'] ?? 20);
const count = Number(process.env['COUNT'] ?? 200);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
/** Detects hangs. Generous, for a machine under load. */
const slowMs = 5_000;
let state = seed || 1;

const ownTypes = `
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TYPE pair AS (a int, b text);
  CREATE DOMAIN mail AS text CHECK (VALUE LIKE '%@%');
  CREATE DOMAIN score AS numeric(6,2) NOT NULL;
  CREATE DOMAIN tags AS text[];
  CREATE DOMAIN whole AS int;
  CREATE DOMAIN moment AS timestamptz;
  CREATE DOMAIN papers AS jsonb;
  CREATE DOMAIN mailbox AS mail NOT NULL;
  CREATE DOMAIN feeling AS mood;
  CREATE DOMAIN "Date" AS text;
  CREATE TYPE span AS RANGE (subtype = float8);
  CREATE FUNCTION own_scalar(int) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$;
  CREATE FUNCTION own_scalar(mood) RETURNS mood LANGUAGE sql AS $$ SELECT $1 $$;
  CREATE FUNCTION own_any(anyelement) RETURNS anyarray LANGUAGE sql AS $$ SELECT ARRAY[$1] $$;
  CREATE FUNCTION own_rows(int) RETURNS TABLE (n int, m mood) LANGUAGE sql AS $$ SELECT $1, 'ok'::mood $$;
  CREATE FUNCTION own_differs(mood, mood) RETURNS bool LANGUAGE sql AS $$ SELECT $1 <> $2 $$;
  CREATE OPERATOR <~> (LEFTARG = mood, RIGHTARG = mood, FUNCTION = own_differs);
`;
const types =
  `integer|bigint|smallint|numeric(8,2)|double precision|real|text|character varying(20)|character(3)|boolean|date
 |timestamp with time zone|timestamp without time zone|time without time zone|interval|uuid|json|jsonb|inet|cidr|macaddr|bytea
 |bit(4)|xml|point|int4range|tstzrange|int4multirange|oid|name|money|tsvector|text[]|integer[]|jsonb[]|mood|pair|mail|score|tags
 |span|mood[]|pair[]|mail[]|whole|moment|papers|mailbox|feeling|"Date"|whole[]|"char"|regclass|jsonpath`
    .split('|')
    .map((type) => type.trim());
const operators =
  `= <> < > <= >= + - * / % || -> ->> #> @> <@ && ? ~ ~* !~ LIKE ILIKE ^ & # << >> -|- <~> @@ AND OR`
    .split(/\s+/)
    .filter((operator) => operator !== '');

const catalogue = loadTypeCatalogue();
const functions = [
  ...catalogue
    .functionNames()
    .filter((name) => /^[a-z][a-z0-9_]*$/.test(name) && !/^(?:pg_|binary_upgrade|lo_|txid|ri_)/.test(name)),
  'own_scalar',
  'own_any',
  'own_scalar',
  'nobodys',
];
const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
const counts = {
  queries: 0,
  taken: 0,
  refused: 0,
  found: 0,
  falseAlarms: 0,
  wrongTypes: 0,
  broken: 0,
  slow: 0,
};
let slowestMs = 0;

for (let round = 0; round < rounds; round++) {
  const database = await PGlite.create();
  await database.exec(ownTypes);
  const columns = Array.from({ length: 12 }, (_, index) => ({
    name: `c${index}`,
    type: one(types),
    nullable: chance(0.7),
  }));
  const list = columns.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '' : ' NOT NULL'}`);
  await database.exec(`CREATE TABLE t (${list.join(', ')})`);
  const models: readonly CatalogueModel[] = [{ name: 'public', tables: [{ name: 't', columns }] }];
  const names = columns.map(({ name }) => name);
  for (let nth = 0; nth < count; nth++) {
    const text = query(names);
    await judge(database, models, text);
    await breakUp(models, text);
  }
  await database.close();
}
process.stdout.write(
  `${JSON.stringify({ fuzz: 'meaning-catalogues', seed, ...counts, slowestMs: Math.round(slowestMs) })}\n`,
);
process.exitCode = counts.falseAlarms + counts.wrongTypes + counts.slow > 0 ? 1 : 0;
await parser.dispose();

async function judge(database: PGlite, models: readonly CatalogueModel[], text: string): Promise<void> {
  counts.queries++;
  const analysis = await analyser.analyse(text, {
    isSavedQuery: true,
    catalogue: { models },
    model: 'public',
  });
  const alarms = (analysis?.findings ?? []).filter(
    ({ code, severity }) => refusingCodes.has(code) && severity !== 'information',
  );
  let expected;
  try {
    expected = (await database.describeQuery(text)).resultFields;
  } catch (error) {
    // PGlite errors carry PostgreSQL's fields. An error without them is a bug in this program.
    if ((error as { readonly code?: string }).code === undefined) throw error;
    counts.refused++;
    if (alarms.length > 0) counts.found++;
    return;
  }
  counts.taken++;
  if (alarms.length > 0) {
    // An alarm is not false if the query fails at run time.
    const isRun = await database.query(text).then(
      () => true,
      () => false,
    );
    if (isRun) {
      counts.falseAlarms++;
      process.stdout.write(
        `${JSON.stringify({ falseAlarm: alarms.map(({ message }) => message), columns: models[0]?.tables?.[0]?.columns, text })}\n`,
      );
    }
  }
  for (const [index, column] of (analysis?.statements[0]?.types?.columns ?? []).entries()) {
    const { rows } = await database.query<{ name: string }>('SELECT format_type($1, NULL) AS name', [
      expected[index]?.dataTypeID,
    ]);
    if (column.type !== undefined && column.type !== rows[0]?.name) {
      counts.wrongTypes++;
      process.stdout.write(
        `${JSON.stringify({ type: column.type, expected: rows[0]?.name, columns: models[0]?.tables?.[0]?.columns, text })}\n`,
      );
    }
  }
}

/** Edits the text so that it looks unfinished: truncated, a part removed, a part duplicated, or a token inserted. */
async function breakUp(models: readonly CatalogueModel[], text: string): Promise<void> {
  const [from, to] = [number(text.length), number(text.length)].sort((a, b) => a - b);
  const pieces = [
    text.slice(0, from),
    text.slice(0, from) + text.slice(to),
    text.slice(0, to) + text.slice(from),
    text.slice(0, from) +
      one(['(', ')', "'", ',', '::', ' SELECT ', ' FROM ', '*', ' OVER (', '[']) +
      text.slice(from),
  ];
  for (const piece of pieces) {
    counts.broken++;
    const started = performance.now();
    const analysis = await analyser.analyse(piece, {
      isSavedQuery: true,
      catalogue: { models },
      model: 'public',
    });
    const statement = analysis?.statements[0];
    if (analysis !== undefined && statement !== undefined) await analyser.typesOf(analysis, statement);
    const took = performance.now() - started;
    slowestMs = Math.max(slowestMs, took);
    if (took > slowMs) {
      counts.slow++;
      process.stdout.write(`${JSON.stringify({ slowMs: took, text: piece })}\n`);
    }
  }
}

function query(names: readonly string[]): string {
  // Prefer short expressions, which are valid more often.
  const value = () => expression(names, chance(0.2) ? 2 : chance(0.6) ? 1 : 0);
  switch (number(12)) {
    case 0:
      return `SELECT ${value()} AS v, ${value()} AS w FROM t WHERE ${value()} = ${value()}`;
    case 1:
      return `SELECT ${value()} AS v, count(*) FROM t GROUP BY ${one(names)}, 1`;
    case 2:
      return `SELECT x.v FROM (SELECT ${value()} AS v FROM t UNION ALL SELECT ${value()} FROM t) x ORDER BY 1`;
    case 3:
      return `WITH q AS (SELECT ${value()} AS v, t.* FROM t) SELECT DISTINCT v, ${value()} FROM q`;
    case 4:
      return `SELECT CASE WHEN ${value()} IS NULL THEN ${value()} ELSE ${value()} END AS v, own_rows(1) FROM t`;
    case 5:
      return `SELECT max(${value()}) OVER (PARTITION BY ${value()}) AS v, (SELECT ${value()}) AS w FROM t`;
    default:
      return `SELECT ${value()} AS v FROM t`;
  }
}

function expression(names: readonly string[], depth: number): string {
  const inner = () => expression(names, depth - 1);
  if (depth === 0 || chance(0.2)) {
    return chance(0.75)
      ? one(names)
      : one([
          "'ok'",
          "'a@b'",
          '1',
          '1.5',
          'NULL',
          "'{1,2}'",
          "'2026-01-31'",
          'true',
          "ROW(1, 'b')",
          "'[1,2)'",
        ]);
  }
  switch (number(8)) {
    case 0:
    case 1:
      return `(${inner()} ${one(operators)} ${inner()})`;
    case 2:
    case 3:
      return `${one(functions)}(${Array.from({ length: 1 + number(2) }, inner).join(', ')})`;
    case 4:
      return `(${inner()})::${one(types)}`;
    case 5:
      return `coalesce(${inner()}, ${inner()})`;
    case 6:
      return `ARRAY[${inner()}, ${inner()}]`;
    default:
      return `(${inner()} IN (${inner()}, ${inner()}))`;
  }
}

function one<T>(values: readonly T[]): T {
  // `values` is never empty.
  return values[number(values.length)] as T;
}

function chance(part: number): boolean {
  return number(1_000) < part * 1_000;
}

/** Returns an integer from 0 to `limit` - 1. */
function number(limit: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % Math.max(1, limit);
}
