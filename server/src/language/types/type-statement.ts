/**
 * Determines the types of a query's columns, placeholders (by use) and expressions, and type errors. Works on the parse
 * tree, in the parser's thread. Unknown types are undefined; they propagate and suppress findings.
 */
import { VisibleTables } from '../names/relations/visible-tables.ts';
import { everyLocated, extentOf, child, list, walk, type Extent, type Node } from '../tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue/catalogue.ts';
import { typeNameIn, typeWritten } from './catalogue/type-names.ts';
import { checkCollations } from './expressions/collations.ts';
import { queryColumns } from './queries/queries.ts';
import { Coercion } from './resolution/coercion.ts';
import {
  perhaps,
  type Column,
  type Columns,
  type Origin,
  type Session,
  type TypeCode,
  type TypeProblem,
  type Typed,
} from './typing.ts';

/** A model's table that the query may read. */
export interface TypedTable {
  readonly model: string;
  readonly table: string;
  /** The columns, with types as the service spells them. */
  readonly columns: readonly TypedTableColumn[];
}

export interface TypedTableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  /** Whether the model lists the column's possible values. */
  readonly hasValues?: true;
}

/** The typing context of a statement, sent to the parser's thread. */
export interface TypeContext {
  /** The model whose tables need no qualifier. */
  readonly model: string;
  /** The tables that the statement reads and whose columns are known. */
  readonly tables: readonly TypedTable[];
  /** Declared types as PostgreSQL spells them, by the placeholder's UTF-16 offset. */
  readonly parameters: readonly { readonly start: number; readonly type: string }[];
  /** Whether to return the types of all expressions, for hovers. */
  readonly wantsExpressions?: boolean;
}

export interface ResultColumn {
  /** Undefined if the name depends on PostgreSQL's version. */
  readonly name: string | undefined;
  /** The type as PostgreSQL spells it; undefined if unknown. */
  readonly type: string | undefined;
  /**
   * The type as written, for a model's column or a cast whose type is unknown. Values of a domain arrive with its base
   * type, so the domain is not the result's type.
   */
  readonly modelType?: string;
  /** False only if the value is certainly never NULL. */
  readonly nullable?: boolean;
  /**
   * The model columns that the values derive from, without duplicates, at most 64: `accounts.email` for
   * `lower(a.email)`. Columns that only select or order rows (WHERE, ORDER BY, GROUP BY, join conditions) do not count.
   */
  readonly origins: readonly Origin[];
}

/** A finding; `first` and `last` are UTF-16 offsets of its first and last word in the statement. */
export interface TypeFinding extends Omit<TypeProblem, 'at' | 'location'> {
  readonly first: number;
  readonly last: number;
  /** Number of parts that follow `last` in a dotted name. */
  readonly shiftLast: number;
}

/** The known types of a query. Contains only plain data, since it crosses threads. */
export interface StatementTypes {
  /** Undefined if the columns are unknown. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly findings: readonly TypeFinding[];
  /** Undeclared placeholders with inferred types: the UTF-16 offset, and the type as PostgreSQL spells it. */
  readonly parameters: readonly { readonly start: number; readonly type: string }[];
  /** All expressions, identified by their first and last word, if requested. */
  readonly expressions?: readonly TypedExpression[];
}

export interface TypedExpression {
  readonly first: number;
  readonly last: number;
  readonly shiftLast: number;
  /** Undefined if unknown. */
  readonly type: string | undefined;
  readonly origins: readonly Origin[];
  /** For `*`: its columns. */
  readonly columns?: readonly ResultColumn[];
}

/**
 * Returns undefined if the statement is not a query.
 * @param offsetOf maps the tree's byte locations to UTF-16 offsets
 */
export function typeStatement(
  tree: unknown,
  catalogue: TypeCatalogue,
  context: TypeContext,
  offsetOf: (byte: number) => number,
): StatementTypes | undefined {
  const select = child(child(list(child({ tree }, 'tree')?.stmts)[0], 'stmt'), 'SelectStmt');
  if (select === undefined) return undefined;
  // Declared types may be wrong, so they affect the result types, but never produce findings.
  const open = new Run(catalogue, { ...context, parameters: [] }, offsetOf);
  const result = open.result(open.query(select));
  if (context.parameters.length === 0) return result;
  const isTyped = result.columns?.every(({ type }) => type !== undefined) === true;
  if (isTyped && open.infers(context.parameters)) {
    const declaredAt = new Set(context.parameters.map(({ start }) => start));
    return { ...result, parameters: result.parameters.filter(({ start }) => !declaredAt.has(start)) };
  }
  const declared = new Run(catalogue, context, offsetOf);
  return { ...declared.result(declared.query(select)), findings: result.findings };
}

