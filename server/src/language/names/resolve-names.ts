/**
 * Looks the names of a statement up, by PostgreSQL's rules of scope, in what is known of the models. A name is reported
 * only where everything it could mean is known: one table with unknown columns in reach silences the question.
 */
import { findModel, findTable } from './catalogue.ts';
import { ExpansionLimit, queryCost, type ExpansionProblem } from './expansion-limit.ts';
import {
  describeAmbiguous,
  describeColumn,
  describeQualifier,
  describeTable,
  meantName,
  meantTable,
  suggestion,
  unseenColumn,
  type QualifiedName,
} from './name-advice.ts';
import {
  commonColumns,
  isAmbiguousOutput,
  joined,
  namesIn,
  nothingMerged,
  outputColumns,
  renamed,
  sharedColumns,
  single,
  type Columns,
  type Joined,
  type Relation,
  type Scope,
  type Unseen,
  type VisibleTable,
} from './name-scopes.ts';
import type { CommonTable, FromItem, NameRef, Query } from '../tree/query-model.ts';
import type { KnownNames } from './name-context.ts';

export interface NameProblem {
  readonly code: 'UNKNOWN_TABLE' | 'UNKNOWN_COLUMN' | 'AMBIGUOUS_COLUMN';
  readonly message: string;
  /** UTF-16 offset of the whole name in the statement. */
  readonly start: number;
  /** Which part of the dotted name is meant, from 0. */
  readonly part: number;
  /** The column, where it is one that USING names: then `start` is that of the table before. */
  readonly inUsing?: string;
  /** The name that was probably meant, as the catalogue has it; with its model where that is another. */
  readonly meant?: readonly string[];
}

export interface ResolvedNames {
  readonly problems: readonly NameProblem[];
  /** The limit that was reached: names were left out. */
  readonly limit?: ExpansionProblem;
}

export function resolveNames(query: Query, context: KnownNames): ResolvedNames {
  const limit = new ExpansionLimit();
  const resolver = new Resolver(context, limit);
  resolver.query(query, undefined, []);
  return {
    problems: resolver.problems,
    ...(limit.problem === undefined ? {} : { limit: limit.problem }),
  };
}

const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

class Resolver {
  readonly problems: NameProblem[] = [];
  readonly #context: KnownNames;
  readonly #limit: ExpansionLimit;

  constructor(context: KnownNames, limit: ExpansionLimit) {
    this.#context = context;
    this.#limit = limit;
  }

