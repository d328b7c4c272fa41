/**
 * Resolves a statement's names using PostgreSQL's scoping rules, in a single pass over its query model. Finds problems,
 * the tables and columns that are read, and the columns compared with placeholders.
 *
 * A name is reported only if all its possible meanings are known: one visible table with unknown columns suppresses the
 * problem. Names are traced through aliases, CTEs and subqueries to their tables. Ambiguous names are omitted, so that
 * the listed tables and columns are certain, or as certain as possible without a catalog.
 */
import { t } from '#base/texts.ts';
import type {
  CommonTable,
  FromItem,
  Mentions,
  NameRef,
  PlaceholderPlace,
  Query,
  RowField,
} from '#server/language/tree/query-model.ts';
import type { ColumnName } from '#server/protocol.ts';
import { findModel } from '../catalogue.ts';
import { ExpansionLimit, queryCost } from '../expansion-limit.ts';
import type { NameContext } from '../name-context.ts';
import { parameterTypeOf } from '../parameter-types.ts';
import { positionOf } from '../relations/columns-by-name.ts';
import { joined, relation, relationNamed, single } from '../relations/relations.ts';
import { Star } from '../relations/star.ts';
import { VisibleTables } from '../relations/visible-tables.ts';
import type { BoundNames, MergedPair, MergedSide, NameProblem, ParameterUse } from './bound-names.ts';
import { aliased, listed, type Column, type ColumnOrigin, type Columns } from './columns.ts';
import { NameLookup, type Fault, type Found } from './look-up.ts';
import { describeTable, guess } from './name-advice.ts';
import {
  commonColumns,
  isAmbiguousOutput,
  namesIn,
  opaqueColumns,
  type Joined,
  type Relation,
  type Scope,
  type Unseen,
  type VisibleTable,
} from './scopes.ts';
import { TableReads } from './table-reads.ts';

export function bindNames(query: Query, context: NameContext): BoundNames {
  const binder = new Binder(context);
  binder.query(query, undefined, new VisibleTables());
  return binder.result();
}

class Binder {
  readonly #context: NameContext;
  readonly #limit = new ExpansionLimit();
  readonly #names = new NameLookup(this.#limit);
  readonly #tables: TableReads;
  readonly #problems: NameProblem[] = [];
  readonly #parameters: ParameterUse[] = [];
  readonly #merged: MergedPair[] = [];
  readonly #rowColumns = new Map<string, number>();
  /** The columns of tables that joins merged, unless either side of a FULL JOIN may be the value. */
  readonly #sources = new Map<Column, Source | undefined>();

  constructor(context: NameContext) {
    this.#context = context;
    this.#tables = new TableReads(context);
  }

