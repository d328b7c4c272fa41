/**
 * Which tables and columns of the models a query reads, and what its placeholders are compared with: names are followed
 * through aliases, common tables and subqueries down to the table they come from. A name that may come from several
 * tables is left out: what is said here is certain, or as certain as the text without a catalogue allows.
 */
import { findColumn, findModel, findTable } from './catalogue.ts';
import { ExpansionLimit, queryCost } from './expansion-limit.ts';
import { parameterTypeOf } from './parameter-types.ts';
import type { CommonTable, FromItem, Mentions, Query } from '../tree/query-model.ts';
import type { NameContext } from './name-context.ts';

/** A column of a table of a model. */
export interface ColumnOrigin {
  readonly model: string;
  readonly table: string;
  readonly column: string;
}

export interface TableUse {
  readonly model: string;
  readonly table: string;
  /** Each once. `*` counts as every column that is known. */
  readonly columns: readonly string[];
  /** Whether `*` reads whatever columns there are. */
  readonly usesAllColumns: boolean;
}

/** One use of a placeholder, and what is known of its type there. */
export interface ParameterUse {
  /** UTF-16 offset in the statement. */
  readonly start: number;
  /** Of one value; in the words of `-- @param`. */
  readonly type?: string;
  readonly isList: boolean;
  /** Whether it is one value that holds several: what ANY and ALL read. */
  readonly isArray: boolean;
  readonly comparedWith?: ColumnOrigin;
}

export interface References {
  readonly tables: readonly TableUse[];
  readonly parameters: readonly ParameterUse[];
}

export function readReferences(query: Query, context: NameContext): References {
  const reader = new ReferenceReader(context);
  reader.query(query, undefined, []);
  return reader.result();
}

/** What a name gives in one relation: a table's column, something computed, nothing, or nobody knows. */
type Found = ColumnOrigin | 'computed' | 'none' | 'unknown';

interface Column {
  readonly name: string;
  readonly origin: ColumnOrigin | undefined;
}

/** What FROM reads, with its columns by name. */
interface Source {
  readonly name: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: { readonly model: string; readonly table: string };
  /** Undefined while unknown; those of a list that is open come first. */
  readonly columns: readonly Column[] | undefined;
}

interface Scope {
  readonly sources: readonly Source[];
  readonly parent: Scope | undefined;
}

interface VisibleTable {
  readonly name: string;
  readonly columns: readonly Column[] | undefined;
}

class ReferenceReader {
  readonly #context: NameContext;
  readonly #limit = new ExpansionLimit();
  readonly #uses = new Map<string, { model: string; table: string; columns: Set<string>; isAll: boolean }>();
  readonly #parameters: ParameterUse[] = [];

  constructor(context: NameContext) {
    this.#context = context;
  }

