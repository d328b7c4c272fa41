/**
 * Measures the cost of types: the check with and without types, alternating over the same texts, with each text changed
 * before its check. Also measures the inference of types alone for 100 KB, including the syntax tree. Only ratios
 * within one run are comparable, and elapsed times only on an idle machine. The CPU time of all threads is valid under
 * other load, too. Prints JSON lines.
 *
 *     node test/bench/types.bench.ts [--quick] [--size=KB]
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { AnalysisOptions } from '#server/language/checks/analysis.ts';
import type { SqlParser } from '#server/language/checks/parser.ts';
import type { TypeContext } from '#server/language/types/type-statement.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { corpora, readCorpus } from '../helpers/corpora.ts';
import { shapes } from './sql-shapes.ts';
import { percentile, print } from './statistics.ts';

const root = path.join(import.meta.dirname, '../..');
const isQuick = process.argv.includes('--quick');
/** Measures only this size. */
const onlySize = process.argv.find((word) => word.startsWith('--size='))?.slice('--size='.length);
const rounds = isQuick ? 40 : 200;
/** Enough rounds to optimize the server's functions: a round with a small query does less work. */
const warmUpsOf = (sizeKb: number): number => (isQuick || sizeKb > 10 ? 40 : 400);
const typingRounds = isQuick ? 12 : 40;
const goals = { typedMs: 60, ratio: 4 / 3 };
const columns = [
  ['id', 'integer'],
  ['name', 'text'],
  ['status', 'text'],
  ['created_at', 'timestamp with time zone'],
] as const;
const table = {
  name: 'accounts',
  columns: columns.map(([name, type]) => ({ name, type, nullable: name !== 'id' })),
};
const models = [{ name: 'platform_identity', tables: [table] }];

/** A query with many expressions. The others consist mostly of names. */
const mixed = (size: number): string => {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < size; n++) {
    const part = `SELECT a.id, lower(a.name) || '-' || a.status AS n, CASE WHEN a.created_at > now() - INTERVAL '${n} days' THEN 1 ELSE 0 END AS c, count(*) FILTER (WHERE a.status = 'x') OVER (PARTITION BY a.id) AS w FROM accounts a WHERE a.status IN ('a', 'b') AND coalesce(a.created_at, now()) > '2026-01-01'`;
    parts.push(part);
    length += part.length + 11;
  }
  return parts.join('\nUNION ALL\n');
};
const texts: Readonly<Record<string, (size: number) => string>> = { ...shapes, mixed };

const parser = new ServerParser();
const withoutTypes: SqlParser = {
  parse: (...given) => parser.parse(...given),
  readNames: (...given) => parser.readNames(...given),
};
const analysers = { without: new Analyser(withoutTypes), with: new Analyser(parser) };
const options = { isSavedQuery: false, catalogue: { models }, model: 'platform_identity' };

for (const sizeKb of [1, 10, 100].filter((size) => onlySize === undefined || String(size) === onlySize)) {
  for (const [shape, make] of Object.entries(texts)) {
    const text = make(sizeKb * 980);
    const warmUps = warmUpsOf(sizeKb);
    report({ shape, sizeKb }, await measure([text], { rounds, warmUps, options }));
  }
}
if (onlySize === undefined) {
  const own = { ...options, catalogue: { models: [{ name: 'platform_identity', tables: sandboxTables() }] } };
  const few = { rounds: isQuick ? 2 : 20, warmUps: isQuick ? 4 : 30 };
  for (const [shape, queries] of Object.entries(await realQueries()))
    report({ shape, queries: queries.length }, await measure(queries, { ...few, options: own }));
}
await parser.dispose();

const instance = await createParserInstance();
const context: TypeContext = {
  model: 'platform_identity',
  tables: [{ model: 'platform_identity', table: table.name, columns: table.columns }],
  parameters: [],
};
for (const [shape, make] of Object.entries(texts)) {
  if (shape === 'twentyStatements') continue;
  const text = make(98_000);
  const times: number[] = [];
  for (let round = 0; round < typingRounds + 3; round++) {
    // Reading names also caches the syntax tree, if the text is short enough.
    instance.readNames(text);
    const started = performance.now();
    instance.readTypes(text, context);
    if (round >= 3) times.push(performance.now() - started);
  }
  const p95 = percentile(times, 0.95);
  print({
    bench: 'types of 100 KB, tree included where it was not kept',
    shape,
    medianMs: percentile(times, 0.5),
    p95Ms: p95,
    goalMs: goals.typedMs,
    isGoalMet: p95 <= goals.typedMs,
  });
}

interface Measured {
  readonly times: Record<keyof typeof analysers, number[]>;
  readonly processor: Record<keyof typeof analysers, number[]>;
}

/** Checks each query repeatedly, with and without types. All times are in milliseconds. */
async function measure(
  queries: readonly string[],
  given: { readonly rounds: number; readonly warmUps: number; readonly options: AnalysisOptions },
): Promise<Measured> {
  const times: Measured['times'] = { without: [], with: [] };
  const processor: Measured['processor'] = { without: [], with: [] };
  for (let round = 0; round < given.rounds + given.warmUps; round++) {
    for (const query of queries) {
      // The first variant's garbage may be collected during the second one, so each goes first equally often.
      for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        // Make each query unique, so no result comes from a cache.
        const own = query.replace(/\b(?:SELECT|WITH)\b/i, (word) => `${word} /* ${kind} ${round} */`);
        const used = process.cpuUsage();
        const started = performance.now();
        await analysers[kind].analyse(own, given.options);
        const took = performance.now() - started;
        const { user, system } = process.cpuUsage(used);
        if (round < given.warmUps) continue;
        times[kind].push(took);
        processor[kind].push((user + system) / 1000);
      }
    }
  }
  return { times, processor };
}

function report(what: Readonly<Record<string, unknown>>, { times, processor }: Measured): void {
  const ratios = { elapsed: ratiosOf(times), processor: ratiosOf(processor) };
  print({
    bench: 'second look with types',
    ...what,
    withoutMs: { median: percentile(times.without, 0.5), p95: percentile(times.without, 0.95) },
    withMs: { median: percentile(times.with, 0.5), p95: percentile(times.with, 0.95) },
    ratios,
    isGoalMet: Math.min(ratios.elapsed.p95, ratios.processor.p95) <= goals.ratio,
  });
}

/** Queries from the library and the sandbox, whose columns all have types, and from public test suites. */
async function realQueries(): Promise<Readonly<Record<string, readonly string[]>>> {
  const library = path.join(root, 'library');
  const files = (await readdir(library, { recursive: true })).filter((file) =>
    file.endsWith('.identity.sql'),
  );
  const ofLibrary = await Promise.all(files.map((file) => readFile(path.join(library, file), 'utf8')));
  return {
    'library and sandbox': [...ofLibrary, ...sampleQueries.map(({ query_string }) => query_string)],
    'public test suites': corpora.flatMap((file) => readCorpus(file)).map(({ sql }) => sql),
  };
}

function sandboxTables(): readonly CatalogueTable[] {
  return Object.values(collections).map(({ table: name, schema }) => ({
    name,
    columns: columnsOf(schema).map((column) => ({ name: column.name, type: column.type })),
  }));
}

function ratiosOf(values: Readonly<Record<keyof typeof analysers, readonly number[]>>): {
  readonly median: number;
  readonly p95: number;
} {
  const at = (share: number): number =>
    Math.round((percentile(values.with, share) / percentile(values.without, share)) * 100) / 100;
  return { median: at(0.5), p95: at(0.95) };
}
