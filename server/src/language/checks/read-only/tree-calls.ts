/**
 * Finds calls with possible side effects in the text of PostgreSQL's parse tree. As in tree-facts.ts, the JSON is not
 * parsed unless the meaning of a name depends on its context.
 */
import { systemColumns } from '#server/language/text/identifiers.ts';
import { outputName } from '#server/language/tree/output-names.ts';
import {
  child,
  constantOf,
  isNode,
  list,
  strings,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { addedColumns, rowFieldOf } from '#server/language/tree/read-query.ts';
import type { FunctionFact, TypeCatalogue } from '#server/language/types/catalogue/catalogue.ts';
import { typeWritten } from '#server/language/types/catalogue/type-names.ts';
import type { Call } from '../parser.ts';
import type { SideEffect } from './side-effect-labels.ts';
import {
  effectOfView,
  isOnlyOfPostgres,
  isKnownOperator,
  isKnownSamplingMethod,
  isKnownType,
  natureOfFunction,
  volatileArgumentCounts,
} from './side-effects.ts';
import type { TreeKey } from './tree-keys.ts';

/**
 * Returns the calls without duplicates.
 * @param tree the tree's JSON, with one character per UTF-8 byte
 * @param after returns the positions right after each occurrence of a key in the tree
 * @param catalogue loads PostgreSQL's functions with their arguments and columns
 * @param parsed parses the tree's JSON
 */
export function readCalls(
  tree: string,
  after: FindKey,
  catalogue: () => TypeCatalogue,
  parsed: () => unknown,
): readonly Call[] {
  const calls = new Map<string, Call>();
  const add = (call: Call | undefined): void => {
    if (call === undefined) return;
    const key = `${call.kind} ${call.schema ?? ''} ${call.name}`;
    // What is cast, or called, somewhere else, too, is cast or called there.
    const mayBeNone = call.isOfNull === true || call.rowFields !== undefined;
    if (!mayBeNone || !calls.has(key)) calls.set(key, call);
  };
  for (const { key, judge } of places) readNames(tree, after(key), judge, add);
  const judgeHere: Judge = (name, schema, isPrefix) =>
    judgeOperator(name, schema) ?? otherOperator(name, isPrefix, catalogue);
  readNames(tree, after('"name":['), judgeHere, add);
  readViews(tree, after('"relname":"pg_'), add);
  if (needsTree(after)) new BuiltTree(catalogue(), add).read(parsed());
  return [...calls.values()];
}

type Judge = (name: string, schema: string | undefined, isPrefix: boolean) => Call | undefined;
type FindKey = (key: TreeKey) => readonly number[];
type Add = (call: Call | undefined) => void;

/** The keys of fields that name something executable. */
const places: readonly { readonly key: TreeKey; readonly judge: Judge }[] = [
  { key: '"funcname":[', judge: judgeFunction },
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
  if (nature === 'harmless' || (isOfPostgres(schema) && volatileArgumentCounts(name) !== undefined))
    return undefined;
  return callOf('function', name, schema, nature === 'unknown' ? undefined : nature.does);
}

const isOfPostgres = (schema: string | undefined): boolean => schema === undefined || schema === 'pg_catalog';

function judgeOperator(name: string, schema: string | undefined): Call | undefined {
  const isKnown = isKnownOperator(name, schema) || (schema === undefined && wordOperators.has(name));
  return isKnown ? undefined : callOf('operator', name, schema);
}

/** Symbols that have no operator between two values, though PostgreSQL has them before one, or the reverse. */
function otherOperator(name: string, isPrefix: boolean, catalogue: () => TypeCatalogue): Call | undefined {
  // Nearly all operators are one of these, and the catalog is not loaded for them.
  if (!isPrefix && (wordOperators.has(name) || /^(?:[-+*/%=<>]|[<>]=|<>|\|\||!?~~?\*?)$/.test(name)))
    return undefined;
  const facts = [...catalogue().operators(name), ...catalogue().extensionOperators(name)];
  const isKnown = facts.length === 0 || facts.some(({ left }) => (left === undefined) === isPrefix);
  return isKnown ? undefined : callOf('operator', name, undefined);
}

function judgeType(name: string, schema: string | undefined): Call | undefined {
  return isKnownType(name, schema) ? undefined : callOf('type', name, schema);
}

function judgeSamplingMethod(name: string, schema: string | undefined): Call | undefined {
  return isKnownSamplingMethod(name, schema) ? undefined : callOf('sampling', name, schema);
}

const string = String.raw`\{"String":\{"sval":"((?:[^"\\]|\\.)*)"\}\}`;
/** Matches a qualified name and captures the last part and the one before it. */
const qualifiedName = new RegExp(String.raw`(?:${string},)*${string}\]`, 'y');

/** What the tree has before the name of the type of `NULL::type`. */
const castOfNull = /"A_Const":\{"isnull":true(?:,"location":\d+)?\}\},"typeName":\{"names":\[$/;
const longestCastOfNull = 100;

/** The same few names recur, so each is judged only once. */
function readNames(tree: string, starts: readonly number[], judge: Judge, add: Add): void {
  const seen = new Set<string>();
  for (const start of starts) {
    const written = tree.slice(start, tree.indexOf(']', start) + 1);
    // An operator before its value has no left side.
    const isPrefix = tree.startsWith(',"rexpr"', start + written.length);
    const isOfNull = castOfNull.test(tree.slice(Math.max(0, start - longestCastOfNull), start));
    const key = `${written}${isPrefix ? ' prefix' : ''}${isOfNull ? ' of null' : ''}`;
    if (seen.has(key)) continue;
    qualifiedName.lastIndex = start;
    const match = qualifiedName.exec(tree);
    // A bracket inside a name truncates it here; an incomplete name is not cached.
    if (match?.[0] === written) seen.add(key);
    const [, schema, name] = match ?? [];
    const call =
      name === undefined
        ? callOf('function', '?', undefined)
        : judge(decode(name), schema && decode(schema), isPrefix);
    add(call !== undefined && isOfNull ? { ...call, isOfNull } : call);
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

/**
 * Returns whether a name may be a call, depending on its context: `(value).name` and `alias.name` are calls unless a
 * field or column has that name, and a name of PostgreSQL is another function if its arguments are none of PostgreSQL's.
 */
const needsTree = (after: FindKey): boolean =>
  after('"indirection":[').length > 0 ||
  after('"RangeFunction":{').length > 0 ||
  after('"RangeSubselect":{').length > 0 ||
  after('"CommonTableExpr":{').length > 0 ||
  after('"funcname":[').length > 0;

/** The columns of a relation; undefined if they are unknown. */
type Columns = ReadonlySet<string> | undefined;

const read: ReadonlySet<string> = new Set(
  'CommonTableExpr RangeFunction RangeSubselect RangeVar JoinExpr JsonTable RangeTableFunc FuncCall A_Indirection ColumnRef'.split(
    ' ',
  ),
);

/**
 * Judges what depends on its context, without scopes: the binder, which has them, decides on columns where an alias is
 * used twice (see column-calls.ts).
 */
class BuiltTree {
  readonly #catalogue: TypeCatalogue;
  readonly #add: Add;
  /** By alias. If relations share one, a column of any of them counts; the binder reports those of the others. */
  readonly #relations = new Map<string, Columns>();
  /** Aliases that more than one relation has, or one that may be another in another scope. */
  readonly #shared = new Set<string>();
  readonly #commonTables = new Map<string, Columns>();
  /** Aliases of functions in FROM whose row is a single value, of which `(alias).name` is a call. */
  readonly #scalars = new Set<string>();
  /** Calls in FROM of `unnest`, which may have several arrays there, though no function does. */
  readonly #unnested = new Set<Node>();
  /** How often `(alias).name` is written, by its name, and the names that may be calls there. */
  readonly #rowFields = new Map<string, number>();
  readonly #unsure = new Set<string>();

  constructor(catalogue: TypeCatalogue, add: Add) {
    this.#catalogue = catalogue;
    this.#add = add;
  }

  read(tree: unknown): void {
    const found: [name: string, node: Node][] = [];
    walk(tree, (name, node) => {
      if (read.has(name)) found.push([name, node]);
      return true;
    });
    for (const [name, node] of found) if (name === 'CommonTableExpr') this.#commonTable(node);
    for (const [name, node] of found) {
      if (name === 'RangeFunction') this.#function(node);
      else if (name === 'RangeSubselect') this.#subselect(node);
      else if (name === 'RangeVar') this.#table(node);
      else if (name !== 'CommonTableExpr') this.#unread(name, node);
    }
    for (const [name, node] of found) {
      switch (name) {
        case 'FuncCall':
          this.#add(mixedCall(node));
          this.#add(this.#overload(node));
          this.#add(this.#checkOfType(node));
          break;
        case 'A_Indirection':
          this.#fields(node);
          break;
        case 'ColumnRef':
          this.#column(node);
          break;
      }
    }
    for (const name of this.#unsure)
      this.#add({
        ...callOf('attribute', decode(name), undefined),
        rowFields: this.#rowFields.get(name) ?? 0,
      });
  }

  #commonTable(node: Node): void {
    const name = text(node['ctename']);
    const select = child(child(node, 'ctequery'), 'SelectStmt');
    const own = renamed(outputsOf(select), strings(node['aliascolnames']));
    this.#note(this.#commonTables, name, own && new Set([...own, ...addedColumns(node)]));
  }

  #subselect(node: Node): void {
    const alias = child(node, 'alias');
    const select = child(child(node, 'subquery'), 'SelectStmt');
    this.#relation(text(alias?.aliasname), renamed(outputsOf(select), strings(alias?.colnames)));
  }

  /** A join with an alias, JSON_TABLE and XMLTABLE, whose columns are unknown here. */
  #unread(kind: string, node: Node): void {
    if (kind !== 'JoinExpr' && kind !== 'JsonTable' && kind !== 'RangeTableFunc') return;
    for (const alias of [child(node, 'alias'), child(node, 'join_using_alias')])
      if (alias !== undefined || kind !== 'JoinExpr') this.#relation(text(alias?.aliasname), undefined);
  }

  /** A table of the database has unknown columns here; the models know them (see the analyser). */
  #table(node: Node): void {
    const name = text(node['relname']);
    const alias = child(node, 'alias');
    const isOwn = node['schemaname'] === undefined && this.#commonTables.has(name);
    const columns = isOwn ? this.#commonTables.get(name) : undefined;
    const outputs = columns === undefined ? undefined : [...columns];
    const own = text(alias?.aliasname) || name;
    this.#relation(own, renamed(outputs, strings(alias?.colnames)));
    // Elsewhere, a table or another common table may have the name.
    this.#shared.add(own);
  }

  #function(node: Node): void {
    const alias = child(node, 'alias');
    const calls = list(node['functions']).map((entry) =>
      child(list(child(entry, 'List')?.items)[0], 'FuncCall'),
    );
    const names = calls.map((call) => strings(call?.funcname).at(-1) ?? '');
    calls.forEach((call, index) => {
      if (call !== undefined && names[index] === 'unnest') this.#unnested.add(call);
    });
    const own = text(alias?.aliasname);
    const definitions = [
      ...list(node['coldeflist']),
      ...list(node['functions']).flatMap((entry) =>
        list(child(entry, 'List')?.items)
          .slice(1)
          .flatMap((item) => (Array.isArray(item) ? item : list(child(item, 'List')?.items))),
      ),
    ].map((entry) => text(child(entry, 'ColumnDef')?.colname));
    const isDefined = calls.length === 1 && definitions.length > 0;
    const outputs = isDefined
      ? []
      : calls.flatMap((call, index) => this.#outputsOf(call, own || (names[index] ?? '')));
    const isScalar = calls.length === 1 && !isDefined && node['ordinality'] !== true;
    if (isScalar && this.#factsOf(calls[0]).every(({ outputs: each }) => each.length < 2))
      this.#scalars.add(own || (names[0] ?? ''));
    const columns = renamed([...outputs, ...definitions], strings(alias?.colnames)) ?? new Set<string>();
    this.#relation(
      own || (names[0] ?? ''),
      node['ordinality'] === true ? new Set([...columns, 'ordinality']) : columns,
    );
  }

  #outputsOf(call: Node | undefined, alias: string): readonly string[] {
    const facts = this.#factsOf(call);
    const named = facts.flatMap(({ outputs }) => outputs.map(({ name }) => name));
    // A single value is a column with the name of its alias.
    return facts.every(({ outputs }) => outputs.length < 2) ? [...named, alias] : named;
  }

  #factsOf(call: Node | undefined): readonly FunctionFact[] {
    const names = strings(call?.funcname);
    return isOfPostgres(names.at(-2)) ? this.#catalogue.functions(names.at(-1) ?? '') : [];
  }

  #relation(alias: string, columns: Columns): void {
    if (this.#relations.has(alias)) this.#shared.add(alias);
    this.#note(this.#relations, alias, columns);
  }

  /** Relations with the same alias may be in different scopes. */
  #note(into: Map<string, Columns>, name: string, columns: Columns): void {
    const before = into.get(name);
    const isNew = !into.has(name);
    into.set(name, isNew ? columns : before && columns && new Set([...before, ...columns]));
  }

  /** Handles `s.nextval FROM regclass('s') AS s`: a call, since the relation has no column of that name. */
  #column(node: Node): void {
    const fields = strings(node['fields']);
    const [name, qualifier] = [fields.at(-1) ?? '', fields.at(-2)];
    if (fields.length !== 2 || qualifier === undefined || !this.#relations.has(qualifier)) return;
    if (list(node['fields']).some((field) => child(field, 'A_Star') !== undefined)) return;
    const columns = this.#relations.get(qualifier);
    if (columns === undefined || columns.has(name) || systemColumns.has(name)) return;
    this.#add(callOf('column', decode(name), decode(qualifier), doesOf(name)));
  }

  #fields(node: Node): void {
    const [first = '', ...others] = strings(node['indirection']);
    const isOfRow = rowFieldOf(node) !== undefined;
    if (isOfRow) this.#rowFields.set(first, (this.#rowFields.get(first) ?? 0) + 1);
    const isField = this.#isField(node['arg'], first);
    const fields = isField ? others : [first, ...others];
    // A known effect says more than the names on the way to it.
    const known = fields.filter((field) => doesOf(field) !== undefined);
    const isUnsure = isOfRow && !isField && known.length === 0;
    if (isUnsure) this.#unsure.add(first);
    for (const field of known.length > 0 ? known : isUnsure ? others : fields)
      if (field !== '') this.#add(callOf('attribute', decode(field), undefined, doesOf(field)));
  }

  #isField(value: unknown, field: string): boolean {
    const call = child(value, 'FuncCall');
    if (call !== undefined)
      return this.#factsOf(call).some(({ outputs }) => outputs.some(({ name }) => name === field));
    if (child(value, 'RowExpr') !== undefined) return /^f\d+$/.test(field);
    const [relation = '', ...rest] = strings(child(value, 'ColumnRef')?.fields);
    if (rest.length > 0 || this.#scalars.has(relation) || this.#shared.has(relation)) return false;
    // A column of that name goes before the relation.
    const mayBeColumn = [...this.#relations.values()].some((own) => own === undefined || own.has(relation));
    return !mayBeColumn && this.#relations.get(relation)?.has(field) === true;
  }

  /** A type that is named in a string is read like one of a cast: only PostgreSQL's own have no checks that run. */
  #checkOfType(node: Node): Call | undefined {
    const names = strings(node['funcname']);
    const [name = '', schema] = [names.at(-1), names.at(-2)];
    if (!isOfPostgres(schema) || !/^pg_input_(?:is_valid|error_info)$/.test(name)) return undefined;
    const given = constantOf(typeArgument(list(node['args'])));
    const written = given?.kind === 'string' ? decode(given.value) : '';
    return isKnownType(written) || typeWritten(this.#catalogue, written) !== undefined
      ? undefined
      : callOf('function', name, schema, 'runs the checks of a type that is given as a string or number');
  }

  /** A function with a name of PostgreSQL, but called as none of PostgreSQL's is. */
  #overload(node: Node): Call | undefined {
    const names = strings(node['funcname']);
    const [name = '', schema] = [names.at(-1), names.at(-2)];
    if (!isOfPostgres(schema) || !isOnlyOfPostgres(name)) return undefined;
    const facts = this.#catalogue.functions(name);
    if (facts.length === 0 || this.#unnested.has(node)) return undefined;
    const notation = notationOf(node);
    // The call of a type with one argument is a cast.
    if (notation.isPlain && notation.count === 1 && isKnownType(name, schema)) return undefined;
    return facts.some((fact) => takes(fact, notation)) ? undefined : callOf('function', name, schema);
  }
}

