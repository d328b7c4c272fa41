/** Resolves a statement's names to their definitions using PostgreSQL's scoping rules, and records uncertain names. */
import { nameAt } from '#server/language/text/identifiers.ts';
import type { LexedText, TokenList } from '#server/language/text/lexer/tokens.ts';
import { splitStatements, type StatementSpan } from '#server/language/text/statements.ts';
import { namedColumns, scalarFunctions } from '#server/language/tree/from-functions.ts';
import type { CatalogueColumn } from '#server/protocol.ts';
import { findModel, findTable } from '../catalogue.ts';
import { columnsMax, ExpansionLimit } from '../expansion-limit.ts';
import type { NameContext } from '../name-context.ts';
import {
  firstSelect,
  isSelect,
  type Definition,
  type Mention,
  type Outline,
  type OutlineCommonTable,
  type OutlineOutput,
  type OutlineQuery,
  type OutlineRelation,
  type OutlineSelect,
} from './outline.ts';
import { readOutline, readOutlineAround } from './read-outline.ts';
import { mergedNames } from './reading.ts';

/** A column visible to a query. */
export interface BoundColumn {
  readonly name: string;
  /** The column's definition in the text; undefined for a model's column. */
  readonly definition?: Definition;
  readonly catalogue?: CatalogueColumn;
  /** Returns the type of a simple expression, computed on demand. */
  readonly typeOf?: () => string | undefined;
}

export interface Columns {
  readonly list: readonly BoundColumn[];
  /** Whether there may be more, unknown columns. */
  readonly isOpen: boolean;
  /** Set if it is not known where in the list the unknown ones are. */
  readonly hasGaps?: true;
  /** Set if the expansion limit was reached; the list is then open and empty. */
  readonly isTooLong?: true;
}

export interface Bindings {
  readonly span: StatementSpan;
  readonly outline: Outline;
  /** Definitions by token index. */
  readonly definitions: ReadonlyMap<number, Definition>;
  /** Definitions by the token index of each reference. */
  readonly references: ReadonlyMap<number, Definition>;
  /** Token indexes of all names that were looked up, found or not. */
  readonly mentioned: ReadonlySet<number>;
  /** Token indexes of ambiguous or uncertain names. */
  readonly unsure: ReadonlySet<number>;
  /** Whether there are too many names and columns, so that some names were not looked up. */
  readonly isIncomplete: boolean;
  /** Groups of definitions whose names must be unique. */
  readonly groups: readonly (readonly Definition[])[];
  columnsOf(relation: OutlineRelation): Columns;
  outputsOf(query: OutlineQuery): Columns;
  /**
   * Returns the outputs of a set operation if the SELECT holds its trailing clauses, such as ORDER BY; otherwise
   * undefined.
   */
  outputsBefore(select: OutlineSelect): Columns | undefined;
}

const openColumns: Columns = { list: [], isOpen: true, hasGaps: true };
/** Stands in a list for a column whose name the tokens do not tell. */
const unnamed: BoundColumn = { name: '\0' };

/** Leaves out the columns without a known name, which only keep the others in their places. */
const named = (columns: Columns): Columns =>
  columns.list.includes(unnamed)
    ? { ...columns, list: columns.list.filter((column) => column !== unnamed) }
    : columns;
const tooLong: Columns = { ...openColumns, isTooLong: true };

/** Returns undefined if the token is outside any statement. */
export function bindStatement(lexed: LexedText, token: number, context: NameContext): Bindings | undefined {
  const span = splitStatements(lexed).find(
    ({ firstToken, lastToken }) => firstToken <= token && token <= lastToken,
  );
  return span === undefined ? undefined : bindSpan(lexed.code, span, context);
}

export function bindSpan(code: TokenList, span: StatementSpan, context: NameContext): Bindings {
  const outline = readOutline(code, span.firstToken, span.lastToken);
  return new Binder(code, span, outline, context).bind();
}

/** The columns of each query and relation. */
export interface ReadColumns extends Pick<Bindings, 'outline' | 'columnsOf' | 'outputsBefore'> {
  readonly outputTypeOf: (output: OutlineOutput, select: OutlineSelect) => string | undefined;
}

