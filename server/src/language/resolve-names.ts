/**
 * Looks the names of a statement up, by PostgreSQL's rules of scope, in what is known of the models. A name is reported
 * only where everything it could mean is known: one table with unknown columns in reach silences the question.
 */
import { closestName, findModel, findTable, type Catalogue } from './catalogue.ts';

import type { CommonTable, FromItem, NameRef, Query } from './query-model.ts';

export interface NameContext {
  readonly catalogue: Catalogue;
  /** The model whose tables need no qualifier. */
  readonly model: string;
}

export interface NameProblem {
  readonly code: 'UNKNOWN_TABLE' | 'UNKNOWN_COLUMN' | 'AMBIGUOUS_COLUMN';
  readonly message: string;
  /** UTF-16 offset of the whole name in the statement. */
  readonly start: number;
  /** Which part of the dotted name is meant, from 0. */
  readonly part: number;
  /** The name that was probably meant, as the catalogue has it; with its model where that is another. */
  readonly meant?: readonly string[];
}

export function resolveNames(query: Query, context: NameContext): readonly NameProblem[] {
  const resolver = new Resolver(context);
  resolver.query(query, undefined, []);
  return resolver.problems;
}

/** Undefined while unknown. */
type Columns = readonly string[] | undefined;

interface Relation {
  readonly name: string | undefined;
  readonly schema?: string;
  readonly columns: Columns;
  /** Columns that USING or NATURAL merged into one of the relation on the left: not ambiguous. */
  readonly merged: ReadonlySet<string>;
}

interface Scope {
  readonly relations: readonly Relation[];
  readonly parent: Scope | undefined;
}

interface VisibleTable {
  readonly name: string;
  readonly columns: Columns;
}

const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

class Resolver {
  readonly problems: NameProblem[] = [];
  readonly #context: NameContext;

  constructor(context: NameContext) {
    this.#context = context;
  }

  /** The query's output columns; undefined where one cannot be told. */
  query(query: Query, parent: Scope | undefined, outer: readonly VisibleTable[]): Columns {
    const tables = this.#commonTables(query, parent, outer);
    if (query.sides !== undefined) {
      const [first, ...others] = query.sides;
      const columns = this.query(first, parent, tables);
      for (const side of others) {
        this.query(side, parent, tables);
      }
      const scope: Scope = { relations: [], parent };
      for (const inner of query.queries) {
        this.query(inner, scope, tables);
      }
      // ORDER BY of a set operation names outputs; anything else in it PostgreSQL refuses by itself.
      return columns;
    }
    const relations: Relation[] = [];
    for (const item of query.from) {
      relations.push(...this.#fromItem(item, { relations, parent }, parent, tables));
    }
    const scope: Scope = { relations, parent };
    const outputs = new Set(query.outputs.flatMap(({ name }) => (name === undefined ? [] : [name])));
    const hasOpenOutput = query.outputs.some(({ name }) => name === undefined);
    for (const ref of query.refs) {
      const isOutput = ref.parts.length === 1 && outputs.has(ref.parts[0] ?? '');
      const mayBeOutput =
        ref.clause !== 'expression' && ref.parts.length === 1 && (isOutput || hasOpenOutput);
      if (!mayBeOutput) {
        this.#column(ref, scope);
      }
    }
    for (const inner of query.queries) {
      this.query(inner, scope, tables);
    }
    return outputColumns(query, relations);
  }

  #commonTables(
    query: Query,
    parent: Scope | undefined,
    outer: readonly VisibleTable[],
  ): readonly VisibleTable[] {
    const own: VisibleTable[] = [];
    // All of a recursive WITH see each other; what comes later is known by name only.
    const later = query.isRecursive
      ? query.commonTables.map(({ name }) => ({ name, columns: undefined }))
      : [];
    for (const table of query.commonTables) {
      const visible = [...own, ...later, ...outer];
      const self = query.isRecursive ? this.#recursiveSelf(table, parent, visible) : [];
      const columns =
        table.query === undefined ? undefined : this.query(table.query, parent, [...self, ...visible]);
      own.push({ name: table.name, columns: renamed(columns, table.columnAliases) });
    }
    return [...own, ...outer];
  }