  result(): References {
    return {
      tables: [...this.#uses.values()].map(({ model, table, columns, isAll }) => ({
        model,
        table,
        columns: [...columns],
        usesAllColumns: isAll,
      })),
      parameters: this.#parameters.toSorted((a, b) => a.start - b.start),
    };
  }

  /** The query's columns; undefined where one cannot be told. */
  query(
    query: Query,
    parent: Scope | undefined,
    outer: readonly VisibleTable[],
  ): readonly Column[] | undefined {
    if (!this.#limit.compares(() => queryCost + outer.length)) {
      return undefined;
    }
    const tables = this.#commonTables(query, parent, outer);
    if (query.sides !== undefined) {
      const [first, ...others] = query.sides;
      const columns = this.query(first, parent, tables);
      for (const side of others) {
        this.query(side, parent, tables);
      }
      this.#mentions({ ...query, refs: [] }, { sources: [], parent }, tables);
      return columns;
    }
    const sources: Source[] = [];
    for (const item of query.from) {
      this.#fromItem(item, { sources, parent }, parent, tables).forEach((source) => sources.push(source));
    }
    const scope: Scope = { sources, parent };
    const outputs = new Set(query.outputs.map(({ name }) => name));
    const refs = query.refs.filter(
      ({ parts, clause }) => clause !== 'output-first' || parts.length > 1 || !outputs.has(parts[0]),
    );
    this.#mentions({ ...query, refs }, scope, tables);
    return this.#outputs(query, scope);
  }

  #mentions({ refs, queries, placeholders }: Mentions, scope: Scope, tables: readonly VisibleTable[]): void {
    for (const { parts } of refs) {
      if (parts.at(-1) === '*') {
        this.#star(parts.slice(0, -1), scope);
      } else {
        this.#use(this.#find(parts, scope));
      }
    }
    for (const { start, type, column, isList, isArray = false, isElement = false } of placeholders) {
      const found = column === undefined ? 'none' : this.#find(column, scope);
      const origin = typeof found === 'string' ? undefined : found;
      const known = parameterTypeOf(type ?? this.#typeOf(origin) ?? '');
      this.#parameters.push({
        start,
        isList: isList || (known?.isList === true && !isElement),
        isArray,
        ...(known === undefined ? {} : { type: known.type }),
        ...(origin === undefined ? {} : { comparedWith: origin }),
      });
    }
    for (const inner of queries) {
      this.query(inner, scope, tables);
    }
  }

  /** As `find`, up to the limit. */
  #find(parts: readonly string[], scope: Scope): Found {
    return this.#limit.compares(() => sizeOf(scope)) ? find(parts, scope) : 'unknown';
  }

  #typeOf(origin: ColumnOrigin | undefined): string | undefined {
    const { catalogue } = this.#context;
    return origin && catalogue && findColumn(catalogue, origin)?.type;
  }

  #use(found: Found): void {
    if (typeof found !== 'string') {
      this.#uses.get(keyOf(found))?.columns.add(found.column);
    }
  }

  #star(qualifier: readonly string[], scope: Scope): void {
    const wanted = qualifier.at(-1);
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const sources = wanted === undefined ? at.sources : at.sources.filter(({ name }) => name === wanted);
      for (const { table, columns } of sources) {
        const use = table === undefined ? undefined : this.#uses.get(keyOf(table));
        if (use !== undefined) {
          use.isAll = true;
        }
        for (const { origin } of columns ?? []) {
          this.#use(origin ?? 'computed');
        }
      }
      if (wanted === undefined || sources.length > 0) {
        return;
      }
    }
  }

  #outputs(query: Query, scope: Scope): readonly Column[] | undefined {
    const lists: (readonly Column[])[] = [];
    for (const { name, qualifier, source } of query.outputs) {
      if (name === undefined) {
        return undefined;
      }
      if (name !== '*') {
        const found = source === undefined ? 'computed' : this.#find(source, scope);
        lists.push([{ name, origin: typeof found === 'string' ? undefined : found }]);
        continue;
      }
      const wanted = qualifier?.at(-1);
      const sources = scope.sources.filter((each) => wanted === undefined || each.name === wanted);
      const columns = this.#limit.concatenated(sources.map((each) => each.columns));
      if (sources.length === 0 || columns === undefined) {
        return undefined;
      }
      lists.push(columns);
    }
    return this.#limit.concatenated(lists);
  }

  #commonTables(
    query: Query,
    parent: Scope | undefined,
    outer: readonly VisibleTable[],
  ): readonly VisibleTable[] {
    let visible = outer;
    for (const table of query.commonTables) {
      // A recursive table reads itself: by then only its name is known.
      const inside = query.isRecursive ? [unknownTable(table), ...visible] : visible;
      const columns = table.query === undefined ? undefined : this.query(table.query, parent, inside);
      visible = [{ name: table.name, columns: renamed(columns, table.columnAliases) }, ...visible];
    }
    return visible;
  }

  #fromItem(
    item: FromItem,
    before: Scope,
    parent: Scope | undefined,
    tables: readonly VisibleTable[],
  ): readonly Source[] {
    switch (item.kind) {
      case 'table':
        return [this.#table(item, tables)];
      case 'query': {
        const columns = this.query(item.query, item.isLateral ? before : parent, tables);
        return [{ name: item.alias, columns: renamed(columns, item.columnAliases) }];
      }
      case 'opaque':
        this.#mentions(item, before, tables);
        return [{ name: item.alias, columns: undefined }];
      case 'join': {
        const left = this.#fromItem(item.left, before, parent, tables);
        const between: Scope = { sources: [...before.sources, ...left], parent };
        const right = this.#fromItem(item.right, between, parent, tables);
        const sources = [...left, ...right];
        this.#mentions(item, { sources, parent: { sources: before.sources, parent } }, tables);
        for (const column of item.using) {
          for (const source of sources) {
            this.#use(inSource(source, column));
          }
        }
        // Behind an alias of its own the sides are seen no more.
        return item.alias === undefined ? sources : [{ name: item.alias, columns: undefined }];
      }
    }
  }

  #table(item: Extract<FromItem, { kind: 'table' }>, tables: readonly VisibleTable[]): Source {
    const name = item.alias ?? item.name;
    const common = item.schema === undefined ? tables.find((table) => table.name === item.name) : undefined;
    if (common !== undefined) {
      return { name, columns: renamed(common.columns, item.columnAliases) };
    }
    const table = { model: item.schema ?? this.#context.model, table: item.name };
    const key = keyOf(table);
    this.#uses.set(key, this.#uses.get(key) ?? { ...table, columns: new Set(), isAll: false });
    const { catalogue } = this.#context;
    const model = catalogue && findModel(catalogue, table.model);
    const known = model && findTable(model, table.table)?.columns;
    const columns = known?.map((column) => ({
      name: column.name,
      origin: { ...table, column: column.name },
    }));
    const schema = item.alias === undefined ? item.schema : undefined;
    // Under other names the columns of an unknown table cannot be told.
    return item.columnAliases.length > 0
      ? { name, columns: renamed(columns, item.columnAliases) }
      : { name, schema, table, columns };
  }
}

