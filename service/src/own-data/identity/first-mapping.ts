/** Writes a first mapping from the names of a database's tables and columns, for the person to correct. */
import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { ModelTable } from '#api/contract/model-tables.ts';
import type { ColumnClass } from '#api/contract/records/classes.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { countedText } from '#base/words/counted-text.ts';
import { collections } from '../../data/collections.ts';
import { OwnDatabaseError, type OwnDatabase } from '../database.ts';
import { lookAtDatabase, type ServeRules } from '../served.ts';
import { readTables } from '../tables.ts';

interface TableOfSchema extends ModelTable {
  readonly schema: string;
}

/** @throws OwnDatabaseError if the file exists or cannot be written, or if no table looks like one of accounts. */
export async function writeFirstMapping(
  file: string,
  database: OwnDatabase,
  rules: ServeRules,
): Promise<void> {
  const { schemas } = await lookAtDatabase(database, rules);
  const tables = await database.inspect(async (rows) => {
    const all: TableOfSchema[] = [];
    for (const { name } of schemas)
      for (const table of await readTables(rows, name)) all.push({ ...table, schema: name });
    return all;
  });
  try {
    await writeFile(file, firstMapping(tables), { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code === 'EEXIST' ? 'it exists. Name another file' : `it cannot be written (${code})`;
    throw new OwnDatabaseError(`The mapping ${file} was not written: ${reason}.`, { cause: error });
  }
}

/** Names of columns that usually hold a field, the likeliest first. */
const guesses: readonly (readonly [field: string, column: RegExp])[] = [
  ['alias', /^(?:login|user_?name|alias|user_?id|account|uid)$/i],
  ['email', /^(?:e_?mail|mail|e_?mail_address)$/i],
  ['display_name', /^(?:display_?name|full_?name|name)$/i],
  ['enabled', /^(?:is_)?(?:enabled|active)$/i],
  ['is_admin', /^(?:is_)?(?:admin|administrator|superuser)$/i],
  ['department', /^department(?:_name)?$/i],
  ['title', /^(?:job_)?title$/i],
  ['employee_number', /^(?:employee|personnel)_(?:no|number|id)$/i],
  ['created_date', /^created(?:_at|_on|_date)?$/i],
  ['expiration_date', /^(?:expires|valid_until|expiration)(?:_at|_on|_date)?$/i],
  ['last_activity_date', /^last_(?:login|seen|activity|sign_in)(?:_at|_on|_date)?$/i],
];

function firstMapping(tables: readonly TableOfSchema[]): string {
  const accounts =
    tables.find(({ name }) => /^(?:user|account|login|member)s?$/i.test(name)) ??
    tables.find(({ name }) => /user|account|login|person|people|employee|staff/i.test(name));
  const roles = tables.find((table) => table !== accounts && /role|group|team/i.test(table.name));
  const entries = Object.fromEntries([
    ...(accounts === undefined ? [] : [[collections.accounts.table, entryOf(accounts, guesses)]]),
    ...(roles === undefined
      ? []
      : [
          [
            collections.roles.table,
            entryOf(roles, [
              ['name', /^(?:name|title|role|label|code)$/i],
              ['description', /^(?:description|comment)$/i],
            ]),
          ],
        ]),
  ]) as Readonly<Record<string, unknown>>; // of the two entries above
  const classed = tables.flatMap((table) =>
    table.columns.map(
      ({ name, type }) => [`${table.schema}.${table.name}.${name}`, classOf(table, name, type)] as const,
    ),
  );
  const listed = classed.length > mostListed ? classed.filter(([, found]) => isShown(found)) : classed;
  const isCut = listed.length > mostListed;
  const classes = Object.fromEntries(listed.slice(0, mostListed));
  return [
    '# What fills the tables of the model platform_identity: for each, a SELECT, and which of its columns fills which field.',
    `# Tables: ${Object.values(collections)
      .map(({ table }) => table)
      .join(', ')}.`,
    '# This is a guess from names. Correct it, and start with: identity-queries serve --database ... --mapping THIS_FILE',
    stringify(
      {
        collections:
          Object.keys(entries).length > 0
            ? entries
            : {
                accounts: {
                  select: 'SELECT id, login FROM public.users\n',
                  fields: { global_id: 'id', alias: 'login' },
                },
              },
      },
      { lineWidth: 0 },
    ),
    '# What the values of your tables say of a person. Agents see identifier and harmless; the rest, and what is not here, is masked.',
    ...(listed === classed
      ? []
      : [
          `# Of ${countedText(classed.length, 'column')}, only ${isCut ? 'some of ' : ''}these two classes are here.`,
        ]),
    stringify({ classes }, { lineWidth: 0 }),
  ].join('\n');
}

function entryOf(table: TableOfSchema, fields: typeof guesses): object {
  const key = table.keys.find(({ kind, columns }) => kind === 'primary' && columns.length === 1)?.columns[0];
  const taken = new Set([key]);
  const mapped = fields.flatMap(([field, pattern]) => {
    const column = table.columns.find(({ name }) => pattern.test(name) && !taken.has(name))?.name;
    if (column === undefined) return [];
    taken.add(column);
    return [[field, column]];
  });
  const id = key ?? mapped[0]?.[1] ?? table.columns[0]?.name ?? 'id';
  return {
    select: `SELECT * FROM ${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}\n`,
    fields: { global_id: id, ...(Object.fromEntries(mapped) as Readonly<Record<string, string>>) }, // pairs of texts
  };
}

/** So that the service reads what it wrote, whatever the length of the names. */
const mostListed = 10_000;

const isShown = (found: ColumnClass): boolean => found === 'identifier' || found === 'harmless';

/** What is not surely harmless counts as personal. */
function classOf({ keys, references }: ModelTable, name: string, type: string): ColumnClass {
  if (/password|secret|token|hash|salt|private_?key|otp/i.test(name)) return 'secret';
  const isKey =
    keys.some(({ columns }) => columns.includes(name)) ||
    references.some(({ columns }) => columns.includes(name));
  if (isKey && /^(?:integer|bigint|smallint|uuid)$/.test(type)) return 'identifier';
  // Others may say much, such as that a person is ill.
  if (type === 'boolean' && /^(?:is_)?(?:enabled|active|deleted|archived|admin)$/i.test(name))
    return 'harmless';
  if (
    /^(?:json|text|character varying|xml)/.test(type) &&
    /note|comment|description|reason|text|body|json/i.test(name)
  )
    return 'free text';
  return 'personal';
}