  /** A recursive table sees itself with the columns of its first part. */
  #recursiveSelf(
    table: CommonTable,
    parent: Scope | undefined,
    visible: readonly VisibleTable[],
  ): readonly VisibleTable[] {
    const first = table.query?.sides?.[0];
    if (first === undefined || (table.query?.commonTables.length ?? 0) > 0) {
      return [{ name: table.name, columns: undefined }];
    }
    const silent = new Resolver(this.#context);
    return [
      { name: table.name, columns: renamed(silent.query(first, parent, visible), table.columnAliases) },
    ];
  }

  #fromItem(
    item: FromItem,
    before: Scope,
    parent: Scope | undefined,
    tables: readonly VisibleTable[],
  ): readonly Relation[] {
    switch (item.kind) {
      case 'table':
        return [this.#table(item, tables)];
      case 'query': {
        const columns = this.query(item.query, item.isLateral ? before : parent, tables);
        return [{ name: item.alias, columns: renamed(columns, item.columnAliases), merged: new Set() }];
      }
      case 'opaque': {
        for (const ref of item.refs) {
          this.#column(ref, before);
        }
        for (const inner of item.queries) {
          this.query(inner, before, tables);
        }
        return [{ name: item.alias, columns: undefined, merged: new Set() }];
      }
      case 'join':
        return this.#join(item, before, parent, tables);
    }
  }

  #join(
    item: Extract<FromItem, { kind: 'join' }>,
    before: Scope,
    parent: Scope | undefined,
    tables: readonly VisibleTable[],
  ): readonly Relation[] {
    const left = this.#fromItem(item.left, before, parent, tables);
    const right = this.#fromItem(
      item.right,
      { relations: [...before.relations, ...left], parent },
      parent,
      tables,
    );
    const shared = item.isNatural ? sharedColumns(left, right) : item.using;
    const rightMerged = right.map((relation) => ({
      ...relation,
      merged: new Set([...relation.merged, ...(shared ?? relation.columns ?? [])]),
    }));
    const relations = [...left, ...rightMerged];
    // Behind an alias of its own a join is one relation; before that, its condition sees both sides.
    const inner: Scope = { relations, parent: { relations: before.relations, parent } };
    for (const ref of item.refs) {
      this.#column(ref, inner);
    }
    for (const query of item.queries) {
      this.query(query, inner, tables);
    }
    const named = (name: string): Relation => ({ name, columns: undefined, merged: new Set() });
    if (item.alias !== undefined) {
      return [named(item.alias)];
    }
    return item.usingAlias === undefined ? relations : [...relations, named(item.usingAlias)];
  }

  #table(item: Extract<FromItem, { kind: 'table' }>, tables: readonly VisibleTable[]): Relation {
    const name = item.alias ?? item.name;
    const schema = item.alias === undefined && item.schema !== undefined ? { schema: item.schema } : {};
    const common = item.schema === undefined ? tables.find((table) => table.name === item.name) : undefined;
    const columns = common === undefined ? this.#catalogueColumns(item) : common.columns;
    return { name, ...schema, columns: renamed(columns, item.columnAliases), merged: new Set() };
  }

  #catalogueColumns({ schema, name, start }: Extract<FromItem, { kind: 'table' }>): Columns {
    const { catalogue, model } = this.#context;
    const owner = findModel(catalogue, schema ?? model);
    if (owner?.tables === undefined || owner.tables.length === 0) {
      return undefined;
    }
    const table = findTable(owner, name);
    if (table === undefined) {
      // Without a qualifier PostgreSQL looks into its own catalogue too.
      if (schema !== undefined || !name.startsWith('pg_')) {
        this.#report(
          'UNKNOWN_TABLE',
          this.#describeTable(owner.name, name),
          start,
          schema === undefined ? 0 : 1,
          this.#meantTable(owner.name, name),
        );
      }
      return undefined;
    }
    return table.columns?.map((column) => column.name);
  }

  #meantTable(model: string, name: string): readonly string[] | undefined {
    const { catalogue } = this.#context;
    const elsewhere = catalogue.models.find((other) => findTable(other, name) !== undefined);
    return elsewhere === undefined
      ? meantName(name, findModel(catalogue, model)?.tables?.map((table) => table.name) ?? [])
      : [elsewhere.name, name];
  }

  #describeTable(model: string, name: string): string {
    const { catalogue } = this.#context;
    const elsewhere = catalogue.models.find((other) => findTable(other, name) !== undefined);
    if (elsewhere !== undefined) {
      return `There is no table ${name} in ${model}. There is one in another model: ${elsewhere.name}.${name}`;
    }
    const names = findModel(catalogue, model)?.tables?.map((table) => table.name) ?? [];
    return `There is no table ${name} in ${model}.${suggestion(name, names)}`;
  }

  #column({ parts, start }: NameRef, scope: Scope): void {
    const column = parts.at(-1) ?? '';
    if (parts.length > 1) {
      this.#qualified(parts, start, scope);
    } else if (column !== '*') {
      this.#bare(column, start, scope);
    }
  }

  #bare(column: string, start: number, scope: Scope): void {
    const seen: string[] = [];
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const { relations } = at;
      const owners = relations.filter(
        ({ columns, merged }) => columns?.includes(column) === true && !merged.has(column),
      );
      if (owners.length > 1) {
        const names = owners.map(({ name }) => name ?? 'a subquery').join(', ');
        this.#report(
          'AMBIGUOUS_COLUMN',
          `${column} is a column of ${names}. Write which one: ${owners[0]?.name ?? 'alias'}.${column}`,
          start,
          0,
        );
        return;
      }
      // Found; or the name of a relation, which means its whole row; or not knowable.
      const isHere = relations.some(
        ({ name, columns }) => columns === undefined || columns.includes(column) || name === column,
      );
      if (isHere || systemColumns.has(column)) {
        return;
      }
      seen.push(...relations.flatMap(({ columns }) => columns ?? []));
    }
    this.#report(
      'UNKNOWN_COLUMN',
      `There is no column ${column} here.${suggestion(column, seen)}`,
      start,
      0,
      meantName(column, seen),
    );
  }

  #qualified(parts: readonly string[], start: number, scope: Scope): void {
    const [first = '', second = '', third] = parts;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const { relations } = at;
      const bySchema = relations.find(
        ({ name, schema }) => third !== undefined && schema === first && name === second,
      );
      const relation = bySchema ?? relations.find(({ name }) => name === first);
      if (relation !== undefined) {
        const column = bySchema === undefined ? second : (third ?? '');
        const isKnown =
          relation.columns === undefined ||
          column === '*' ||
          relation.columns.includes(column) ||
          systemColumns.has(column);
        if (!isKnown) {
          const message = `There is no column ${column} in ${relation.name ?? first}.${suggestion(column, relation.columns)}`;
          const meant = meantName(column, relation.columns);
          this.#report('UNKNOWN_COLUMN', message, start, bySchema === undefined ? 1 : 2, meant);
        }
        return;
      }
      // The first part may be a column of a composite type, or of a relation without a name or with unknown columns.
      if (
        relations.some(
          ({ name, columns }) => columns === undefined || name === undefined || columns.includes(first),
        )
      ) {
        return;
      }
    }
    const names: string[] = [];
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      names.push(...at.relations.flatMap(({ name }) => (name === undefined ? [] : [name])));
    }
    if (parts.length === 2) {
      this.#report(
        'UNKNOWN_TABLE',
        `${first} is no table or alias in this query.${suggestion(first, names)}`,
        start,
        0,
        meantName(first, names),
      );
    }
  }

  #report(
    code: NameProblem['code'],
    message: string,
    start: number,
    part: number,
    meant?: readonly string[],
  ): void {
    this.problems.push({ code, message, start, part, ...(meant === undefined ? {} : { meant }) });
  }
}