/** Reads the names visible to a token, even outside queries. Does not resolve mentions. */
export function readColumns(
  code: TokenList,
  span: StatementSpan,
  at: number,
  context: NameContext,
): ReadColumns {
  const known = lastRead.get(code);
  const { firstToken, lastToken } = span;
  const isSame =
    known?.firstToken === firstToken &&
    known.lastToken === lastToken &&
    known.at === at &&
    known.context === context;
  if (isSame) return known.columns;
  const outline = readOutlineAround(code, span, at);
  const binder = new Binder(code, span, outline, context);
  const columns: ReadColumns = {
    outline,
    columnsOf: (relation) => named(binder.columnsOf(relation)),
    outputsBefore: (select) => binder.outputsBefore(select),
    outputTypeOf: (output, select) => binder.outputTypeOf(output, select),
  };
  lastRead.set(code, { firstToken, lastToken, at, context, columns });
  return columns;
}

/** One completion asks several times about one place. */
const lastRead = new WeakMap<
  TokenList,
  {
    readonly firstToken: number;
    readonly lastToken: number;
    readonly at: number;
    readonly context: NameContext;
    readonly columns: ReadColumns;
  }
>();

/** A column's type is followed through so many queries: each one is read for it. */
const typeDepthMax = 100;

class Binder {
  readonly #code: TokenList;
  readonly #span: StatementSpan;
  readonly #outline: Outline;
  readonly #context: NameContext;
  readonly #limit = new ExpansionLimit();
  readonly #definitions = new Map<number, Definition>();
  readonly #references = new Map<number, Definition>();
  readonly #mentioned = new Set<number>();
  readonly #unsure = new Set<number>();
  readonly #groups: Definition[][] = [];
  readonly #relationColumns = new Map<OutlineRelation, Columns>();
  readonly #tableColumns = new Map<readonly CatalogueColumn[], readonly BoundColumn[]>();
  readonly #queryColumns = new Map<OutlineQuery, Columns>();
  readonly #scopes = new Map<OutlineSelect, Scope>();
  readonly #byName = new Map<readonly BoundColumn[], ReadonlyMap<string, BoundColumn>>();
  #typeDepth = 0;

  constructor(code: TokenList, span: StatementSpan, outline: Outline, context: NameContext) {
    this.#code = code;
    this.#span = span;
    this.#outline = outline;
    this.#context = context;
  }