/** Returns what names a type: the second argument, or the one of that name, without a cast to text. */
function typeArgument(args: readonly unknown[]): unknown {
  const called = args.find((each) => text(child(each, 'NamedArgExpr')?.['name']) === 'type_name');
  const given = child(called, 'NamedArgExpr')?.['arg'] ?? args[1];
  const cast = child(given, 'TypeCast');
  const type = child(cast, 'typeName');
  const isText = strings(type?.['names']).at(-1) === 'text' && list(type?.['arrayBounds']).length === 0;
  return isText ? cast?.['arg'] : given;
}

/** How a call is written, as far as it decides which function is meant. */
interface Notation {
  /** The number of arguments, with those of WITHIN GROUP. */
  readonly count: number;
  /** The names of the last arguments. */
  readonly names: readonly string[];
  readonly isVariadic: boolean;
  readonly isWithinGroup: boolean;
  /** Whether only an aggregate, or only that or a window function, is called like this. */
  readonly of: 'any' | 'aggregate' | 'window';
  /** Whether it has arguments, and nothing else. */
  readonly isPlain: boolean;
}

function notationOf(node: Node): Notation {
  const args = list(node['args']);
  const names = args.flatMap((arg) => {
    const named = child(arg, 'NamedArgExpr');
    return named === undefined ? [] : [text(named['name'])];
  });
  const isWithinGroup = node['agg_within_group'] === true;
  const isVariadic = node['func_variadic'] === true;
  const isAggregate = ['agg_order', 'agg_filter', 'agg_distinct', 'agg_star'].some((each) => each in node);
  const of = isAggregate || isWithinGroup ? 'aggregate' : 'over' in node ? 'window' : 'any';
  const count = args.length + (isWithinGroup ? list(node['agg_order']).length : 0);
  return {
    ...{ count, names, isVariadic, isWithinGroup, of },
    isPlain: of === 'any' && !isVariadic && names.length === 0,
  };
}