function meantName(name: string, known: readonly string[]): readonly string[] | undefined {
  const meant = closestName(name, known);
  return meant === undefined ? undefined : [meant];
}

const suggestion = (name: string, known: readonly string[]): string => {
  const meant = closestName(name, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
};

/** Columns under the names that an alias list gives to the first of them. */
function renamed(columns: Columns, aliases: readonly string[]): Columns {
  return columns === undefined ? undefined : [...aliases, ...columns.slice(aliases.length)];
}

/** Undefined when a side is not known. */
function sharedColumns(left: readonly Relation[], right: readonly Relation[]): readonly string[] | undefined {
  const of = (relations: readonly Relation[]): Columns =>
    relations.some(({ columns }) => columns === undefined)
      ? undefined
      : relations.flatMap(({ columns }) => columns ?? []);
  const rightColumns = of(right);
  return rightColumns === undefined ? undefined : of(left)?.filter((column) => rightColumns.includes(column));
}

function outputColumns(query: Query, relations: readonly Relation[]): Columns {
  const columns: string[] = [];
  for (const { name, qualifier } of query.outputs) {
    if (name === undefined) {
      return undefined;
    }
    if (name !== '*') {
      columns.push(name);
      continue;
    }
    const wanted = qualifier?.at(-1);
    const from = wanted === undefined ? relations : relations.filter((relation) => relation.name === wanted);
    if (from.length === 0 || from.some((relation) => relation.columns === undefined)) {
      return undefined;
    }
    columns.push(
      ...from.flatMap((relation) =>
        (relation.columns ?? []).filter((column) => wanted !== undefined || !relation.merged.has(column)),
      ),
    );
  }
  return columns;
}
