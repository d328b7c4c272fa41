/**
 * Finds what repeats rows as often as the writer of a query likes: rows that are generated or written out, recursion, and
 * tables that no equality of columns joins; and what sorts the rows of joined tables as a whole. With a sensitive value
 * in them, rows would become as large as one likes, and the length of that value then decides how PostgreSQL sorts and
 * joins them: in which order equal rows come, how long it takes, and whether they fit at all.
 */
import {
  child,
  constantOf,
  list,
  named,
  strings,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';

/** How often a query may write out the same row, by rows of constants and by UNION. */
const copiesMax = 20;

/**
 * Returns what repeats or sorts rows with a sensitive value, in a query or an inner one; undefined if nothing does.
 * @param carries whether the rows of a query, by its node, have such a value
 */
export function repeatedRowsIn(query: Node, carries: (select: Node) => boolean): string | undefined {
  const reader = new CopyReader(query, carries);
  reader.select(query, undefined);
  return reader.found;
}

/** What a relation adds to the rows of a FROM. */
interface Part {
  /** Its names in conditions. */
  readonly names: readonly string[];
  /** The copies of each row that it makes. */
  readonly copies: number;
  /** What makes them, if it is not their number. */
  readonly why?: string | undefined;
  /** How many tables it is joined from. */
  readonly tables: number;
  /** Whether it need not be joined: it has one row, or only rows that are written out. */
  readonly isCounted: boolean;
  /** Relations beside it that its rows are looked up by, by their names. */
  readonly of?: readonly string[];
}

interface Tables {
  readonly name: string;
  /** Undefined for one that is not read yet: itself, or one that comes later. */
  readonly part: Part | undefined;
  readonly outer: Tables | undefined;
}

const aTable = { names: [], copies: 1, tables: 1, isCounted: false } as const;
const endless = (why: string): Pick<Part, 'copies' | 'why'> => ({ copies: Infinity, why });

const notJoined = 'tables that no equality of their columns joins';

class CopyReader {
  found: string | undefined;
  readonly #top: Node;
  readonly #carries: (select: Node) => boolean;

  constructor(top: Node, carries: (select: Node) => boolean) {
    this.#top = top;
    this.#carries = carries;
  }

  /** Reads a query, and returns what its rows are made from. */
  select(node: Node, outer: Tables | undefined): Part {
    const tables = this.#commonTables(child(node, 'withClause'), outer);
    this.#inner([node.targetList, node.whereClause, node.havingClause, node.valuesLists], tables);
    this.#inner([node.sortClause, node.limitCount, node.limitOffset, node.groupClause], tables);
    const part = this.#rows(node, tables);
    if (this.#carries(node)) {
      if (part.copies > copiesMax) this.found ??= part.why ?? `more than ${copiesMax} copies of a row`;
      const sorted = part.tables > 1 ? sortIn(node, node === this.#top) : undefined;
      if (sorted !== undefined) this.found ??= `${sorted} of joined tables`;
    }
    return isOneRow(node) ? { ...part, copies: 1, tables: 0, isCounted: true } : part;
  }

  #rows(node: Node, tables: Tables | undefined): Part {
    const [left, right] = [child(node, 'larg'), child(node, 'rarg')];
    if (left !== undefined && right !== undefined) {
      const [one, other] = [this.select(left, tables), this.select(right, tables)];
      return {
        names: [],
        copies: one.copies + other.copies,
        why: one.why ?? other.why,
        tables: Math.max(one.tables, other.tables),
        isCounted: one.isCounted && other.isCounted,
      };
    }
    const rows = list(node.valuesLists).length;
    if (rows > 0) return { names: [], copies: rows, tables: 0, isCounted: true };
    const parts = list(node.fromClause).flatMap((item) => this.#from(item, tables));
    const equalities = equalitiesIn([node.fromClause, node.whereClause]);
    const made = [...parts, ...callsIn(node.targetList).map(rowsOf)];
    const isJoined = areJoined(parts, equalities);
    const own = new Set(parts.flatMap(({ names }) => names));
    return {
      names: [],
      copies: isJoined ? made.reduce((product, { copies }) => product * copies, 1) : Infinity,
      why: isJoined ? made.find(({ why }) => why)?.why : notJoined,
      tables: parts.reduce((sum, part) => sum + part.tables, 0),
      isCounted: parts.every(({ isCounted }) => isCounted),
      of: equalities
        .filter((pair) => pair.some((name) => own.has(name)))
        .flat()
        .filter((name) => !own.has(name)),
    };
  }

  #commonTables(clause: Node | undefined, outer: Tables | undefined): Tables | undefined {
    const entries = list(clause?.ctes).map((entry) => child(entry, 'CommonTableExpr'));
    let own = outer;
    if (clause?.recursive === true)
      for (const entry of entries) own = { name: text(entry?.ctename), part: undefined, outer: own };
    for (const entry of entries) {
      const name = text(entry?.ctename);
      const select = child(child(entry, 'ctequery'), 'SelectStmt');
      if (select === undefined) continue;
      // A walk without repeated or computed rows ends by itself.
      const isWalk = clause?.recursive === true && isRead(name, select) && isFiniteWalk(select);
      own = {
        name,
        part: this.select(select, isWalk ? { name, part: aTable, outer: own } : own),
        outer: own,
      };
    }
    return own;
  }

  /** Reads the queries within expressions. */
  #inner(expressions: unknown, tables: Tables | undefined): void {
    walk([expressions], (kind, node) => {
      if (kind !== 'SelectStmt') return true;
      // The rows of `IN (VALUES ...)` are compared, and repeat nothing.
      if (list(node.valuesLists).length === 0) this.select(node, tables);
      else this.#inner(node.valuesLists, tables);
      return false;
    });
  }

  #from(item: unknown, tables: Tables | undefined): readonly Part[] {
    const { kind = '', body = {} } = named(item) ?? {};
    const alias = text(child(body, 'alias')?.aliasname);
    switch (kind) {
      case 'RangeVar':
        return [this.#table(body, alias, tables)];
      case 'RangeSubselect': {
        const select = child(child(body, 'subquery'), 'SelectStmt');
        const part = select === undefined ? undefined : this.select(select, tables);
        return part === undefined
          ? []
          : [{ ...part, names: [alias], of: body.lateral === true ? (part.of ?? []) : [] }];
      }
      case 'JoinExpr': {
        this.#inner([body.quals], tables);
        const parts = [body.larg, body.rarg].flatMap((side) => this.#from(side, tables));
        if (alias === '') return parts;
        // Its alias stands for all of its tables, so they must be joined among themselves.
        const isJoined = areJoined(parts, equalitiesIn([item]));
        const made = isJoined ? {} : endless(notJoined);
        return parts.map((part) => ({ ...part, ...made, names: [...part.names, alias] }));
      }
      case 'RangeTableSample':
        return this.#from(body.relation, tables);
      case 'RangeFunction': {
        this.#inner([body.functions], tables);
        const calls = list(body.functions).map((entry) => list(child(entry, 'List')?.items)[0]);
        const rows = calls.map(rowsOf);
        const of = qualifiersIn(calls);
        const copies = rows.reduce((product, each) => product * each.copies, 1);
        const why = rows.find((each) => each.why)?.why;
        return [{ names: [alias], copies, why, tables: 0, isCounted: of.length === 0, of }];
      }
      default:
        return [{ ...aTable, ...endless(kind), names: [alias] }];
    }
  }

  #table(node: Node, alias: string, tables: Tables | undefined): Part {
    const name = text(node.relname);
    const names = [alias === '' ? name : alias];
    for (let at = node.schemaname === undefined ? tables : undefined; at !== undefined; at = at.outer)
      if (at.name === name)
        return { ...(at.part ?? { ...aTable, ...endless('WITH RECURSIVE') }), names, of: [] };
    return { ...aTable, names };
  }
}

