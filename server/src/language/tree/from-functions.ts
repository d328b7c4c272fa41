/** Determines the columns of functions, XMLTABLE and JSON_TABLE in FROM, as far as possible from the text alone. */
import { child, isNode, list, strings, text, type Node } from './parse-tree.ts';

export interface FunctionColumns {
  /** The relation's name if it has no alias; undefined if unknown. */
  readonly name?: string;
  /** Undefined if the text does not determine the columns. */
  readonly columns?: readonly string[];
}

/** Functions with a single column that has the relation's name. */
export const scalarFunctions: ReadonlySet<string> = new Set(
  `generate_series generate_subscripts string_to_table regexp_split_to_table regexp_matches jsonb_object_keys
   json_object_keys jsonb_path_query`.split(/\s+/),
);

/** Functions with predefined column names. */
export const namedColumns: ReadonlyMap<string, readonly string[]> = new Map(
  ['json', 'jsonb'].flatMap((prefix): readonly (readonly [string, readonly string[]])[] => [
    [`${prefix}_array_elements`, ['value']],
    [`${prefix}_array_elements_text`, ['value']],
    [`${prefix}_each`, ['key', 'value']],
    [`${prefix}_each_text`, ['key', 'value']],
  ]),
);

/** @param item a FROM item other than a table, subquery or join */
export function functionColumns(item: unknown): FunctionColumns {
  const xmlTable = child(item, 'RangeTableFunc');
  const jsonTable = child(item, 'JsonTable');
  const call = child(item, 'RangeFunction');
  if (xmlTable !== undefined) {
    const columns = list(xmlTable.columns).map((column) => text(child(column, 'RangeTableFuncCol')?.colname));
    return shown('xmltable', columns, xmlTable);
  }
  if (jsonTable !== undefined) return shown('json_table', jsonTableColumns(jsonTable), jsonTable);
  return call === undefined ? {} : ofCalls(call);
}

function shown(
  name: string | undefined,
  columns: readonly string[] | undefined,
  node: Node,
): FunctionColumns {
  const aliases = strings(child(node, 'alias')?.colnames);
  return {
    ...(name === undefined ? {} : { name }),
    ...(columns === undefined ? {} : { columns: [...aliases, ...columns.slice(aliases.length)] }),
  };
}

/** PostgreSQL puts the columns of nested paths last. */
function jsonTableColumns(node: Node): readonly string[] {
  const columns = list(node.columns)
    .map((column) => child(column, 'JsonTableColumn'))
    .filter((column) => column !== undefined);
  const isNested = (column: Node): boolean => column.coltype === 'JTC_NESTED';
  return [
    ...columns.filter((column) => !isNested(column)).map(({ name }) => text(name)),
    ...columns.filter(isNested).flatMap(jsonTableColumns),
  ];
}

function ofCalls(node: Node): FunctionColumns {
  const functions = list(node.functions).map((entry) => list(child(entry, 'List')?.items));
  const alias = child(node, 'alias')?.aliasname;
  const name = nameOfCall(functions[0]?.[0]);
  const columns: string[] = [];
  for (const [call, definitions] of functions) {
    const ownName = functions.length === 1 && typeof alias === 'string' ? alias : nameOfCall(call);
    const own =
      definedColumns(list(child(definitions, 'List')?.items)) ??
      definedColumns(list(node.coldeflist)) ??
      columnsOfCall(child(call, 'FuncCall'), ownName);
    if (own === undefined) return shown(name, undefined, node);
    for (const column of own) columns.push(column);
  }
  return shown(name, node.ordinality === true ? [...columns, 'ordinality'] : columns, node);
}

const nameOfCall = (call: unknown): string | undefined => strings(child(call, 'FuncCall')?.funcname).at(-1);

function definedColumns(definitions: readonly unknown[]): readonly string[] | undefined {
  const names = definitions.map((definition) => text(child(definition, 'ColumnDef')?.colname));
  return names.length === 0 ? undefined : names;
}

function columnsOfCall(call: Node | undefined, name: string | undefined): readonly string[] | undefined {
  const [first, second] = strings(call?.funcname);
  const called = second === undefined ? first : first === 'pg_catalog' ? second : undefined;
  if (call === undefined || called === undefined || name === undefined) return undefined;
  if (called === 'unnest') {
    const values = list(call.args);
    // Unnesting an array of rows returns one column per field.
    return values.every(isArrayOfScalars)
      ? values.map(() => (values.length === 1 ? name : 'unnest'))
      : undefined;
  }
  return scalarFunctions.has(called) ? [name] : namedColumns.get(called);
}

function isArrayOfScalars(value: unknown): boolean {
  const elements = child(value, 'A_ArrayExpr')?.elements;
  if (Array.isArray(elements)) {
    return elements.every(
      (element) => 'A_Const' in (isNode(element) ? element : {}) || isArrayOfScalars(element),
    );
  }
  const type = child(child(value, 'TypeCast'), 'typeName');
  return type !== undefined && 'arrayBounds' in type && builtIn.has(strings(type.names).at(-1) ?? '');
}

const builtIn = new Set(
  `text varchar bpchar name uuid bool int2 int4 int8 float4 float8 numeric date time timetz timestamp timestamptz
   interval json jsonb inet cidr bytea`.split(/\s+/),
);
