/** Determines the type of an expression in PostgreSQL's parse tree, and its errors (parse_expr.c). */
import { t } from '#base/texts.ts';
import {
  child,
  constantOf,
  isNode,
  list,
  named,
  number,
  readColumn,
  strings,
  text,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { checkLiteral, sentencesOf } from '../literals/literal.ts';
import { callType, type Called } from '../resolution/calls.ts';
import { unify, wantBoolean, type Operand } from '../resolution/conversions.ts';
import { orderable, wantSorting } from '../resolution/orderable.ts';
import { typed, unknown, type Clause, type Level, type Session, type Typed } from '../typing.ts';
import { arrayType, indirectionType, rowType } from './arrays-and-rows.ts';
import { castType, collateType } from './casts.ts';
import { columnType } from './column-names.ts';
import { caseType, coalesceType, firstSurely } from './conditionals.ts';
import type { ExpressionContext } from './expression-context.ts';
import { jsonType } from './json-expressions.ts';
import { chainType, isPlainOperation, operatorType } from './operations.ts';
import { subqueryType } from './subqueries.ts';
import { windowType } from './windows.ts';
import { writtenType } from './written-types.ts';

/** Maximum nesting of typed expressions. The types of deeper ones are unknown. */
const depthMax = 250;

export function expressionType(session: Session, level: Level, node: unknown): Typed {
  return new Expressions(session, level).type(node);
}

export function operandOf(session: Session, level: Level, node: unknown): Operand {
  return { node, typed: expressionType(session, level, node) };
}

/** Types a function call, including the columns that it returns in FROM. */
export function calledType(session: Session, level: Level, call: Node): Called {
  return callType(new Expressions(session, level), call);
}

/** Types an item of the WINDOW clause. */
export function typeWindow(session: Session, level: Level, window: Node): void {
  windowType(new Expressions(session, level), window);
}

const conditionNames: Readonly<Record<string, string>> = {
  AND_EXPR: 'AND',
  OR_EXPR: 'OR',
  NOT_EXPR: 'NOT',
};

class Expressions implements ExpressionContext {
  readonly session: Session;
  readonly level: Level;

  constructor(session: Session, level: Level) {
    this.session = session;
    this.level = level;
  }

  inClause<T>(clause: Clause, run: () => T): T {
    const before = this.level.clause;
    this.level.clause = clause;
    const result = run();
    this.level.clause = before;
    return result;
  }

  sortBy(entry: unknown): Operand {
    const operand = this.operand(child(entry, 'SortBy')?.node);
    wantSorting(this.session, child(entry, 'SortBy'));
    orderable(this.session, operand.node, operand.typed.type, 'ordering');
    return operand;
  }

  window(node: Node): void {
    windowType(this, node);
  }

  type(node: unknown): Typed {
    const inner = named(node);
    if (inner === undefined || !isNode(node)) return unknown;
    const { kind, body } = inner;
    const session = this.session;
    if (session.depth > depthMax) {
      this.doubt();
      return unknown;
    }
    session.depth++;
    const found =
      kind === 'A_Expr' && isPlainOperation(body) ? chainType(this, node) : this.#node(kind, body, node);
    session.depth--;
    session.note(node, found);
    return found;
  }

  /** Marks the columns as uncertain, since untyped parts may contain any column. */
  doubt(): void {
    if (this.session.aggregate !== undefined) this.session.aggregate.isUncertain = true;
    this.level.isUncertain = true;
  }

  operand(node: unknown): Operand {
    return { node, typed: this.type(node) };
  }

  operands(nodes: unknown): readonly Operand[] {
    return list(nodes).map((node) => this.operand(node));
  }

  #node(kind: string, node: Node, whole: Node): Typed {
    switch (kind) {
      case 'A_Const':
      case 'ParamRef':
        return this.#constant(whole);
      case 'ColumnRef':
        return columnType(this.session, this.level, node);
      case 'TypeCast':
        return castType(this, node);
      case 'A_Expr':
        return operatorType(this, node, whole);
      case 'FuncCall': {
        const { type, origins, fields, nullable } = callType(this, node);
        checkRecord(this.session, node);
        return {
          type,
          origins,
          ...(fields === undefined ? {} : { fields }),
          ...(nullable === undefined ? {} : { nullable }),
        };
      }
      case 'BoolExpr': {
        const operands = firstSurely(this, node.args);
        operands.forEach((operand) =>
          wantBoolean(this.session, operand, conditionNames[text(node.boolop)] ?? 'AND'),
        );
        return this.#boolean(operands);
      }
      case 'NullTest':
        return { ...this.#boolean([this.operand(node.arg)]), nullable: false };
      case 'BooleanTest': {
        const operand = this.operand(node.arg);
        const words = text(node.booltesttype).replaceAll('_', ' ');
        wantBoolean(this.session, operand, words);
        return { ...this.#boolean([operand]), nullable: false };
      }
      case 'CaseExpr':
        return caseType(this, node);
      case 'CoalesceExpr':
        return coalesceType(this, node);
      case 'MinMaxExpr':
        return this.#extreme(node, whole);
      case 'RowExpr':
        return rowType(this, node);
      case 'A_ArrayExpr':
        return arrayType(this, node, undefined);
      case 'A_Indirection':
        return indirectionType(this, node, whole);
      case 'SubLink':
        return subqueryType(this, node, whole);
      case 'SQLValueFunction':
        return { ...typed(valueFunctions[text(node.op).replace(/_N$/, '')]), nullable: false };
      case 'CollateClause':
        return collateType(this, node, whole);
      case 'GroupingFunc': {
        const parts = this.operands(node.args).map((operand) => operand.typed);
        // The aggregate belongs to the query whose columns it names.
        this.level.hasAggregates ||= list(node.args).every((arg) => {
          const column = child(arg, 'ColumnRef');
          return column !== undefined && this.session.meanings.get(column)?.level === this.level;
        });
        return typed('int4', ...parts);
      }
      case 'XmlExpr': {
        checkXmlNames(this.session, node);
        const parts = this.operands([...list(node.named_args), ...list(node.args)]);
        return typed(node.op === 'IS_DOCUMENT' ? 'bool' : 'xml', ...parts.map((operand) => operand.typed));
      }
      case 'ResTarget':
        return this.type(node.val);
      case 'XmlSerialize':
        return typed(writtenType(this.session, child(node, 'typeName')).type, this.type(node.expr));
      case 'SetToDefault':
        return this.#default(node);
      case 'List':
        return typed(undefined, ...this.operands(node.items).map((operand) => operand.typed));
      default:
        return jsonType(this, kind, node) ?? this.unread();
    }
  }

  #default(node: Node): Typed {
    this.session.report({
      code: 'INVALID_CLAUSE',
      message: 'DEFAULT is not allowed in this context.',
      at: undefined,
      location: number(node.location),
    });
    return unknown;
  }

  #extreme(node: Node, whole: Node): Typed {
    const what = node.op === 'IS_LEAST' ? 'LEAST' : 'GREATEST';
    const common = unify(this.session, this.operands(node.args), what);
    orderable(this.session, whole, common.type, 'comparison');
    return common;
  }

  unread(): Typed {
    this.doubt();
    return unknown;
  }

  #boolean(operands: readonly Operand[]): Typed {
    const parts = operands.map((operand) => operand.typed);
    const isNeverNull = parts.every(({ nullable }) => nullable === false);
    return { ...typed('bool', ...parts), ...(isNeverNull ? { nullable: false } : {}) };
  }

  #constant(node: Node): Typed {
    const constant = constantOf(node);
    switch (constant?.kind) {
      case 'string':
        return { type: 'unknown', text: constant.value, origins: [], nullable: false };
      case 'null':
        return { type: 'unknown', text: null, origins: [], nullable: true };
      case 'boolean':
        return { type: 'bool', origins: [], nullable: false };
      case 'number':
        return { type: numberType(constant.value), origins: [], nullable: false };
      case 'placeholder': {
        const type = this.session.declared(constant.location);
        return type === undefined ? { ...unknown, placeholder: constant.location } : { type, origins: [] };
      }
      default: {
        const bits = child(node, 'A_Const')?.bsval;
        if (isNode(bits)) checkConstantBits(this.session, node, text(bits.bsval));
        return isNode(bits)
          ? { type: 'bit', origins: [], nullable: false }
          : { type: 'int4', origins: [], nullable: false };
      }
    }
  }
}