  bind(): Bindings {
    for (const query of this.#outline.queries) {
      this.#define(query.commonTables.map(({ definition }) => definition));
      query.commonTables.forEach(({ columnAliases, added }) => this.#define([...columnAliases, ...added]));
    }
    for (const { relations, outputs, windows } of this.#outline.selects) {
      this.#define(windows);
      this.#define(relations.flatMap(({ definition }) => definition ?? []));
      relations.forEach(({ columnAliases }) => this.#define(columnAliases));
      this.#define(outputs.flatMap(({ definition }) => definition ?? []));
    }
    for (const table of this.#outline.queries.flatMap(({ commonTables }) => commonTables))
      this.#bindUses(table);
    for (const select of this.#outline.selects) {
      for (const mention of select.mentions) this.#mention(mention, select);
    }
    return {
      span: this.#span,
      outline: this.#outline,
      definitions: this.#definitions,
      references: this.#references,
      mentioned: this.#mentioned,
      unsure: this.#unsure,
      isIncomplete: this.#limit.problem !== undefined,
      groups: this.#groups,
      columnsOf: (relation) => named(this.columnsOf(relation)),
      outputsOf: (query) => named(this.#outputsOf(query)),
      outputsBefore: (select) => this.outputsBefore(select),
    };
  }

  #define(group: readonly Definition[]): void {
    this.#groups.push([...group]);
    for (const definition of group) {
      // A CTE read without an alias keeps its definition in WITH.
      this.#definitions.set(definition.token, this.#definitions.get(definition.token) ?? definition);
    }
  }

  columnsOf(relation: OutlineRelation): Columns {
    const known = this.#relationColumns.get(relation);
    if (known !== undefined) return known;
    // Placeholder for recursive tables until their columns are known.
    this.#relationColumns.set(relation, openColumns);
    const columns = this.#readColumns(relation);
    this.#relationColumns.set(relation, columns);
    return columns;
  }

  #readColumns(relation: OutlineRelation): Columns {
    const { query, commonTable, table, joined, isMerged, columnAliases } = relation;
    const { ownColumns, functionNames, hasOrdinality } = relation;
    if (commonTable !== undefined) return this.#renamed(this.#commonColumns(commonTable), columnAliases);
    if (query !== undefined) return this.#renamed(this.#outputsOf(query), columnAliases);
    if (joined !== undefined) {
      const all = joined
        .filter(({ isOnlyQualified }) => isOnlyQualified !== true)
        .map((each) => this.columnsOf(each));
      const list = merged(
        all.flatMap((columns) => columns.list),
        isMerged,
      );
      return this.#renamed({ list, isOpen: all.some(({ isOpen }) => isOpen) }, columnAliases);
    }
    if (ownColumns !== undefined) {
      const list = withOrdinality(
        ownColumns.map((name) => ({ name })),
        hasOrdinality,
      );
      return this.#renamed({ list, isOpen: false }, columnAliases);
    }
    if (relation.functionName !== undefined)
      return this.#renamed(this.#columnsOfFunction(relation, relation.functionName), columnAliases);
    if (functionNames !== undefined) {
      const all = functionNames.map((name) => this.#columnsOfFunction({ columnAliases }, name));
      const list = withOrdinality(
        all.flatMap((columns) => columns.list),
        hasOrdinality,
      );
      return this.#renamed({ list, isOpen: all.some(({ isOpen }) => isOpen) }, columnAliases);
    }
    const { catalogue, model } = this.#context;
    const owner =
      catalogue === undefined || table === undefined
        ? undefined
        : findModel(catalogue, table.schema ?? model);
    const columns = owner && findTable(owner, table?.name ?? '')?.columns;
    if (columns === undefined) return renamed(openColumns, columnAliases);
    const list =
      this.#tableColumns.get(columns) ?? columns.map((column) => ({ name: column.name, catalogue: column }));
    this.#tableColumns.set(columns, list);
    return list.length > columnsMax ? tooLong : this.#renamed({ list, isOpen: false }, columnAliases);
  }

  /** The alias of a function that returns simple values is also the name of its column. */
  #columnsOfFunction({ definition, hasOrdinality }: OutlineRelation, functionName: string): Columns {
    const named = namedColumns.get(functionName)?.map((name) => ({ name }));
    const isScalar = scalarFunctions.has(functionName);
    const known = named ?? (isScalar ? 'value' : this.#context.functionColumns?.(functionName));
    // The elements of a list may be rows.
    const isOpen = known === undefined || (known === 'value' && functionName === 'unnest');
    if (known === undefined && functionName !== 'unnest') return openColumns;
    const own = {
      name: definition?.name ?? functionName,
      ...(definition === undefined ? {} : { definition }),
    };
    const list: readonly BoundColumn[] = Array.isArray(known) ? known.map(typedColumn) : [own];
    return { list: withOrdinality(list, hasOrdinality), isOpen, ...(isOpen ? { hasGaps: true } : {}) };
  }

  #commonColumns({ query, columnAliases, added }: OutlineCommonTable): Columns {
    const inner = query === undefined ? openColumns : this.#outputsOf(query);
    const { list, ...rest } = this.#renamed(inner, columnAliases);
    return {
      ...rest,
      list: [...list, ...added.map((definition) => ({ name: definition.name, definition }))],
    };
  }

  /** SEARCH and CYCLE name columns of their table. */
  #bindUses(table: OutlineCommonTable): void {
    const columns = table.uses.length === 0 ? openColumns : this.#commonColumns(table);
    for (const token of table.uses) {
      const name = nameAt(this.#code, token);
      this.#mentioned.add(token);
      this.#refer(token, columns.list.find((column) => column.name === name)?.definition);
    }
  }

  #renamed(columns: Columns, aliases: readonly Definition[]): Columns {
    return aliases.length === 0 || this.#limit.takes(columns.list.length + aliases.length)
      ? renamed(columns, aliases)
      : tooLong;
  }

  #outputsOf(query: OutlineQuery): Columns {
    const known = this.#queryColumns.get(query);
    if (known !== undefined) return known;
    this.#queryColumns.set(query, openColumns);
    const select = firstSelect(query);
    const columns = select === undefined ? openColumns : this.#selectOutputs(select);
    this.#queryColumns.set(query, columns);
    return columns;
  }

