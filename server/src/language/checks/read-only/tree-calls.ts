/**
 * Finds calls with possible side effects in the text of PostgreSQL's parse tree. As in tree-facts.ts, the JSON is not
 * parsed unless the meaning of a name depends on its context.
 */
import type { SideEffect } from './side-effect-words.ts';
import { child, list, strings, text, walk, type Node } from '#server/language/tree/parse-tree.ts';
import type { Call } from '../parser.ts';
import type { TreeKey } from './tree-keys.ts';
import {
  effectOfView,
  isKnownOperator,
  isKnownSamplingMethod,
  isKnownType,
  natureOfFunction,
  volatileArgumentCounts,
} from './side-effects.ts';

/**
 * Returns the calls without duplicates.
 * @param tree the tree's JSON, with one character per UTF-8 byte
 * @param after returns the positions right after each occurrence of a key in the tree
 */
export function readCalls(tree: string, after: FindKey): readonly Call[] {
  const calls = new Map<string, Call>();
  const add = (call: Call | undefined): void => {
    if (call !== undefined) {
      calls.set(`${call.kind} ${call.schema ?? ''} ${call.name}`, call);
    }
  };
  for (const { key, judge } of places) {
    readNames(tree, after(key), judge, add);
  }
  readViews(tree, after('"relname":"pg_'), add);
  if (needsTree(tree, after)) {
    readBuiltTree(JSON.parse(tree), add);
  }
  return [...calls.values()];
}

type Judge = (name: string, schema: string | undefined) => Call | undefined;
type FindKey = (key: TreeKey) => readonly number[];
type Add = (call: Call | undefined) => void;

/** The keys of fields that name something executable. */
const places: readonly { readonly key: TreeKey; readonly judge: Judge }[] = [
  { key: '"funcname":[', judge: judgeFunction },
  { key: '"name":[', judge: judgeOperator },
  { key: '"operName":[', judge: judgeOperator },
  { key: '"useOp":[', judge: judgeOperator },
  { key: '"typeName":{"names":[', judge: judgeType },
  { key: '"method":[', judge: judgeSamplingMethod },
];

/** Grammar constructs that the tree represents as operators. */
const wordOperators = new Set(['BETWEEN', 'NOT BETWEEN', 'BETWEEN SYMMETRIC', 'NOT BETWEEN SYMMETRIC']);

const callOf = (kind: Call['kind'], name: string, schema: string | undefined, does?: SideEffect): Call => ({
  kind,
  name,
  ...(schema === undefined ? {} : { schema }),
  ...(does === undefined ? {} : { does }),
});

function judgeFunction(name: string, schema: string | undefined): Call | undefined {
  const nature = natureOfFunction(name, schema);
  if (nature === 'harmless' || (isOfPostgres(schema) && volatileArgumentCounts(name) !== undefined)) {
    return undefined;
  }
  return callOf('function', name, schema, nature === 'unknown' ? undefined : nature.does);
}

const isOfPostgres = (schema: string | undefined): boolean => schema === undefined || schema === 'pg_catalog';

function judgeOperator(name: string, schema: string | undefined): Call | undefined {
  const isKnown = isKnownOperator(name, schema) || (schema === undefined && wordOperators.has(name));
  return isKnown ? undefined : callOf('operator', name, schema);
}

function judgeType(name: string, schema: string | undefined): Call | undefined {
  return isKnownType(name, schema) ? undefined : callOf('type', name, schema);
}

function judgeSamplingMethod(name: string, schema: string | undefined): Call | undefined {
  return isKnownSamplingMethod(name) ? undefined : callOf('sampling', name, schema);
}

const string = String.raw`\{"String":\{"sval":"((?:[^"\\]|\\.)*)"\}\}`;
/** Matches a qualified name and captures the last part and the one before it. */
const qualifiedName = new RegExp(String.raw`(?:${string},)*${string}\]`, 'y');

/** The same few names recur, so each is judged only once. */
function readNames(tree: string, starts: readonly number[], judge: Judge, add: Add): void {
  const seen = new Set<string>();
  for (const start of starts) {
    const written = tree.slice(start, tree.indexOf(']', start) + 1);
    if (seen.has(written)) {
      continue;
    }
    qualifiedName.lastIndex = start;
    const match = qualifiedName.exec(tree);
    // A bracket inside a name truncates it here; an incomplete name is not cached.
    if (match?.[0] === written) {
      seen.add(written);
    }
    const [, schema, name] = match ?? [];
    add(
      name === undefined ? callOf('function', '?', undefined) : judge(decode(name), schema && decode(schema)),
    );
  }
}