/** Returns what sorts all rows of a query, so that more of them than fit into memory are sorted otherwise. */
function sortIn(node: Node, isTop: boolean): string | undefined {
  const { sortClause, distinctClause, limitOffset, targetList, windowClause } = node;
  let isOverWindow = list(windowClause).length > 0;
  walk([targetList, sortClause], (kind, inner) => {
    isOverWindow ||= kind === 'FuncCall' && inner.over !== undefined;
    return kind !== 'SelectStmt';
  });
  if (isOverWindow) return 'a window';
  if (list(distinctClause).length > 0) return 'DISTINCT';
  if (list(sortClause).length === 0) return undefined;
  if (!isTop) return 'an inner ORDER BY';
  // Of the first rows, no more than these are kept.
  const offset = limitOffset === undefined ? undefined : constantOf(limitOffset);
  const isNear = offset?.kind === 'number' && Number(offset.value) <= offsetMax;
  return limitOffset === undefined || isNear ? undefined : 'a large OFFSET';
}

const offsetMax = 1_000;

function callsIn(expressions: unknown): readonly Node[] {
  const calls: Node[] = [];
  walk([expressions], (kind, node) => {
    if (kind === 'FuncCall') calls.push({ FuncCall: node });
    return kind !== 'SelectStmt';
  });
  return calls;
}