/** XMLFOREST and XMLATTRIBUTES name their values, or take the names of columns. */
function checkXmlNames(session: Session, node: Node): void {
  const isElement = node.op === 'IS_XMLELEMENT';
  const names = new Set<string>();
  for (const entry of list(node.named_args)) {
    const target = child(entry, 'ResTarget') ?? {};
    const column = child(target.val, 'ColumnRef');
    const name = typeof target.name === 'string' ? target.name : readColumn(column ?? {}).parts.at(-1);
    if (name === undefined) {
      session.report({
        code: 'INVALID_CLAUSE',
        message: `unnamed XML ${isElement ? 'attribute' : 'element'} value must be a column reference. ${t('Write {0}.', '... AS name')}`,
        at: target.val,
      });
    } else if (isElement && names.has(name)) {
      session.report({
        code: 'INVALID_CLAUSE',
        message: `XML attribute name "${name}" appears more than once.`,
        at: target.val,
      });
    } else names.add(name);
  }
}

function checkConstantBits(session: Session, node: Node, written: string): void {
  const problem = checkLiteral(session.catalogue, 'bit', written);
  if (problem !== undefined)
    session.report({ code: 'INVALID_LITERAL', message: sentencesOf(problem), at: node });
}

/** Only FROM can name the columns of a function that returns rows of any shape. */
function checkRecord(session: Session, call: Node): void {
  const { catalogue } = session;
  const names = strings(call.funcname);
  const name = names.at(-1) ?? '';
  if (!/_to_record(?:set)?$/.test(name) || catalogue.isExtensionFunction(name)) return;
  const facts = catalogue.functions(name);
  if (facts.length === 0 || facts.some(({ result, outputs }) => result !== 'record' || outputs.length > 0))
    return;
  session.report({
    code: 'INVALID_CLAUSE',
    message: `could not determine row type for result of ${name}. ${t('Write {0}.', `FROM ${name}(...) AS name (column_name text, ...)`)}`,
    at: { FuncCall: call },
    location: number(call.location),
    isLikely: true,
  });
}