/** Decodes the content of a JSON string that has one character per UTF-8 byte. */
function decode(written: string): string {
  const encoded = written.replaceAll(
    /[%\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  try {
    return encoded === written && !written.includes('\\')
      ? written
      : (JSON.parse(`"${decodeURIComponent(encoded)}"`) as string); // always a string
  } catch {
    // PostgreSQL truncates names at 63 bytes, possibly inside a character. Such names are never known.
    return written;
  }
}

/** @param ends positions right after the `pg_` of a relation's name */
function readViews(tree: string, ends: readonly number[], add: Add): void {
  for (const end of ends) {
    const start = end - 'pg_'.length;
    const name = tree.slice(start, tree.indexOf('"', start));
    const before = tree.slice(Math.max(0, start - 110), start);
    const schema = /"schemaname":"([^"\\]*)","relname":"$/.exec(before)?.[1];
    const does = effectOfView(name, schema);
    add(does === undefined ? undefined : callOf('view', name, schema, does));
  }
}

const namesInside = /\{"String":\{"sval":"([^"\\]*)"\}\}/g;

/**
 * Returns whether a name may be a call with side effects, depending on its context: `(value).nextval` and
 * `alias.nextval` are calls unless a field or column has that name.
 */
function needsTree(tree: string, after: FindKey): boolean {
  const mayCall = after('"indirection":[').length > 0 || after('"RangeFunction":{').length > 0;
  for (const [, name = ''] of mayCall ? tree.matchAll(namesInside) : []) {
    if (doesOf(name) !== undefined) {
      return true;
    }
  }
  return after('"sval":"ts_rewrite"').length > 0;
}

function doesOf(name: string): SideEffect | undefined {
  const nature = natureOfFunction(name);
  return typeof nature === 'object' ? nature.does : undefined;
}

function readBuiltTree(tree: unknown, add: Add): void {
  const values = new Map<string, readonly string[]>();
  walk(tree, (name, node) => {
    if (name === 'RangeFunction') {
      const { alias, columns } = relationOf(node);
      values.set(alias, columns);
    }
    return true;
  });
  walk(tree, (name, node) => {
    switch (name) {
      case 'FuncCall':
        add(mixedCall(node));
        break;
      case 'A_Indirection':
        for (const field of strings(node['indirection'])) {
          add(notationOf('attribute', field, undefined));
        }
        break;
      case 'ColumnRef':
        add(columnCall(node, values));
        break;
    }
    return true;
  });
}

/** Returns the alias and the column names of a function in FROM. */
function relationOf(node: Node): { readonly alias: string; readonly columns: readonly string[] } {
  const alias = child(node, 'alias');
  const call = list(child(list(node['functions'])[0], 'List')?.items)[0];
  const definitions = list(node['coldeflist']).map((entry) => text(child(entry, 'ColumnDef')?.colname));
  return {
    alias: text(alias?.aliasname) || (strings(child(call, 'FuncCall')?.funcname).at(-1) ?? ''),
    columns: [...strings(alias?.colnames), ...definitions],
  };
}

/** Handles `s.nextval FROM regclass('s') AS s`: a call, since the alias is a value without a column of that name. */
function columnCall(node: Node, values: ReadonlyMap<string, readonly string[]>): Call | undefined {
  const fields = strings(node['fields']);
  const name = fields.at(-1) ?? '';
  const qualifier = fields.at(-2);
  const columns = qualifier === undefined ? undefined : values.get(qualifier);
  return columns === undefined || columns.includes(name) ? undefined : notationOf('column', name, qualifier);
}

function notationOf(
  kind: 'attribute' | 'column',
  name: string,
  schema: string | undefined,
): Call | undefined {
  const does = doesOf(name);
  return does === undefined ? undefined : callOf(kind, name, schema, does);
}

/** Handles functions with volatile and non-volatile overloads, which the argument count tells apart. */
function mixedCall(node: Node): Call | undefined {
  const names = strings(node['funcname']);
  const [name = '', schema] = [names.at(-1), names.at(-2)];
  const counts = isOfPostgres(schema) ? volatileArgumentCounts(name) : undefined;
  const isVolatile =
    counts?.includes(list(node['args']).length) === true ||
    (counts !== undefined && node['func_variadic'] === true);
  return isVolatile ? callOf('function', name, schema, doesOf(name)) : undefined;
}