  #selectOutputs(select: OutlineSelect): Columns {
    const list: BoundColumn[] = [];
    let isOpen = select.outputs.length === 0;
    let hasGaps = isOpen;
    for (const output of select.outputs) {
      const { definition, star } = output;
      if (star !== undefined) {
        const [qualifier] = star;
        const relations =
          qualifier === undefined
            ? select.relations.filter((each) => each.isOnlyQualified !== true && each.inside === undefined)
            : relationsNamed(select, qualifier);
        const columns = relations.map((relation) => this.columnsOf(relation));
        const size = columns.reduce((sum, each) => sum + each.list.length, list.length);
        if (columns.some(({ isTooLong }) => isTooLong === true) || !this.#limit.takes(size)) return tooLong;
        isOpen ||= relations.length === 0 || columns.some((each) => each.isOpen);
        hasGaps ||= relations.length === 0 || columns.some((each) => each.hasGaps === true);
        const found = columns.flatMap((each) => each.list);
        const isOne = relations.length === 1;
        for (const column of isOne ? found : merged(found, mergedNames(this.#code, select)))
          list.push(column);
      } else if (output.name !== undefined) {
        list.push({ name: output.name });
      } else if (definition === undefined) {
        isOpen = true;
        list.push(unnamed);
      } else {
        const typeOf = (): string | undefined => this.outputTypeOf(output, select);
        list.push({ name: definition.name, definition, typeOf });
      }
    }
    return { list, isOpen, ...(hasGaps ? { hasGaps } : {}) };
  }

  /** Returns the type of a plain column, a cast or a count; undefined for more complex expressions. */
  outputTypeOf(output: OutlineOutput, select: OutlineSelect): string | undefined {
    if (this.#typeDepth >= typeDepthMax) return undefined;
    this.#typeDepth++;
    const type = this.#readType(output, select);
    this.#typeDepth--;
    return type;
  }

  #readType({ first, last, definition }: OutlineOutput, select: OutlineSelect): string | undefined {
    const code = this.#code;
    const isNamed = definition !== undefined && definition.aliasBehind === undefined;
    const end = !isNamed ? last : code.word(last - 1) === 'as' ? last - 2 : last - 1;
    if (code.is(end - 1, '::')) return nameAt(code, end);
    if (code.word(first) === 'count' && code.is(first + 1, '(') && code.is(end, ')')) return 'bigint';
    const qualifier = end === first + 2 && code.is(first + 1, '.') ? nameAt(code, first) : undefined;
    const name = end === first || qualifier !== undefined ? nameAt(code, end) : undefined;
    if (name === undefined) return undefined;
    for (const relation of select.relations) {
      if (qualifier === undefined || relation.definition?.name === qualifier) {
        const column = this.columnsOf(relation).list.find((each) => each.name === name);
        if (column !== undefined) return column.catalogue?.type ?? column.typeOf?.();
      }
    }
    return undefined;
  }

  #mention(mention: Mention, select: OutlineSelect): void {
    const [first = -1, second] = mention.tokens;
    if (mention.target !== undefined) {
      this.#mentioned.add(first);
      this.#references.set(first, mention.target);
      return;
    }
    for (let at: OutlineSelect | undefined = select; at !== undefined; at = at.parent) {
      if (!this.#limit.compares(() => 1) || this.#scopeOf(at) === undefined) return;
    }
    const name = nameAt(this.#code, first) ?? '';
    this.#mentioned.add(first);
    if (mention.clause === 'window') {
      this.#refer(
        first,
        select.windows.find((window) => window.name === name),
      );
    } else if (mention.clause === 'using') {
      this.#unsure.add(first);
    } else if (second === undefined && !mention.hasStar) {
      this.#bare(first, name, mention, select);
    } else {
      this.#qualified(first, name, second, select);
    }
  }

  /** Reads the names in a SELECT once for all that are looked up there; undefined if there are too many. */
  #scopeOf(select: OutlineSelect): Scope | undefined {
    const known = this.#scopes.get(select);
    if (known !== undefined) return known;
    const { outputs, relations } = select;
    const columns = relations.map((relation) => this.columnsOf(relation));
    const size = columns.reduce((sum, { list }) => sum + 1 + list.length, outputs.length);
    if (!this.#limit.compares(() => size)) return undefined;
    const scope: Scope = { outputs: new Map(), relations: new Map(), columns: new Map(), isOpen: false };
    for (const { definition } of outputs) addFirst(scope.outputs, definition?.name, definition);
    for (const [index, relation] of relations.entries()) {
      addFirst(scope.relations, relation.definition?.name, relation);
      if (relation.isOnlyQualified === true) continue;
      const { list = [], isOpen = false } = columns[index] ?? {};
      scope.isOpen ||= isOpen;
      for (const column of list) {
        const before = scope.columns.get(column.name);
        if (before === undefined) scope.columns.set(column.name, { column, isRepeated: false });
        else before.isRepeated = true;
      }
    }
    this.#scopes.set(select, scope);
    return scope;
  }

  #columnNamed(list: readonly BoundColumn[], name: string | undefined): BoundColumn | undefined {
    let byName = this.#byName.get(list);
    if (byName === undefined) {
      const made = new Map<string, BoundColumn>();
      for (const column of list) addFirst(made, column.name, column);
      this.#byName.set(list, (byName = made));
    }
    return name === undefined ? undefined : byName.get(name);
  }

  #qualified(first: number, name: string, second: number | undefined, select: OutlineSelect): void {
    for (let at: OutlineSelect | undefined = select; at !== undefined; at = at.parent) {
      const relation = this.#scopeOf(at)?.relations.get(name);
      if (relation?.definition === undefined) continue;
      this.#references.set(first, relation.definition);
      if (second !== undefined) {
        const column = this.#columnNamed(this.columnsOf(relation).list, nameAt(this.#code, second));
        if (column?.definition !== undefined) this.#references.set(second, column.definition);
      }
      return;
    }
  }

  #bare(token: number, name: string, { clause }: Mention, select: OutlineSelect): void {
    const output = this.#scopeOf(select)?.outputs.get(name);
    const sides = select.outputs.length === 0 ? this.outputsBefore(select) : undefined;
    const ofSides = sides && this.#columnNamed(sides.list, name)?.definition;
    if (clause === 'order' && (output ?? ofSides) !== undefined && output?.token !== token) {
      this.#refer(token, output ?? ofSides);
      return;
    }
    let isUnsure = false;
    for (let at: OutlineSelect | undefined = select; at !== undefined; at = at.parent) {
      const scope = this.#scopeOf(at);
      const match = scope?.columns.get(name);
      if (match !== undefined) {
        this.#refer(token, match.column.definition);
        if (isUnsure || match.isRepeated) this.#unsure.add(token);
        return;
      }
      isUnsure ||= scope?.isOpen === true;
      if (at === select && clause === 'group' && output !== undefined && output.aliasBehind === undefined) {
        this.#refer(token, output);
        if (isUnsure) this.#unsure.add(token);
        return;
      }
      const row = scope?.relations.get(name)?.definition;
      if (row !== undefined) {
        this.#refer(token, row);
        if (isUnsure) this.#unsure.add(token);
        return;
      }
    }
  }

