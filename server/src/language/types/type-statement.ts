/**
 * The types of a query: of its columns, of its placeholders by their uses, of every expression, and what is wrong with
 * them. Runs beside the parser, on the tree; a type that is not known is undefined, spreads, and silences what is said.
 */
import { extentOf, child, list, type Node } from '../tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue.ts';
import { Coercion } from './coercion.ts';
import { queryColumns } from './queries.ts';
import { typeWritten } from './type-names.ts';
import type { Column, Columns, Origin, Session, TypeCode, TypeProblem, Typed } from './typing.ts';

/** A table of a model that the query may read. */
export interface TypedTable {
  readonly model: string;
  readonly table: string;
  /** Types as the service writes them. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable?: boolean }[];
}

/** What a statement is typed with besides its tree. It is sent to the parser's thread. */
export interface TypeContext {
  /** The model whose tables need no qualifier. */
  readonly model: string;
  /** Those that the statement reads, as far as their columns are known. */
  readonly tables: readonly TypedTable[];
  /** Declared types, as PostgreSQL writes them, by the UTF-16 offset of the placeholder. */
  readonly parameters: readonly { readonly start: number; readonly type: string }[];
  /** Whether every expression's type is wanted, for a hover. */
  readonly wantsExpressions?: boolean;
}

/** A column of the result. */
export interface ResultColumn {
  /** Undefined where it depends on PostgreSQL's version. */
  readonly name: string | undefined;
  /** As PostgreSQL writes it; undefined while unknown. */
  readonly type: string | undefined;
  /** False where it certainly never is NULL. */
  readonly nullable?: boolean;
  /**
   * The columns of models' tables that its values are made of, each once, at most 64: of `lower(a.email)` that is
   * `accounts.email`. What only decides which rows there are (WHERE, ORDER BY, GROUP BY, join conditions) is none.
   */
  readonly origins: readonly Origin[];
}

/** Places are UTF-16 offsets in the statement of the first and the last word. */
export interface TypeFinding {
  readonly code: TypeCode;
  readonly message: string;
  readonly first: number;
  readonly last: number;
  /** Words to go on from `last`: parts of a dotted name. */
  readonly shiftLast: number;
}

/** What is known of the types of a query. Plain data: it crosses threads. */
export interface StatementTypes {
  /** Undefined where it is not known which columns there are. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly findings: readonly TypeFinding[];
  /** What the uses of undeclared placeholders make of them: UTF-16 offset, and the type as PostgreSQL writes it. */
  readonly parameters: readonly { readonly start: number; readonly type: string }[];
  /** Each expression by its first and last word, where they were wanted. */
  readonly expressions?: readonly TypedExpression[];
}

export interface TypedExpression {
  readonly first: number;
  readonly last: number;
  readonly shiftLast: number;
  readonly type: string;
}

/** `offsetOf` maps the tree's bytes to UTF-16. Undefined for what is no query. */
export function typeStatement(
  tree: unknown,
  catalogue: TypeCatalogue,
  context: TypeContext,
  offsetOf: (byte: number) => number,
): StatementTypes | undefined {
  const select = child(child(list(child({ tree }, 'tree')?.stmts)[0], 'stmt'), 'SelectStmt');
  if (select === undefined) {
    return undefined;
  }
  // What a person declares may be wrong: it says what the result is like, and nothing is reported by it.
  const open = new Run(catalogue, { ...context, parameters: [] }, offsetOf);
  const result = open.result(open.query(select));
  if (context.parameters.length === 0) {
    return result;
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
  readonly #noted = new Map<Node, Typed>();
  readonly #tables = new Map<string, Columns>();
  readonly #declared: ReadonlyMap<number, TypeName>;
  readonly #session: Session;

  constructor(catalogue: TypeCatalogue, context: TypeContext, offsetOf: (byte: number) => number) {
    this.#offsetOf = offsetOf;
    this.#context = context;
    this.#coercion = new Coercion(catalogue);
    for (const { model, table, columns } of context.tables) {
      this.#tables.set(
        `${model}\0${table}`,
        columns.map(({ name, type, nullable }): Column => ({
          name,
          type: typeWritten(catalogue, type),
          origins: [{ model, table, column: name }],
          ...(nullable === undefined ? {} : { nullable }),
        })),
      );
    }
    this.#declared = new Map(
      context.parameters.flatMap(({ start, type }) => {
        const own = typeWritten(catalogue, type);
        return own === undefined ? [] : [[start, own] as const];
      }),
    );
    this.#session = {
      catalogue,
      coercion: this.#coercion,
      columnsOf: (schema, table) => this.#tables.get(`${schema ?? context.model}\0${table}`),
      isTable: (schema, table) => this.#tables.has(`${schema ?? context.model}\0${table}`),
      report: (problem) => this.#problems.push(problem),
      declared: (location) => this.#declared.get(offsetOf(location)),
      used: (location, type) => {
        if (!this.#used.has(location)) this.#used.set(location, type);
      },
      note: (node, typed) => {
        if (context.wantsExpressions === true && typed.type !== undefined) this.#noted.set(node, typed);
      },
      meanings: new Map(),
      query: (select, parent, tables) => queryColumns(this.#session, select, parent, tables),
      aggregate: undefined,
      depth: 0,
      columnCount: 0,
    };
  }

  query(select: Node): Columns {
    return queryColumns(this.#session, select, undefined, []);
  }

  result(columns: Columns): StatementTypes {
    const findings = this.#problems.flatMap((problem) => this.#finding(problem) ?? []);
    const shown = (type: TypeName): string => this.#coercion.shown(type);
    return {
      columns: columns?.map(({ name, type, nullable, origins }) => ({
        name,
        type: type === undefined ? undefined : shown(type),
        origins,
        ...(nullable === undefined ? {} : { nullable }),
      })),
      findings: withoutRepeats(findings),
      parameters: [...this.#used].map(([location, type]) => ({
        start: this.#offsetOf(location),
        type: shown(type),
      })),
      ...(this.#context.wantsExpressions === true ? { expressions: this.#expressions() } : {}),
    };
  }

  #finding({ code, message, at, location }: TypeProblem): TypeFinding | undefined {
    const extent = extentOf(at);
    const only = location === undefined ? undefined : { first: location, last: location, lastParts: 1 };
    const isWide = wideCodes.has(code) || child(at, 'A_Expr') !== undefined;
    const place = extent === undefined ? only : isWide ? extent : (only ?? extent);
    return place === undefined
      ? undefined
      : {
          code,
          message,
          first: this.#offsetOf(place.first),
          last: this.#offsetOf(place.last),
          shiftLast: 2 * (place.lastParts - 1),
        };
  }

  #expressions(): readonly TypedExpression[] {
    return [...this.#noted].flatMap(([node, { type }]) => {
      const extent = extentOf(node);
      return extent === undefined || type === undefined || type === 'unknown'
        ? []
        : [
            {
              first: this.#offsetOf(extent.first),
              last: this.#offsetOf(extent.last),
              shiftLast: 2 * (extent.lastParts - 1),
              type: this.#coercion.shown(type),
            },
          ];
    });
  }
}

/** Marked from the first to the last word of what they are about. */
const wideCodes: ReadonlySet<TypeCode> = new Set(['INVALID_LITERAL', 'UNGROUPED_COLUMN']);

/** The same said of the same place, since what was written once was looked at twice. */
function withoutRepeats(findings: readonly TypeFinding[]): readonly TypeFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, first, message }) => {
    const key = `${code} ${first} ${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
