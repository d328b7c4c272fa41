/**
 * Measures how cost grows with size: each piece of work at five sizes, each twice the one before, and the exponent by
 * least squares over the logarithms (1 is linear). Prints one JSON line per piece of work.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { columnKindOf } from '#core/rows/column-kind.ts';
import type { FileFormat } from '#core/rows/files/file-formats.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { shapes } from './sql-shapes.ts';
import { percentile, print } from './statistics.ts';

const rounds = 5;
const goal = 1.2;
const doublings = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** Processor time of all threads, so that other load on the machine counts little. */
async function measured(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function report(name: string, times: readonly (readonly [size: number, ms: number])[], unit: string): void {
  const points = times.map(([size, ms]) => [Math.log(size), Math.log(ms)] as const);
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const exponent =
    points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) /
    points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  print({
    ...{ bench: 'growth', name, unit, sizes: times.map(([size]) => size) },
    ms: times.map(([, ms]) => Math.round(ms * 10) / 10),
    exponent: Math.round(exponent * 100) / 100,
    isWithinGoal: exponent <= goal,
  });
}

const table = ['id', 'name', 'status', 'created_at'].map((name) => ({
  name,
  type: name === 'id' ? 'integer' : 'text',
  nullable: true,
}));
const catalogue = { models: [{ name: 'platform_identity', tables: [{ name: 'accounts', columns: table }] }] };

/** Checks of a changed text of up to 100 KB, names and types included. */
async function measureChecks(): Promise<void> {
  const parser = new ServerParser();
  const analyser = new Analyser(parser);
  const options = { isSavedQuery: false, catalogue, model: 'platform_identity' };
  let edits = 0;
  for (const [shape, make] of Object.entries(shapes)) {
    if (shape === 'manyColumns') continue; // its columns are unknown, on purpose
    const check = (text: string) => {
      edits += 1;
      return analyser.analyse(
        text.replace(/\b(?:SELECT|WITH)\b/i, (word) => `${word} /* ${edits} */`),
        options,
      );
    };
    const times: (readonly [number, number])[] = [];
    for (const part of doublings) {
      const text = make(98_000 * part);
      for (let warmUp = 0; warmUp < 5 / part; warmUp += 1) await check(text);
      const took: number[] = [];
      for (let round = 0; round < 4 * rounds; round += 1) took.push(await measured(() => check(text)));
      times.push([Math.round(98 * part * 10) / 10, percentile(took, 0.5)]);
    }
    report(`check, ${shape}`, times, 'KB');
  }
  await parser.dispose();
}

const columns = ['int4', 'text', 'timestamptz', 'numeric', 'text'].map((type, index) => ({
  name: `column_${index}`,
  type,
}));
const all = columns.map((_, column) => column);

function rows(from: number, count: number): unknown[][] {
  return Array.from({ length: count }, (_, index) => {
    const mixed = Math.imul(from + index, 2_654_435_761) >>> 0;
    return [
      mixed % 1_000_000_007,
      `person${mixed}@example.com`,
      `2026-0${(mixed % 9) + 1}-1${mixed % 10} 08:00:00+00`,
      mixed / 100,
      index % 7 === 0 ? null : `group ${mixed % 50}`,
    ];
  });
}

const data = createLocalData();

async function held(count: number, from = 0): Promise<ResultData> {
  const made = data.create(columns);
  for (let row = 0; row < count; row += 10_000)
    await made.append(rows(from + row, Math.min(10_000, count - row)));
  return made;
}

/** Work on a result; a new sort order, text or file each round, so that nothing comes from a cache. */
const operations: Readonly<Record<string, (made: ResultData, round: number) => Promise<unknown>>> = {
  'sort numbers': (made, round) =>
    made.ask('sortAndFilter', { sort: [{ column: 0, descending: round % 2 === 0 }], filters: [] }),
  'sort texts': (made, round) =>
    made.ask('sortAndFilter', { sort: [{ column: 1, descending: round % 2 === 0 }], filters: [] }),
  'filter texts': (made, round) =>
    made.ask('sortAndFilter', {
      sort: [],
      filters: [
        { column: 1, rule: { kind: 'text', operator: 'contains', text: `${round}99`, matchCase: false } },
      ],
    }),
  'find what is not there': (made, round) =>
    made.ask('find', {
      ...{ text: `nobody${round}`, matchCase: false, columns: all },
      ...{ from: { row: 0, place: -1 }, backwards: false },
    }),
  group: (made) => made.ask('group', { by: [{ column: 4 }], measure: { kind: 'count' } }),
};

async function measureRows(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
  const times = new Map<string, (readonly [number, number])[]>();
  const add = (name: string, count: number, ms: number) =>
    times.set(name, [...(times.get(name) ?? []), [count, ms]]);
  try {
    for (const part of doublings) {
      const count = 320_000 * part;
      const took = new Map<string, number[]>();
      const take = async (name: string, work: () => Promise<unknown>) =>
        took.set(name, [...(took.get(name) ?? []), await measured(work)]);
      for (let round = 0; round < rounds; round += 1) {
        const made: ResultData[] = [];
        await take('take rows in', async () => made.push(await held(count)));
        const [first] = made;
        if (first === undefined) break;
        for (const [name, operation] of Object.entries(operations))
          await take(name, () => operation(first, round));
        await first.ask('sortAndFilter', { sort: [], filters: [] });
        const later = await held(count, Math.round(count / 10));
        const pairs = columns.map((column, index) => ({
          ...column,
          ...{ before: index, after: index, kind: columnKindOf(column.type) },
        }));
        await take('compare', async () => {
          const { data: compared } = await data.compare(
            { before: first, after: later },
            { pairs, keys: [1], ignored: [] },
          );
          compared.dispose();
        });
        later.dispose();
        first.dispose();
        for (const format of ['csv', 'parquet', 'xlsx'] as const)
          await take(`write ${format}`, () =>
            write(format, count, path.join(folder, `${count}-${round}.${format}`)),
          );
      }
      for (const [name, ms] of took) add(name, count, percentile(ms, 0.5));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const [name, points] of times) report(name, points, 'rows');
}

async function write(format: FileFormat, count: number, file: string): Promise<void> {
  const options = {
    format,
    path: file,
    nullText: '',
    guardFormulas: true,
    tableName: 't',
    byteOrderMark: false,
  };
  const made = await data.createFile(columns, options);
  for (let row = 0; row < count; row += 10_000) await made.write(rows(row, Math.min(10_000, count - row)));
  await made.finish();
  await made.dispose();
}

await measureChecks();
await measureRows();
