/**
 * Parses models: names, or names with tables and columns. Partly understood input is rejected: a check with only half
 * of the columns would report the others as unknown.
 */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { CatalogueModel } from '#server/protocol.ts';

const Column = Type.Object({
  name: Type.String(),
  type: Type.String(),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.String()),
  isOwnId: Type.Optional(Type.Boolean()),
  refersTo: Type.Optional(
    Type.Array(Type.Object({ table: Type.String(), column: Type.String(), rank: Type.Number() })),
  ),
  values: Type.Optional(Type.Array(Type.String())),
  class: Type.Optional(Type.String()),
});

const Table = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  columns: Type.Optional(Type.Array(Column)),
});

const Model = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  isDefault: Type.Optional(Type.Boolean()),
  tables: Type.Optional(Type.Array(Table)),
  isAssumed: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String()),
});

const Models = Type.Array(Model);

/** Called with each unknown member, such as `colums`. */
export type NoteMember = (name: string) => void;

/**
 * Returns undefined if the value is omitted, which means that the models are unknown, and null if it is not a list of
 * models. A model, table or column may be just a name; if a table lists no columns, its columns are unknown.
 */
export function parseModels(value: unknown, note: NoteMember): readonly CatalogueModel[] | null | undefined {
  if (value === undefined || value === null) return undefined;
  const models = eachOf(value, (model) => {
    const { tables, ...rest } = known(model, Model.properties, note);
    if (tables === undefined) return rest;
    return { ...rest, tables: eachOf(tables, (table) => parseTable(table, note)) };
  });
  return Value.Check(Models, models) ? models : null;
}

function parseTable(table: unknown, note: NoteMember): object {
  const { columns, ...rest } = known(table, Table.properties, note);
  if (columns === undefined) return rest;
  return {
    ...rest,
    columns: eachOf(columns, (column) => ({ type: '', ...known(column, Column.properties, note) })),
  };
}

function eachOf(value: unknown, change: (entry: unknown) => object): unknown {
  return Array.isArray(value) ? value.map((entry: unknown) => change(entry)) : value;
}

/** Returns an entry's known members, omitting null. A plain string is the entry's name. */
function known(entry: unknown, properties: object, note: NoteMember): Readonly<Record<string, unknown>> {
  if (typeof entry === 'string') return { name: entry };
  if (typeof entry !== 'object' || entry === null) return {};
  const given = Object.entries(entry).filter(([, value]) => value !== null);
  for (const [name] of given) if (!Object.hasOwn(properties, name)) note(name);
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(properties, name)));
}