class Run {
  readonly #offsetOf: (byte: number) => number;
  readonly #context: TypeContext;
  readonly #coercion: Coercion;
  readonly #problems: TypeProblem[] = [];
  readonly #used = new Map<number, TypeName>();
  readonly #placeholders = new Set<number>();
  readonly #noted = new Map<Node, Typed>();
  readonly #stars = new Map<Node, readonly Column[]>();
  readonly #tables = new Map<string, Columns>();
  readonly #modelTypes = new Set<string>();
  readonly #declared: ReadonlyMap<number, TypeName>;
  readonly #session: Session;

  constructor(catalogue: TypeCatalogue, context: TypeContext, offsetOf: (byte: number) => number) {
    this.#offsetOf = offsetOf;
    this.#context = context;
    this.#coercion = new Coercion(catalogue);
    for (const table of context.tables) {
      const { columns, modelTypes } = readTable(catalogue, table);
      this.#tables.set(`${table.model}\0${table.table}`, columns);
      for (const type of modelTypes) this.#modelTypes.add(type);
    }
    this.#declared = new Map(
      context.parameters.flatMap(({ start, type }) => {
        const own = typeWritten(catalogue, type);
        return own === undefined ? [] : [[start, own] as const];
      }),
    );
    this.#session = {
      model: context.model,
      catalogue,
      coercion: this.#coercion,
      columnsOf: (schema, table) => this.#tables.get(`${schema ?? context.model}\0${table}`),
      isModelType: (name) => this.#modelTypes.has(name.toLowerCase()),
      report: (problem) => this.#problems.push(problem),
      declared: (location) => {
        this.#placeholders.add(location);
        return this.#declared.get(offsetOf(location));
      },
      used: (location, type) => {
        if (!this.#used.has(location)) this.#used.set(location, type);
      },
      note: (node, typed) => {
        if (context.wantsExpressions === true && (typed.type !== undefined || typed.origins.length > 0))
          this.#noted.set(node, typed);
      },
      noteStar: (node, columns) => {
        if (context.wantsExpressions === true) this.#stars.set(node, columns);
      },
      meanings: new Map(),
      sides: new Map(),
      query: (select, parent, tables) =>
        perhaps(this.#session, () => queryColumns(this.#session, select, parent, tables)),
      aggregate: undefined,
      depth: 0,
      columnCount: 0,
      collations: 0,
      optional: 0,
    };
  }