function takes(fact: FunctionFact, { count, names, isVariadic, isWithinGroup, of }: Notation): boolean {
  const { args, defaults, argNames, orderedSet, kind } = fact;
  if (of !== 'any' && kind !== 'aggregate' && (kind !== 'window' || of === 'aggregate')) return false;
  if (names.length > 0 && !names.every((name) => argNames.indexOf(name) >= count - names.length))
    return false;
  if (isVariadic) return fact.isVariadic && count >= args.length - defaults && count <= args.length;
  if (count >= args.length - defaults && count <= args.length) return true;
  // Without WITHIN GROUP: a mistake, which has its own finding.
  if (!isWithinGroup && count === orderedSet?.direct) return true;
  return fact.isVariadic && count >= args.length - 1;
}

function renamed(columns: readonly string[] | undefined, names: readonly string[]): Columns {
  return columns === undefined ? undefined : new Set([...names, ...columns.slice(names.length)]);
}

/** Returns the names of a query's columns; undefined if one of them is unknown. */
function outputsOf(select: Node | undefined): readonly string[] | undefined {
  let first = select;
  for (let left = child(first, 'larg'); left !== undefined; left = child(first, 'larg')) first = left;
  const rows = list(first?.['valuesLists']);
  if (rows.length > 0) return list(child(rows[0], 'List')?.items).map((_, index) => `column${index + 1}`);
  const names: string[] = [];
  for (const entry of list(first?.['targetList'])) {
    const target = child(entry, 'ResTarget');
    const value = target?.['val'];
    const parts = list(child(value, 'ColumnRef')?.fields ?? child(value, 'A_Indirection')?.indirection);
    if (parts.some((part) => isNode(part) && child(part, 'A_Star') !== undefined)) return undefined;
    names.push(text(target?.['name']) || (outputName(value) ?? '?column?'));
  }
  return first === undefined ? undefined : names;
}

function doesOf(name: string): SideEffect | undefined {
  const nature = natureOfFunction(name);
  return typeof nature === 'object' ? nature.does : undefined;
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