  /** The query's output columns; undefined where one cannot be told. */
  query(query: Query, parent: Scope | undefined, outer: readonly VisibleTable[]): Columns {
    if (!this.#limit.compares(() => queryCost + outer.length)) {
      return undefined;
    }
    const tables = this.#commonTables(query, parent, outer);
    if (query.sides !== undefined) {
      return this.#setOperation(query, query.sides, parent, tables);
    }
    const names = new Set(namesIn(query.from));
    let from: Joined = { relations: [], star: [] };
    for (const item of query.from) {
      const next = this.#fromItem(item, { before: from.relations, parent, names, tables });
      from = {
        relations: [...from.relations, ...next.relations],
        star: this.#limit.concatenated([from.star, next.star]),
      };
    }
    const scope: Scope = { relations: from.relations, parent };
    const outputs = outputColumns(query, from, this.#limit);
    for (const ref of query.refs) {
      this.#inQuery(ref, { query, scope, outputs });
    }
    for (const inner of query.queries) {
      this.query(inner, scope, tables);
    }
    return outputs;
  }

  /** At the top of ORDER BY a name is first looked for among the outputs, in GROUP BY among the columns. */
  #inQuery(ref: NameRef, { query, scope, outputs }: Sorted): void {
    const [name = ''] = ref.parts;
    const mayBeOutput =
      ref.clause !== 'expression' && ref.parts.length === 1 && outputs?.includes(name) !== false;
    if (!mayBeOutput) {
      this.#column(ref, scope);
    } else if (ref.clause === 'input-first') {
      this.#reportAmbiguous(name, ref.start, scope.relations);
    } else if (
      outputs !== undefined &&
      isAmbiguousOutput(query, name, { outputs, relations: scope.relations })
    ) {
      this.#report('AMBIGUOUS_COLUMN', {
        message: `The result has several columns ${name}. Write which one, with its table, or give one another name with AS.`,
        start: ref.start,
      });
    }
  }

  #setOperation(
    { refs, queries }: Query,
    [first, ...others]: readonly [Query, ...Query[]],
    parent: Scope | undefined,
    tables: readonly VisibleTable[],
  ): Columns {
    const columns = this.query(first, parent, tables);
    for (const side of others) {
      this.query(side, parent, tables);
    }
    for (const inner of queries) {
      this.query(inner, { relations: [], parent }, tables);
    }
    for (const { parts, clause, start } of refs) {
      const [column = ''] = parts;
      // Anything but a name PostgreSQL refuses there by itself.
      const isOutput = clause === 'output-first' && parts.length === 1;
      if (isOutput && columns !== undefined && !columns.includes(column)) {
        this.#report('UNKNOWN_COLUMN', {
          message: `The result has no column ${column}, and behind UNION, INTERSECT and EXCEPT nothing else can be sorted by.${suggestion(column, columns)}`,
          start,
          meant: meantName(column, columns),
        });
      }
    }
    return columns;
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
      own.push({ name: table.name, columns: commonColumns(columns, table) });
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
    const silent = new Resolver(this.#context, this.#limit);
    return [{ name: table.name, columns: commonColumns(silent.query(first, parent, visible), table) }];
  }

  #fromItem(item: FromItem, place: Place): Joined {
    const { before, parent, tables } = place;
    switch (item.kind) {
      case 'table':
        return single(this.#table(item, tables));
      case 'query': {
        const outside: Scope = item.isLateral
          ? { relations: before, parent }
          : { relations: [], parent, unseen: unseenFrom(place, before, 'lateral') };
        const columns = this.query(item.query, outside, tables);
        return single({
          name: item.alias,
          columns: renamed(columns, item.columnAliases),
          merged: nothingMerged,
        });
      }
      case 'opaque': {
        const scope: Scope = { relations: before, parent };
        for (const ref of item.refs) {
          this.#column(ref, scope);
        }
        for (const inner of item.queries) {
          this.query(inner, scope, tables);
        }
        return single({ name: item.alias, columns: item.columns, merged: nothingMerged });
      }
      case 'join':
        return this.#join(item, place);
    }
  }

  #join(item: Extract<FromItem, { kind: 'join' }>, place: Place): Joined {
    const { before, parent, tables } = place;
    const left = this.#fromItem(item.left, place);
    const right = this.#fromItem(item.right, { ...place, before: [...before, ...left.relations] });
    const shared = sharedColumns(item, left, right);
    this.#using(item, left, right);
    const both = joined(left, right, shared, this.#limit);
    // Its condition sees both sides, and nothing else of this FROM.
    const inner: Scope = {
      relations: both.relations,
      parent,
      unseen: unseenFrom(place, before, 'condition'),
    };
    for (const ref of item.refs) {
      this.#column(ref, inner);
    }
    for (const query of item.queries) {
      this.query(query, inner, tables);
    }
    if (item.alias !== undefined) {
      const columns = renamed(both.star, item.columnAliases);
      return single({ name: item.alias, columns, merged: nothingMerged });
    }
    return item.usingAlias === undefined
      ? both
      : { relations: [...both.relations, usingRelation(item.usingAlias, item.using)], star: both.star };
  }

  /** Both sides must have what USING names. The tree does not say where it is written: the right table does nearly. */
  #using({ using, right: item }: Extract<FromItem, { kind: 'join' }>, left: Joined, right: Joined): void {
    if (item.kind !== 'table') {
      return;
    }
    for (const column of using) {
      for (const [side, { star }] of [['left', left] as const, ['right', right] as const]) {
        const count = star?.filter((own) => own === column).length ?? 1;
        if (count > 1) {
          const message = `The ${side} side of this JOIN has several columns ${column}, and USING must mean one. Join with ON instead.`;
          this.#report('AMBIGUOUS_COLUMN', { message, start: item.start, inUsing: column });
          break;
        }
        if (star !== undefined && count === 0) {
          this.#report('UNKNOWN_COLUMN', {
            message: `There is no column ${column} on the ${side} side of this JOIN, and USING needs it on both.${suggestion(column, star)}`,
            start: item.start,
            inUsing: column,
          });
          break;
        }
      }
    }
  }

  #table(item: Extract<FromItem, { kind: 'table' }>, tables: readonly VisibleTable[]): Relation {
    const { name, alias, columnAliases } = item;
    const common = item.schema === undefined ? tables.find((table) => table.name === name) : undefined;
    if (common !== undefined) {
      const columns = renamed(common.columns, columnAliases);
      return {
        name: alias ?? name,
        columns,
        merged: nothingMerged,
        ...(alias === undefined ? {} : { aliasOf: name }),
      };
    }
    const { schema, columns } = this.#catalogueTable(item);
    return {
      name: alias ?? name,
      columns: renamed(columns, columnAliases),
      isTable: true,
      merged: nothingMerged,
      ...(alias !== undefined ? { aliasOf: name } : schema === undefined ? {} : { schema }),
    };
  }

  /** Its columns, and the schema it is in, as far as they are known. */
  #catalogueTable({ schema, name, start }: Extract<FromItem, { kind: 'table' }>): {
    readonly schema?: string;
    readonly columns: Columns;
  } {
    const { catalogue, model } = this.#context;
    const written = schema === undefined ? {} : { schema };
    const owner = findModel(catalogue, schema ?? model);
    if (owner?.tables === undefined || owner.tables.length === 0) {
      return { ...written, columns: undefined };
    }
    const table = findTable(owner, name);
    if (table !== undefined) {
      return { schema: owner.name, columns: table.columns?.map((column) => column.name) };
    }
    // Without a qualifier PostgreSQL looks into its own catalogue too.
    if (schema !== undefined || !name.startsWith('pg_')) {
      this.#report('UNKNOWN_TABLE', {
        message: describeTable(catalogue, owner, name),
        start,
        part: schema === undefined ? 0 : 1,
        meant: meantTable(catalogue, owner, name),
      });
    }
    return { ...written, columns: undefined };
  }

  #column({ parts, start }: NameRef, scope: Scope): void {
    if (!this.#limit.compares(() => sizeOf(scope))) {
      return;
    }
    const column = parts.at(-1) ?? '';
    if (parts.length > 1) {
      this.#qualified(parts, start, scope);
    } else if (column !== '*') {
      this.#bare(column, start, scope);
    }
  }

  #bare(column: string, start: number, scope: Scope): void {
    const seen: string[] = [];
    let unseen: string | undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const relations = at.relations.filter((relation) => relation.isOnlyQualified !== true);
      if (this.#reportAmbiguous(column, start, relations)) {
        return;
      }
      // Found; or the name of a relation, which means its whole row; or not knowable.
      const isHere = at.relations.some(
        ({ name, columns, isTable }) =>
          columns === undefined ||
          columns.includes(column) ||
          name === column ||
          (isTable === true && systemColumns.has(column)),
      );
      if (isHere) {
        return;
      }
      unseen ??= unseenColumn(column, at.unseen);
      for (const { columns = [] } of relations) {
        columns.forEach((each) => seen.push(each));
      }
    }
    const close = this.#comparable(seen);
    this.#report('UNKNOWN_COLUMN', {
      message: describeColumn(column, close, unseen),
      start,
      ...(unseen === undefined ? { meant: meantName(column, close) } : {}),
    });
  }

  /** The names that a mistyped one may be compared with, which costs more than looking for it. */
  #comparable(names: readonly string[]): readonly string[] {
    return this.#limit.suggests(names.length) ? names : [];
  }

  /** Whether it did. */
  #reportAmbiguous(column: string, start: number, relations: readonly Relation[]): boolean {
    const owners = relations
      .filter(({ merged, isOnlyQualified }) => !merged.has(column) && isOnlyQualified !== true)
      .flatMap(({ name = 'a subquery', columns }) =>
        (columns ?? []).filter((own) => own === column).map(() => name),
      );
    const [owner = ''] = owners;
    if (owners.length > 1) {
      this.#report('AMBIGUOUS_COLUMN', { message: describeAmbiguous(column, owner, owners), start });
    }
    return owners.length > 1;
  }

  #qualified(parts: readonly string[], start: number, scope: Scope): void {
    const [schema, first = '', column = ''] = parts.length > 2 ? parts.slice(-3) : [undefined, ...parts];
    const part = parts.length - 2;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const relation = at.relations.find(
        (each) => each.name === first && (schema === undefined || each.schema === schema),
      );
      if (relation !== undefined) {
        this.#columnOf(relation, column, { start, part: part + 1 });
        return;
      }
      // A function without an alias, or a table that is somewhere on the search path.
      const mayBeHere = at.relations.some(
        ({ name, schema: own, columns }) =>
          columns === undefined && (name === undefined || (name === first && own === undefined)),
      );
      if (mayBeHere) {
        return;
      }
    }
    this.#unknownQualifier({ schema, first, column }, { start, part }, scope);
  }

  #columnOf({ name = '', columns, isTable }: Relation, column: string, at: Position): void {
    const count = columns?.filter((own) => own === column).length ?? 1;
    if (count > 1) {
      const message = describeAmbiguous(column, name, [name, name]);
      this.#report('AMBIGUOUS_COLUMN', { message, ...at });
    } else if (
      columns !== undefined &&
      count === 0 &&
      column !== '*' &&
      !(isTable === true && systemColumns.has(column))
    ) {
      const close = this.#comparable(columns);
      this.#report('UNKNOWN_COLUMN', {
        message: `There is no column ${column} in ${name}.${suggestion(column, close)}`,
        meant: meantName(column, close),
        ...at,
      });
    }
  }

  #unknownQualifier(name: QualifiedName, at: Position, scope: Scope): void {
    const { message, meant } = describeQualifier(name, scope);
    this.#report('UNKNOWN_TABLE', { message, meant, ...at });
  }

  #report(
    code: NameProblem['code'],
    { part = 0, meant, ...rest }: Omit<NameProblem, 'code' | 'part' | 'meant'> & Doubtful,
  ): void {
    this.problems.push({ code, part, ...rest, ...(meant === undefined ? {} : { meant }) });
  }
}

/** How many names a name is compared with there. */
function sizeOf(scope: Scope): number {
  let size = 0;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    size += at.relations.reduce((sum, { columns }) => sum + 1 + (columns?.length ?? 0), 0);
  }
  return size;
}

interface Doubtful {
  readonly part?: number;
  readonly meant?: readonly string[] | undefined;
}

type Position = Pick<NameProblem, 'start' | 'part'>;

/** A query whose ORDER BY and GROUP BY may name outputs. */
interface Sorted {
  readonly query: Query;
  readonly scope: Scope;
  readonly outputs: Columns;
}

/** Where an entry of FROM is: what comes before it there, and around the query. */
interface Place {
  readonly before: readonly Relation[];
  readonly parent: Scope | undefined;
  /** What the whole FROM shows. */
  readonly names: ReadonlySet<string>;
  readonly tables: readonly VisibleTable[];
}

const unseenFrom = ({ names }: Place, relations: readonly Relation[], reason: Unseen['reason']): Unseen => ({
  names,
  relations,
  reason,
});

const usingRelation = (name: string, columns: readonly string[]): Relation => ({
  name,
  columns,
  isOnlyQualified: true,
  merged: nothingMerged,
});