  /** Returns the result columns of a set operation for the clauses after it. */
  outputsBefore(select: OutlineSelect): Columns | undefined {
    const query = this.#outline.queries.find(({ tail }) => tail === select);
    const [branch] = query?.branches ?? [];
    if (branch === undefined) return undefined;
    return named(isSelect(branch) ? this.#selectOutputs(branch) : this.#outputsOf(branch));
  }

  #refer(token: number, definition: Definition | undefined): void {
    if (definition !== undefined && definition.token !== token) this.#references.set(token, definition);
  }
}

/** Also LATERAL and correlated queries take all columns of a relation around them. */
function relationsNamed(select: OutlineSelect, name: string): readonly OutlineRelation[] {
  for (let at: OutlineSelect | undefined = select; at !== undefined; at = at.parent) {
    const found = at.relations.filter(({ definition }) => definition?.name === name);
    if (found.length > 0) return found;
  }
  return [];
}

/** The names in one SELECT: of several with one name, the first. */
interface Scope {
  readonly outputs: Map<string, Definition>;
  readonly relations: Map<string, OutlineRelation>;
  readonly columns: Map<string, { readonly column: BoundColumn; isRepeated: boolean }>;
  /** Whether there may be more, unknown columns. */
  isOpen: boolean;
}

function addFirst<Value>(to: Map<string, Value>, name: string | undefined, value: Value | undefined): void {
  if (name !== undefined && value !== undefined && !to.has(name)) to.set(name, value);
}

/** USING and NATURAL merge columns, so each of them counts only once. */
function merged(
  columns: readonly BoundColumn[],
  isMerged: (name: string) => boolean = () => false,
): readonly BoundColumn[] {
  const seen = new Set<string>();
  return columns.filter((column) => {
    if (column !== unnamed && seen.has(column.name) && isMerged(column.name)) return false;
    seen.add(column.name);
    return true;
  });
}

const typedColumn = ({
  name,
  type,
}: {
  readonly name: string;
  readonly type?: string | undefined;
}): BoundColumn => (type === undefined ? { name } : { name, typeOf: () => type });

const withOrdinality = (
  list: readonly BoundColumn[],
  hasOrdinality: true | undefined,
): readonly BoundColumn[] => (hasOrdinality === true ? [...list, { name: 'ordinality' }] : list);

/** Applies an alias list, which may be shorter than the columns. */
function renamed(columns: Columns, aliases: readonly Definition[]): Columns {
  if (aliases.length === 0) return columns;
  const { list, isOpen, hasGaps } = columns;
  const aliased = aliases.map((definition, index): BoundColumn => {
    const { catalogue, typeOf = () => catalogue?.type } = list[index] ?? {};
    return { name: definition.name, definition, typeOf };
  });
  return {
    list: [...aliased, ...(hasGaps === true ? [] : list.slice(aliases.length))],
    isOpen,
    ...(hasGaps === undefined ? {} : { hasGaps }),
  };
}
