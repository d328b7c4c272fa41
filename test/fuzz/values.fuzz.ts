/**
 * Writes random tables of every type in every format, reads them with other programs, and sorts, filters, groups and
 * compares them beside PostgreSQL. Prints JSON lines; each names the seed that repeats its table.
 *
 * npm run fuzz -- values COUNT=10000 SEED=1 in the environment; OFFICE=soffice lets LibreOffice read the workbooks, too
 */
import { openReaders } from '#test/helpers/value-files.ts';
import { operationDifferences } from '#test/helpers/value-operations.ts';
import {
  edgeTables,
  largeTable,
  openDatabase,
  randomTable,
  type ValueTable,
} from '#test/helpers/value-table.ts';

const count = Number(process.env['COUNT'] ?? 200);
const first = Number(process.env['SEED'] ?? 1);

const database = await openDatabase();
const readers = await openReaders(database, process.env['OFFICE']);
let wrong = 0;
const differences = async (table: ValueTable) => [
  ...(await readers.differences(table)),
  ...(await operationDifferences(database, table)),
];
const report = (line: Readonly<Record<string, unknown>>) => process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  for await (const table of edgeTables(database)) {
    const found = await differences(table);
    wrong += found.length;
    if (found.length > 0) report({ edges: table.columns.map(({ values }) => values.type).slice(1), found });
  }
  const large = await differences(await largeTable(database, 10_000_000));
  wrong += large.length;
  if (large.length > 0) report({ large: true, found: large });
  for (let seed = first; seed < first + count; seed += 1) {
    const found = await differences(await randomTable(database, seed));
    wrong += found.length;
    if (found.length > 0) report({ seed, found });
  }
} finally {
  await readers.close();
  await database.close();
}
report({ fuzz: 'values', seed: first, tables: count, wrong });
process.exitCode = wrong > 0 ? 1 : 0;