/** Returns how many rows a function returns, as far as its constants say. */
function rowsOf(call: unknown): Pick<Part, 'copies' | 'why'> {
  const node = child(call, 'FuncCall');
  const name = strings(node?.funcname).at(-1) ?? '';
  if (node === undefined || !returnsRows.test(name)) return { copies: 1 };
  const given = list(node.args);
  const elements = list(child(given[0], 'A_ArrayExpr')?.elements).length;
  if (name === 'generate_series') return { copies: stepsOf(given), why: `${name}()` };
  if (given.length === 1 && elements > 0) return { copies: elements };
  return elementsOf.test(name) && isPlain(given[0]) ? { copies: 1 } : endless(`${name}()`);
}

/** The rows of generate_series; Infinity unless all that it is given are numbers that are written out. */
function stepsOf(given: readonly unknown[]): number {
  const numbers = given.map((each) => {
    const constant = constantOf(each);
    return constant?.kind === 'number' ? Number(constant.value) : NaN;
  });
  const [from = NaN, to = NaN, step = 1] = numbers;
  const rows = Math.floor((to - from) / step) + 1;
  return Number.isFinite(rows) ? Math.max(1, rows) : Infinity;
}

/** Whether an expression is a column, or a part of one, whose value has as many elements as it has. */
function isPlain(expression: unknown): boolean {
  const { kind, body = {} } = named(expression) ?? {};
  if (kind === 'ColumnRef') return true;
  if (kind === 'TypeCast' || kind === 'A_Indirection') return isPlain(body.arg);
  return (
    kind === 'A_Expr' && /^(?:->|->>|#>|#>>)$/.test(strings(body.name).at(-1) ?? '') && isPlain(body.lexpr)
  );
}

/** Those that return the elements of a value, which is not of the writer's choice. */
const elementsOf =
  /^(?:unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys))$/;

/** PostgreSQL's functions that return a set of rows, and may be called by an agent. */
const returnsRows =
  /^(?:generate_.+|unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys|path_query|path_query_tz|to_recordset|populate_recordset))$/;

/** Whether a query has one row: an aggregate of all rows, or a limit. */
function isOneRow({ targetList, groupClause, limitCount, limitOption }: Node): boolean {
  const limit = constantOf(limitCount);
  if (limit?.kind === 'number' && limit.value === '1' && limitOption === 'LIMIT_OPTION_COUNT') return true;
  const calls = callsIn(targetList);
  // A function beside an aggregate, or of one, may return any number of rows.
  if (calls.some((call) => rowsOf(call).copies !== 1)) return false;
  const isAggregate = calls.some((call) => {
    const { funcname, over } = child(call, 'FuncCall') ?? {};
    return over === undefined && aggregates.test(strings(funcname).at(-1) ?? '');
  });
  return isAggregate && list(groupClause).length === 0;
}

const aggregates = /^(?:count|sum|avg|min|max|bool_and|bool_or|every|(?:string|array|jsonb?)_agg)$/;

function isRead(name: string, select: Node): boolean {
  let isFound = false;
  walk([select], (kind, node) => {
    isFound ||= kind === 'RangeVar' && node.relname === name;
    return true;
  });
  return isFound;
}