const keyOf = ({ model, table }: { readonly model: string; readonly table: string }): string =>
  JSON.stringify([model, table]);

const unknownTable = ({ name }: CommonTable): VisibleTable => ({ name, columns: undefined });

/** How many names a name is compared with there. */
function sizeOf(scope: Scope): number {
  let size = 0;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    size += at.sources.reduce((sum, { columns }) => sum + 1 + (columns?.length ?? 0), 0);
  }
  return size;
}

/** The innermost meaning of a dotted name. */
function find(parts: readonly string[], scope: Scope): Found {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = parts.length > 1 ? qualified(parts, at.sources) : bare(parts[0] ?? '', at);
    if (found !== 'none') {
      return found;
    }
  }
  return 'none';
}

function qualified(parts: readonly string[], sources: readonly Source[]): Found {
  const [first = '', second = '', third] = parts;
  const source =
    sources.find(({ name, schema }) => third !== undefined && schema === first && name === second) ??
    sources.find(({ name }) => name === first);
  if (source === undefined) {
    return 'none';
  }
  const column = source.schema === first && source.name === second && third !== undefined ? third : second;
  const found = inSource(source, column);
  // The qualifier has decided: also a column that the catalogue does not have is meant as this table's.
  return found === 'none' || found === 'unknown'
    ? source.table === undefined
      ? 'unknown'
      : { ...source.table, column }
    : found;
}

function bare(column: string, { sources, parent }: Scope): Found {
  const found = sources.map((source) => inSource(source, column));
  const matches = found.filter((each) => each !== 'none' && each !== 'unknown');
  const [match] = matches;
  if (match !== undefined) {
    // The same name in several tables: merged by USING, or ambiguous. The first is as good as the others.
    return match;
  }
  if (!found.includes('unknown')) {
    return 'none';
  }
  // One table in sight, of which nothing is known: the column can only be its own.
  const [only] = sources;
  return sources.length === 1 && parent === undefined && only?.table !== undefined
    ? { ...only.table, column }
    : 'unknown';
}

function inSource({ columns }: Source, column: string): Found {
  if (columns === undefined) {
    return 'unknown';
  }
  const found = columns.find(({ name }) => name === column);
  return found === undefined ? 'none' : (found.origin ?? 'computed');
}

/** Columns under the names that an alias list gives to the first of them. */
function renamed(
  columns: readonly Column[] | undefined,
  aliases: readonly string[],
): readonly Column[] | undefined {
  return aliases.length === 0
    ? columns
    : columns?.map((column, index) => {
        const name = aliases[index];
        return name === undefined ? column : { ...column, name };
      });
}