  result(): BoundNames {
    const { problem } = this.#limit;
    return {
      problems: this.#problems,
      ...(problem === undefined ? {} : { limit: problem }),
      tables: this.#tables.all.map(({ model, table, used, isReadWhole }) => ({
        model,
        table,
        columns: [...used],
        usesAllColumns: isReadWhole,
      })),
      parameters: this.#parameters.toSorted((a, b) => a.start - b.start),
      merged: this.#merged,
      rowColumns: this.#rowColumns,
    };
  }

  /**
   * Returns the query's output columns, or undefined if any of them is unknown.
   * @param self the recursive CTE that the query defines
   */
  query(
    query: Query,
    parent: Scope | undefined,
    outer: VisibleTables<VisibleTable>,
    self?: CommonTable,
  ): Columns {
    if (!this.#limit.compares(() => queryCost + outer.size)) return undefined;
    const tables = this.#commonTables(query, parent, outer);
    if (query.sides !== undefined) return this.#setOperation(query, query.sides, parent, { tables, self });
    const from = this.#from(query, parent, tables);
    const scope: Scope = { relations: from.relations, parent };
    const outputs = this.#outputs(query, from, scope);
    const sorted: Sorted = { query, scope, outputs };
    query.refs.forEach((ref) => this.#refer(ref, sorted));
    this.#rest(query, scope, tables);
    return outputs;
  }

  #commonTables(
    query: Query,
    parent: Scope | undefined,
    outer: VisibleTables<VisibleTable>,
  ): VisibleTables<VisibleTable> {
    if (query.commonTables.length === 0) return outer;
    const tables = new VisibleTables(outer);
    // All CTEs of a recursive WITH can refer to each other. The columns of later ones are not known yet.
    if (query.isRecursive)
      for (const { name } of query.commonTables) tables.add({ name, columns: undefined });
    for (const table of query.commonTables) {
      const self = query.isRecursive ? table : undefined;
      const columns = table.query && this.query(table.query, parent, tables, self);
      tables.add({ name: table.name, columns: commonColumns(columns, table) });
    }
    return tables;
  }

  #setOperation(
    query: Query,
    [first, ...others]: readonly [Query, ...Query[]],
    parent: Scope | undefined,
    {
      tables,
      self,
    }: { readonly tables: VisibleTables<VisibleTable>; readonly self: CommonTable | undefined },
  ): Columns {
    const columns = this.query(first, parent, tables);
    // Inside its recursive term, a CTE has the columns of its non-recursive term.
    const isTerm = self !== undefined && query.commonTables.length === 0;
    const visible = isTerm ? new VisibleTables(tables) : tables;
    if (isTerm) visible.add({ name: self.name, columns: commonColumns(columns, self) });
    for (const side of others) this.query(side, parent, visible);
    this.#rest(query, { relations: [], parent }, visible);
    query.refs.forEach((ref) => this.#sortOfSides(ref, columns));
    return columns;
  }

  #sortOfSides({ parts, clause, start }: NameRef, columns: Columns): void {
    const [column = ''] = parts;
    // PostgreSQL itself rejects anything but a plain name here.
    const isOutput = clause === 'output-first' && parts.length === 1;
    if (isOutput && columns !== undefined && positionOf(columns, column) < 0) {
      const { question, meant } = guess(column, namesOf(columns));
      this.#report('UNKNOWN_COLUMN', {
        message: `${t('The result has no column "{0}", and after UNION, INTERSECT and EXCEPT you can sort only by its columns.', column)}${question}`,
        start,
        meant,
      });
    }
  }

  #from(query: Query, parent: Scope | undefined, tables: VisibleTables<VisibleTable>): Joined {
    const names = new Set(namesIn(query.from));
    const stars: Star<Column>[] = [];
    let before: readonly Relation[] = [];
    for (const item of query.from) {
      const { relations, star } = this.#fromItem(item, { before, parent, names, tables });
      before = before.length === 0 ? relations : [...before, ...relations];
      stars.push(star);
    }
    return { relations: before, star: Star.together(stars) };
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
        return single(relation(item.alias, aliased(columns, item.columnAliases)));
      }
      case 'opaque':
        this.#mentions(item, { relations: before, parent }, tables);
        // The row of a function with a single value is that value.
        return single(
          relation(
            item.alias,
            opaqueColumns(item.columns),
            item.columns?.length === 1 ? { isScalar: true } : {},
          ),
        );
      case 'join':
        return this.#join(item, place);
    }
  }

  #join(item: Extract<FromItem, { kind: 'join' }>, place: Place): Joined {
    const { before, parent, tables } = place;
    const left = this.#fromItem(item.left, place);
    const right = this.#fromItem(item.right, { ...place, before: [...before, ...left.relations] });
    this.#using(item, left, right);
    const both = joined(left, right, {
      ...item,
      merge: (_, one, other) => {
        if (one === undefined || other === undefined) return one ?? other;
        const [from, to] = item.type === 'right' ? [other, one] : [one, other];
        const column = { ...from, origin: from.origin ?? to.origin };
        this.#merge(column, item.type, [this.#sourceOf(one, left), this.#sourceOf(other, right)]);
        return column;
      },
      list: (star) => listed(star, this.#limit),
    });
    // A join condition can use both sides of its join, but nothing else in this FROM.
    const unseen = unseenFrom(place, before, 'condition');
    this.#mentions(item, { relations: both.relations, parent, unseen }, tables);
    return item.alias === undefined
      ? both
      : single(relation(item.alias, aliased(listed(both.star, this.#limit), item.columnAliases)));
  }

  /** Remembers what a join by name compares, and which table's column its own column is. */
  #merge(
    column: Column,
    type: Extract<FromItem, { kind: 'join' }>['type'],
    [left, right]: readonly [Source | undefined, Source | undefined],
  ): void {
    const isEither = type === 'full' && left?.side.origin.table !== right?.side.origin.table;
    this.#sources.set(column, isEither ? undefined : type === 'right' ? right : left);
    if (left !== undefined && right !== undefined)
      this.#merged.push({ left: left.side, right: right.side, start: right.start });
  }

  /** Returns the table's column that the side's column is; undefined if it is not certainly a single one. */
  #sourceOf(column: Column, { relations }: Joined): Source | undefined {
    if (this.#sources.has(column)) return this.#sources.get(column);
    const own = relations.find(
      ({ table, columns }) => table !== undefined && columns?.includes(column) === true,
    );
    return own?.name === undefined || own.start === undefined || column.origin === undefined
      ? undefined
      : { side: { alias: own.name, origin: nameOf(column.origin) }, start: own.start };
  }

  /**
   * Both sides must have the columns in USING. The tree lacks their positions, so problems appear at the right-hand
   * table.
   */
  #using({ using, right: item }: Extract<FromItem, { kind: 'join' }>, left: Joined, right: Joined): void {
    for (const column of using) {
      for (const { columns } of [...left.relations, ...right.relations])
        this.#use(columns?.[positionOf(columns, column)]?.origin);
      const problem = item.kind === 'table' ? problemInUsing(column, left, right, this.#limit) : undefined;
      if (problem !== undefined && item.kind === 'table') {
        const { code, message } = problem;
        this.#report(code, { message, start: item.start, inUsing: column });
      }
    }
  }

  #table(item: Extract<FromItem, { kind: 'table' }>, tables: VisibleTables<VisibleTable>): Relation {
    const { name, alias, columnAliases, schema } = item;
    const common = schema === undefined ? tables.find(name) : undefined;
    if (common !== undefined) {
      const more = alias === undefined ? {} : { aliasOf: name };
      return relation(alias ?? name, aliased(common.columns, columnAliases), more);
    }
    const table = this.#tables.read(schema, name);
    this.#checkTable(item, table.known !== undefined);
    const owner = schema ?? (table.known === undefined ? undefined : table.model);
    return relation(alias ?? name, aliased(table.columns, columnAliases), {
      isTable: true,
      start: item.start,
      // If the columns are renamed, those of an unknown table cannot be identified.
      ...(columnAliases.length === 0 ? { table } : {}),
      ...(alias !== undefined ? { aliasOf: name } : owner === undefined ? {} : { schema: owner }),
    });
  }

  #checkTable({ schema, name, start }: Extract<FromItem, { kind: 'table' }>, isKnown: boolean): void {
    const { catalogue, model } = this.#context;
    const owner = isKnown ? undefined : catalogue && findModel(catalogue, schema ?? model);
    // Unqualified names also match tables in PostgreSQL's own catalog.
    const isOfPostgres = schema === undefined && name.startsWith('pg_');
    if (catalogue === undefined || owner?.tables === undefined || owner.tables.length === 0 || isOfPostgres)
      return;
    this.#report('UNKNOWN_TABLE', {
      ...describeTable(catalogue, owner, name),
      start,
      part: schema === undefined ? 0 : 1,
    });
  }

  #outputs({ outputs }: Query, { star }: Joined, scope: Scope): Columns {
    const lists: (readonly Column[])[] = [];
    for (const { name, qualifier, source } of outputs) {
      const wanted = qualifier?.at(-1);
      const own: Columns =
        name === undefined
          ? undefined
          : name !== '*'
            ? [{ name, origin: source && this.#names.find(source, scope).origin }]
            : wanted === undefined
              ? listed(star, this.#limit)
              : starOf(wanted, scope);
      if (own === undefined) return undefined;
      lists.push(own);
    }
    const [only, ...others] = lists;
    if (others.length === 0) return only ?? [];
    const isWithin = this.#limit.takes(lists.reduce((sum, own) => sum + own.length, 0));
    return isWithin ? lists.flat() : undefined;
  }

  /** A bare name at the top level matches outputs first in ORDER BY, and columns first in GROUP BY. */
  #refer(ref: NameRef, { query, scope, outputs }: Sorted): void {
    const { parts, clause, start } = ref;
    const [name = ''] = parts;
    const mayBeOutput = clause !== 'expression' && parts.length === 1;
    if (!mayBeOutput || (outputs !== undefined && positionOf(outputs, name) < 0)) {
      this.#name(ref, scope);
      return;
    }
    const isWritten = clause === 'output-first' && query.outputs.some((output) => output.name === name);
    const { origin, fault }: Found = isWritten ? {} : this.#names.find(parts, scope);
    this.#use(origin);
    if (clause === 'input-first') {
      if (fault?.code === 'AMBIGUOUS_COLUMN' && fault.isInnermost) this.#reportFault(fault, start);
    } else if (
      outputs !== undefined &&
      isAmbiguousOutput(query, name, { outputs: namesOf(outputs), relations: scope.relations })
    ) {
      this.#report('AMBIGUOUS_COLUMN', {
        message: t(
          'The result has several columns named "{0}". Qualify the one you mean with its table, or rename one with AS.',
          name,
        ),
        start,
      });
    }
  }

  #mentions(mentions: Mentions, scope: Scope, tables: VisibleTables<VisibleTable>): void {
    mentions.refs.forEach((ref) => this.#name(ref, scope));
    this.#rest(mentions, scope, tables);
  }

  /** Resolves the fields of rows, the placeholders and the subqueries among the mentions. */
  #rest(
    { rowFields, placeholders, queries }: Pick<Mentions, 'rowFields' | 'placeholders' | 'queries'>,
    scope: Scope,
    tables: VisibleTables<VisibleTable>,
  ): void {
    rowFields.forEach((each) => this.#rowField(each, scope));
    placeholders.forEach((place) => this.#placeholder(place, scope));
    queries.forEach((inner) => this.query(inner, scope, tables));
  }

  #name({ parts, start }: NameRef, scope: Scope): void {
    const isStar = parts.at(-1) === '*';
    if (isStar) this.#star(parts.slice(0, -1), scope);
    if (isStar && parts.length === 1) return;
    const { origin, fault } = this.#names.find(parts, scope);
    if (!isStar) this.#use(origin);
    if (fault !== undefined) this.#reportFault(fault, start);
  }

  #rowField({ row, field }: RowField, scope: Scope): void {
    const { columns, isScalar } = this.#names.find([row], scope).row ?? {};
    const column = columns?.[positionOf(columns, field)];
    if (column === undefined || isScalar === true) return;
    this.#use(column.origin);
    this.#rowColumns.set(field, (this.#rowColumns.get(field) ?? 0) + 1);
  }

  #star(qualifier: readonly string[], scope: Scope): void {
    const wanted = qualifier.at(-1);
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const named = wanted === undefined ? at.relations : at.relations.filter(({ name }) => name === wanted);
      for (const { table, columns } of named) {
        if (table !== undefined) table.isReadWhole = true;
        columns?.forEach(({ origin }) => this.#use(origin));
      }
      if (wanted === undefined || named.length > 0) return;
    }
  }

  #placeholder(
    { start, type, column, isList, isArray = false, isElement = false }: PlaceholderPlace,
    scope: Scope,
  ): void {
    const origin = column && this.#names.find(column, scope).origin;
    const known = parameterTypeOf(type ?? typeOf(origin) ?? '');
    this.#parameters.push({
      start,
      isList: isList || (known?.isList === true && !isElement),
      isArray,
      ...(known === undefined ? {} : { type: known.type }),
      ...(origin === undefined ? {} : { comparedWith: nameOf(origin) }),
    });
  }

  #use(origin: ColumnOrigin | undefined): void {
    origin?.table.used.add(origin.column);
  }

  #reportFault({ code, part, describe }: Fault, start: number): void {
    this.#report(code, { ...describe(), start, part });
  }

  #report(
    code: NameProblem['code'],
    { part = 0, meant, choices = [], ...rest }: Omit<NameProblem, 'code' | keyof Doubtful> & Doubtful,
  ): void {
    this.#problems.push({
      code,
      part,
      ...rest,
      ...(meant === undefined ? {} : { meant }),
      ...(choices.length === 0 ? {} : { choices }),
    });
  }
}