/** Whether a recursive query makes only rows of columns, none twice: there are no more than the tables hold. */
function isFiniteWalk({ op, all, larg, rarg }: Node): boolean {
  const isOfColumns = (side: unknown) =>
    list(child({ side }, 'side')?.targetList).every(
      (target) => child(child(child(target, 'ResTarget'), 'val'), 'ColumnRef') !== undefined,
    );
  return op === 'SETOP_UNION' && all !== true && isOfColumns(larg) && isOfColumns(rarg);
}

type Pair = readonly [string, string];

/** The relations whose columns must be equal in every row of FROM, by their names. */
function equalitiesIn(conditions: unknown): readonly Pair[] {
  const pairs: Pair[] = [];
  const read = (expression: unknown): void => {
    if (Array.isArray(expression)) {
      expression.forEach(read);
      return;
    }
    const { kind, body = {} } = named(expression) ?? {};
    if (kind === 'JoinExpr') {
      [body.larg, body.rarg].forEach(read);
      const [left, right] = [namesIn(body.larg), namesIn(body.rarg)];
      // NATURAL may find no column that both have.
      if (list(body.usingClause).length > 0) pairs.push([left.at(-1) ?? '', right[0] ?? '']);
      const before = pairs.length;
      read(body.quals);
      // The rows of an outer join that its condition does not find stay, so it joins no tables of one side.
      if (body.jointype === 'JOIN_INNER') return;
      for (const pair of pairs.splice(before))
        if ([left, right].every((side) => pair.some((name) => side.includes(name)))) pairs.push(pair);
    } else if (kind === 'BoolExpr' && body.boolop === 'AND_EXPR') read(body.args);
    else if (kind === 'A_Expr' && body.kind === 'AEXPR_OP' && strings(body.name).join('.') === '=') {
      const [one, other] = [body.lexpr, body.rexpr].map(qualifierOf);
      if (one !== undefined && other !== undefined && one !== other) pairs.push([one, other]);
    }
  };
  read(conditions);
  return pairs;
}

/** Whether equalities connect all relations but those that are counted. */
function areJoined(parts: readonly Part[], equalities: readonly Pair[]): boolean {
  const names = parts.flatMap((part) => part.names);
  // Tables of two schemas may have one name, which then says nothing.
  if (parts.length < 2) return true;
  if (new Set(parts.map((part) => part.names[0])).size < parts.length) return false;
  const own = new Set(names);
  const groups: readonly (readonly string[])[] = [
    ...parts.map((part) => [...part.names, ...(part.of ?? [])].filter((name) => own.has(name))),
    ...equalities.filter((pair) => pair.every((name) => own.has(name))),
  ];
  const [first, ...needed] = parts.filter(({ isCounted }) => !isCounted);
  const reached = new Set(first?.names);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const group of groups)
      if (group.some((name) => reached.has(name))) for (const name of group) reached.add(name);
  }
  return needed.every((part) => part.names.some((name) => reached.has(name)));
}

/** The names of the relations of an item of FROM, in order. */
function namesIn(item: unknown): readonly string[] {
  const { kind, body = {} } = named(item) ?? {};
  const alias = text(child(body, 'alias')?.aliasname);
  if (kind === 'JoinExpr') return [...namesIn(body.larg), ...namesIn(body.rarg)];
  return [alias === '' ? text(body.relname) : alias];
}

function qualifierOf(expression: unknown): string | undefined {
  const { kind, body = {} } = named(expression) ?? {};
  if (kind === 'TypeCast') return qualifierOf(body.arg);
  if (kind === 'A_Expr' && /^->>?$/.test(strings(body.name).at(-1) ?? '')) return qualifierOf(body.lexpr);
  const parts = strings(child(expression, 'ColumnRef')?.fields);
  return parts.length > 1 ? parts.at(-2) : undefined;
}

function qualifiersIn(expressions: unknown): readonly string[] {
  const found = new Set<string>();
  walk([expressions], (kind, node) => {
    const name = kind === 'ColumnRef' ? qualifierOf({ ColumnRef: node }) : undefined;
    if (name !== undefined) found.add(name);
    return true;
  });
  return [...found];
}