  /**
   * Whether each of these placeholders was found to have its declared type. If the types of all columns are known too,
   * the declarations change nothing except the types of expressions, which include the placeholders themselves.
   */
  infers(parameters: TypeContext['parameters']): boolean {
    if (this.#context.wantsExpressions === true) return false;
    // A declaration may decide the type of another placeholder.
    if (![...this.#placeholders].every((location) => this.#used.has(location))) return false;
    const found = new Map([...this.#used].map(([location, type]) => [this.#offsetOf(location), type]));
    return parameters.every(({ start, type }) => {
      const declared = typeWritten(this.#session.catalogue, type);
      return declared !== undefined && found.get(start) === declared;
    });
  }

  query(select: Node): Columns {
    const columns = queryColumns(this.#session, select, undefined, new VisibleTables());
    if (this.#session.collations > 1) checkCollations(this.#session, select);
    return columns;
  }

  result(columns: Columns): StatementTypes {
    const findings = this.#problems.flatMap((problem) => this.#finding(problem) ?? []);
    return {
      columns: columns && this.#shown(columns),
      findings: withoutRepeats(findings),
      parameters: [...this.#used].map(([location, type]) => ({
        start: this.#offsetOf(location),
        type: this.#coercion.shown(type),
      })),
      ...(this.#context.wantsExpressions === true ? { expressions: this.#expressions() } : {}),
    };
  }

  #shown(columns: readonly Column[]): readonly ResultColumn[] {
    return columns.map(({ name, type, enumeration, modelType, nullable, origins }) => ({
      name,
      type: type === undefined ? enumeration : this.#coercion.shown(type),
      ...(modelType === undefined ? {} : { modelType }),
      origins,
      ...(nullable === undefined ? {} : { nullable }),
    }));
  }

  #finding({
    code,
    message,
    at,
    location,
    isLikely,
    rewrite,
    alternatives,
  }: TypeProblem): TypeFinding | undefined {
    const extent = extentOf(at);
    const only = location === undefined ? undefined : { first: location, last: location, lastParts: 1 };
    const isWide = wideCodes.has(code) || child(at, 'A_Expr') !== undefined;
    const place = extent === undefined ? (only ?? firstIn(at)) : isWide ? extent : (only ?? extent);
    return place === undefined
      ? undefined
      : {
          code,
          message,
          first: this.#offsetOf(place.first),
          last: this.#offsetOf(place.last),
          shiftLast: 2 * (place.lastParts - 1),
          ...(isLikely === true ? { isLikely } : {}),
          ...(rewrite === undefined ? {} : { rewrite }),
          ...(alternatives === undefined ? {} : { alternatives }),
        };
  }

  #expressions(): readonly TypedExpression[] {
    const place = ({ first, last, lastParts }: Extent): Omit<TypedExpression, 'type' | 'origins'> => ({
      first: this.#offsetOf(first),
      last: this.#offsetOf(last),
      shiftLast: 2 * (lastParts - 1),
    });
    const expressions = [...this.#noted].flatMap(([node, { type, origins }]) => {
      const extent = extentOf(node, everyLocated);
      return extent === undefined || (type === 'unknown' && origins.length === 0)
        ? []
        : [
            {
              ...place(extent),
              type: type === undefined || type === 'unknown' ? undefined : this.#coercion.shown(type),
              origins,
            },
          ];
    });
    const stars = [...this.#stars].flatMap(([node, columns]) => {
      const extent = extentOf(node, everyLocated);
      return extent === undefined
        ? []
        : [{ ...place(extent), type: undefined, origins: [], columns: this.#shown(columns) }];
    });
    return [...expressions, ...stars];
  }
}

interface ReadTable {
  readonly columns: readonly Column[];
  /** The names of types that PostgreSQL does not have, in lower case. */
  readonly modelTypes: readonly string[];
}

/** Cached, since most statements of a document read the same tables. */
const readTables = new WeakMap<TypeCatalogue, WeakMap<TypedTable, ReadTable>>();

function readTable(catalogue: TypeCatalogue, table: TypedTable): ReadTable {
  const tables = readTables.get(catalogue) ?? new WeakMap<TypedTable, ReadTable>();
  readTables.set(catalogue, tables);
  const known = tables.get(table);
  if (known !== undefined) return known;
  const modelTypes: string[] = [];
  const columns = table.columns.map(({ name, type: written, nullable, hasValues }): Column => {
    const type = typeWritten(catalogue, written);
    if (type === undefined) modelTypes.push(typeNameIn(written).toLowerCase());
    return {
      name,
      type,
      origins: [{ model: table.model, table: table.table, column: name }],
      ...(type !== undefined ? {} : hasValues === true ? { enumeration: written } : { modelType: written }),
      ...(nullable === undefined ? {} : { nullable }),
    };
  });
  const read = { columns, modelTypes };
  tables.set(table, read);
  return read;
}

/** Returns the first place in the node, whatever it is. */
function firstIn(at: unknown): Extent | undefined {
  let location: number | undefined;
  walk(at, (_, node) => {
    if (typeof node.location === 'number' && node.location >= 0) location ??= node.location;
    return location === undefined;
  });
  return location === undefined ? undefined : { first: location, last: location, lastParts: 1 };
}

/** Codes whose range covers the whole expression, from its first to its last word. */
const wideCodes: ReadonlySet<TypeCode> = new Set(['INVALID_LITERAL', 'UNGROUPED_COLUMN']);

/** Drops duplicate findings, since some expressions are typed twice. */
function withoutRepeats(findings: readonly TypeFinding[]): readonly TypeFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, first, message }) => {
    const key = `${code} ${first} ${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
