import { rmSync } from 'node:fs';
const { createLocalData } = await import(process.cwd() + '/core/src/rows/local-data.ts');
const { packRows } = await import(process.cwd() + '/core/src/rows/chunk.ts');
const { ResultStore } = await import(process.cwd() + '/core/src/rows/store/result-store.ts');
const columns = [
  { name: 'id', type: 'int8' }, { name: 'mail', type: 'text' }, { name: 'at', type: 'timestamptz' }, { name: 'ok', type: 'bool' },
  { name: 'kind', type: 'text' }, { name: 'score', type: 'float8' }, { name: 'note', type: 'text' }, { name: 'n', type: 'int4' },
];
const names = ['mara.keller', 'jonas.brandt', 'amina.okafor', 'lee.chen', 'sofia.moreau'];
const count = 200_000;
const rows = Array.from({ length: count }, (_, i) => { const m = Math.imul(i, 2654435761) >>> 0; return [m, `${names[i % 5]}${m}@example.com`, `2026-0${(m % 9) + 1}-1${m % 10} 08:00:0${i % 10}+00`, m % 3 === 0, i % 7 === 0 ? null : names[m % 5], (m % 1000) / 8, `note ${m % 97}, more`, m % 100000]; });
const out: Record<string, number> = {};
const timed = async (name: string, run: () => unknown) => { const s = process.cpuUsage(); await run(); const u = process.cpuUsage(s); out[name] = (u.user + u.system) / 1000; };
const pause = () => Promise.resolve();
const data = createLocalData().create(columns);
await data.append(rows);
const ask = (q: string, r: unknown) => data.ask(q, r);
const sort = (column: number) => ask('sortAndFilter', { sort: [{ column, descending: false }], filters: [] });
const filter = (column: number, rule: unknown) => ask('sortAndFilter', { sort: [], filters: [{ column, rule }] });
for (let warm = 0; warm < 2; warm += 1) {
  await timed('sort numbers', () => sort(0));
  await timed('sort texts', () => sort(1));
  await timed('sort times', () => sort(2));
  await timed('filter text', () => filter(1, { kind: 'text', operator: 'contains', text: 'keller4', matchCase: false }));
  await timed('filter number', () => filter(0, { kind: 'compare', operator: '>', text: '2000000000' }));
  await timed('filter time', () => filter(2, { kind: 'compare', operator: '>=', text: '2026-05-01' }));
  await ask('sortAndFilter', { sort: [], filters: [] });
  await timed('aggregate', () => ask('aggregate', { firstRow: 0, lastRow: count - 1, columns: [5] }));
  await timed('group', () => ask('group', { by: [{ column: 4 }], measure: { kind: 'sum', column: 7 } }));
  for (const format of ['csv', 'tsv', 'json', 'xlsx', 'parquet', 'insert']) {
    const path = `/tmp/reading-pair-${process.pid}.${format}`;
    await timed(`export ${format}`, () => ask('export', { scope: 'all', columns: columns.map((_, i) => i), file: { format, path, nullText: '', guardFormulas: true, tableName: 't', byteOrderMark: false } }));
    rmSync(path);
  }
}
console.log(JSON.stringify(out));