const namesOf = (columns: NonNullable<Columns>): readonly string[] => columns.map(({ name }) => name);

const typeOf = (origin: ColumnOrigin | undefined): string | undefined =>
  origin?.table.known?.columns?.find(({ name }) => name === origin.column)?.type;

const nameOf = ({ table, column }: ColumnOrigin): ColumnName => ({
  model: table.model,
  table: table.table,
  column,
});

/** Reports the first side that does not have the column exactly once. */
function problemInUsing(
  column: string,
  left: Joined,
  right: Joined,
  limit: ExpansionLimit,
): Pick<NameProblem, 'code' | 'message'> | undefined {
  for (const [side, { star }] of [['left', left] as const, ['right', right] as const]) {
    const count = star.isKnown ? star.count(column) : 1;
    if (count > 1) {
      const message =
        side === 'left'
          ? t(
              'The left side of this JOIN has several columns named "{0}", but USING must refer to one. Join with ON instead.',
              column,
            )
          : t(
              'The right side of this JOIN has several columns named "{0}", but USING must refer to one. Join with ON instead.',
              column,
            );
      return { code: 'AMBIGUOUS_COLUMN', message };
    }
    if (count === 0) {
      const message =
        side === 'left'
          ? t('There is no column "{0}" on the left side of this JOIN, and USING needs it on both.', column)
          : t('There is no column "{0}" on the right side of this JOIN, and USING needs it on both.', column);
      const known = limit.suggests(star.size) ? namesOf(star.columns() ?? []) : [];
      const { question } = guess(column, known);
      return { code: 'UNKNOWN_COLUMN', message: `${message}${question}` };
    }
  }
  return undefined;
}

/** A table's column, and where FROM names the table. */
interface Source {
  readonly side: MergedSide;
  readonly start: number;
}

interface Doubtful {
  readonly part?: number;
  readonly meant?: readonly string[] | undefined;
  readonly choices?: readonly (readonly string[])[] | undefined;
}

/** A query with the names that its ORDER BY and GROUP BY can refer to. */
interface Sorted {
  readonly query: Query;
  readonly scope: Scope;
  readonly outputs: Columns;
}

/** The position of an item in FROM: the relations before it, and the scope around the query. */
interface Place {
  readonly before: readonly Relation[];
  readonly parent: Scope | undefined;
  /** All names in this FROM. */
  readonly names: ReadonlySet<string>;
  readonly tables: VisibleTables<VisibleTable>;
}

const unseenFrom = ({ names }: Place, relations: readonly Relation[], reason: Unseen['reason']): Unseen => ({
  names,
  relations,
  reason,
});

/** Returns the columns of `name.*`, which may be a relation around the query. */
function starOf(name: string, scope: Scope): Columns {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = relationNamed(at.relations, name, undefined);
    if (found !== undefined) return found.columns;
  }
  return undefined;
}
