/**
 * Parses models: names, or names with tables and columns. Partly understood input is rejected: a check with only half
 * of the columns would report the others as unknown.
 */
import { isObject } from '#base/values/is-object.ts';
import { isFlag, isNumber, isText, listOf, type Check } from '#base/values/shapes.ts';
import type { CatalogueModel } from '../protocol.ts';

/** Members besides the name are optional; a column has a type, even if it is empty. */
const objectOf =
  (members: Readonly<Record<string, Check>>, required: readonly string[] = ['name']): Check =>
  (value) =>
    isObject(value) &&
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, each]) => each === undefined || (members[name]?.(each) ?? false));

const columnMembers: Readonly<Record<string, Check>> = {
  name: isText,
  type: isText,
  nullable: isFlag,
  description: isText,
  isOwnId: isFlag,
  refersTo: listOf(
    objectOf({ model: isText, table: isText, column: isText, rank: isNumber }, ['table', 'column', 'rank']),
  ),
  values: listOf(isText),
  class: isText,
};
const tableMembers: Readonly<Record<string, Check>> = {
  name: isText,
  description: isText,
  columns: listOf(objectOf(columnMembers, ['name', 'type'])),
};
const modelMembers: Readonly<Record<string, Check>> = {
  name: isText,
  description: isText,
  isDefault: isFlag,
  tables: listOf(objectOf(tableMembers)),
  isAssumed: isFlag,
  reason: isText,
};
const areModels = (value: unknown): value is readonly CatalogueModel[] =>
  listOf(objectOf(modelMembers))(value);

/** Called with each unknown member, such as `colums`. */
export type NoteMember = (name: string) => void;

/**
 * Reads the text of a file that `models --json` or `pull --models` wrote.
 *
 * @returns undefined if it is not a list of models.
 * @throws SyntaxError if it is not JSON.
 */
export function parseModelsText(text: string, note: NoteMember): readonly CatalogueModel[] | undefined {
  const value: unknown = JSON.parse(text);
  const list = typeof value === 'object' && value !== null && 'models' in value ? value.models : value;
  return parseModels(list, note) ?? undefined;
}

/**
 * Returns undefined if the value is omitted, which means that the models are unknown, and null if it is not a list of
 * models. A model, table or column may be just a name; if a table lists no columns, its columns are unknown.
 */
export function parseModels(value: unknown, note: NoteMember): readonly CatalogueModel[] | null | undefined {
  if (value === undefined || value === null) return undefined;
  const models = eachOf(value, (model) => {
    const { tables, ...rest } = known(model, modelMembers, note);
    if (tables === undefined) return rest;
    return { ...rest, tables: eachOf(tables, (table) => parseTable(table, note)) };
  });
  return areModels(models) ? models : null;
}

function parseTable(table: unknown, note: NoteMember): object {
  const { columns, ...rest } = known(table, tableMembers, note);
  if (columns === undefined) return rest;
  return {
    ...rest,
    columns: eachOf(columns, (column) => ({ type: '', ...known(column, columnMembers, note) })),
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