const valueFunctions: Readonly<Record<string, TypeName>> = {
  SVFOP_CURRENT_DATE: 'date',
  SVFOP_CURRENT_TIME: 'timetz',
  SVFOP_CURRENT_TIMESTAMP: 'timestamptz',
  SVFOP_LOCALTIME: 'time',
  SVFOP_LOCALTIMESTAMP: 'timestamp',
  SVFOP_CURRENT_ROLE: 'name',
  SVFOP_CURRENT_USER: 'name',
  SVFOP_USER: 'name',
  SVFOP_SESSION_USER: 'name',
  SVFOP_CURRENT_CATALOG: 'name',
  SVFOP_CURRENT_SCHEMA: 'name',
};

function numberType(value: string): TypeName {
  // Fast path for nearly all numbers.
  if (/^\d{1,9}$/.test(value)) return 'int4';
  const plain = value.replaceAll('_', '');
  if (!/^-?(?:\d+|0[xob][\da-f]+)$/i.test(plain)) return 'numeric';
  const isNegative = plain.startsWith('-');
  const size = BigInt(isNegative ? plain.slice(1) : plain);
  const number = isNegative ? -size : size;
  return number >= -2_147_483_648n && number <= 2_147_483_647n
    ? 'int4'
    : number >= -(2n ** 63n) && number < 2n ** 63n
      ? 'int8'
      : 'numeric';
}
