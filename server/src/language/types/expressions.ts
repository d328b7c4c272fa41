/** The type of an expression of PostgreSQL's parse tree (parse_expr.c), and what is wrong with it. */
import { child, constantOf, list, number, strings, text, isNode, type Node } from '../tree/parse-tree.ts';
import type { TypeName } from './catalogue.ts';
import { callType, type CallContext, type Called } from './calls.ts';
import { columnType } from './column-names.ts';
import { give, unify, wantBoolean, type Operand } from './conversions.ts';
import { replacementOfType } from './foreign-names.ts';
import { jsonType } from './json-expressions.ts';
import { operationType } from './operators.ts';
import { readTypeName } from './type-names.ts';
import { originsOf, typed, unknown, type Level, type Session, type Typed } from './typing.ts';

/** Expressions in each other that are typed: what is deeper is unknown. */
const depthMax = 250;

export function expressionType(session: Session, level: Level, node: unknown): Typed {
  return new Expressions(session, level).type(node);
}

export function operandOf(session: Session, level: Level, node: unknown): Operand {
  return { node, typed: expressionType(session, level, node) };
}

/** As an expression, with what a function in FROM gives. */
export function calledType(session: Session, level: Level, call: Node): Called {
  return callType(new Expressions(session, level).callContext, call);
}

const conditionNames: Readonly<Record<string, string>> = {
  AND_EXPR: 'AND',
  OR_EXPR: 'OR',
  NOT_EXPR: 'NOT',
};

class Expressions {
  readonly #session: Session;
  readonly #level: Level;

  constructor(session: Session, level: Level) {
    this.#session = session;
    this.#level = level;
  }

  get callContext(): CallContext {
    return {
      session: this.#session,
      level: this.#level,
      operand: (node) => this.#operand(node),
      inClause: (clause, run) => {
        const before = this.#level.clause;
        this.#level.clause = clause;
        const result = run();
        this.#level.clause = before;
        return result;
      },
      sortBy: (entry) => this.#operand(child(entry, 'SortBy')?.node),
      window: (node) => this.window(node),
    };
  }

  /** An OVER, or an entry of WINDOW. */
  window(node: Node): void {
    const { clause } = this.#level;
    if (clause === 'SELECT') this.#level.clause = 'WINDOW';
    for (const entry of list(node.partitionClause)) this.type(entry);
    for (const entry of list(node.orderClause)) this.type(child(entry, 'SortBy')?.node);
    this.type(node.startOffset);
    this.type(node.endOffset);
    this.#level.clause = clause;
  }

  type(node: unknown): Typed {
    const [kind, body] = isNode(node) ? (Object.entries(node)[0] ?? []) : [];
    if (kind === undefined || !isNode(body) || !isNode(node)) {
      return unknown;
    }
    const session = this.#session;
    if (session.depth > depthMax) {
      this.#doubt();
      return unknown;
    }
    session.depth++;
    const found = kind === 'A_Expr' && isPlain(body) ? this.#chain(node) : this.#node(kind, body, node);
    session.depth--;
    session.note(node, found);
    return found;
  }

  /** What is not looked into may hold any column. */
  #doubt(): void {
    if (this.#session.aggregate !== undefined) this.#session.aggregate.isUncertain = true;
    this.#level.isUncertain = true;
  }

  #operand(node: unknown): Operand {
    return { node, typed: this.type(node) };
  }

  #operands(nodes: unknown): readonly Operand[] {
    return list(nodes).map((node) => this.#operand(node));
  }

  #node(kind: string, node: Node, whole: Node): Typed {
    switch (kind) {
      case 'A_Const':
      case 'ParamRef':
        return this.#constant(whole);
      case 'ColumnRef':
        return columnType(this.#session, this.#level, node);
      case 'TypeCast':
        return this.#cast(node);
      case 'A_Expr':
        return this.#operatorExpression(node, whole);
      case 'FuncCall': {
        const { type, origins, fields, nullable } = callType(this.callContext, node);
        return {
          type,
          origins,
          ...(fields === undefined ? {} : { fields }),
          ...(nullable === undefined ? {} : { nullable }),
        };
      }
      case 'BoolExpr': {
        const operands = this.#operands(node.args);
        operands.forEach((operand) =>
          wantBoolean(this.#session, operand, conditionNames[text(node.boolop)] ?? 'AND'),
        );
        return this.#boolean(operands);
      }
      case 'NullTest':
        return { ...this.#boolean([this.#operand(node.arg)]), nullable: false };
      case 'BooleanTest': {
        const operand = this.#operand(node.arg);
        const words = text(node.booltesttype).replaceAll('_', ' ');
        wantBoolean(this.#session, operand, words);
        return { ...this.#boolean([operand]), nullable: false };
      }
      case 'CaseExpr':
        return this.#case(node);
      case 'CoalesceExpr':
        return this.#coalesce(node);
      case 'MinMaxExpr':
        return unify(this.#session, this.#operands(node.args), node.op === 'IS_LEAST' ? 'LEAST' : 'GREATEST');
      case 'RowExpr':
        return this.#row(node);
      case 'A_ArrayExpr':
        return this.#array(node, undefined);
      case 'A_Indirection':
        return this.#indirection(node, whole);
      case 'SubLink':
        return this.#subquery(node, whole);
      case 'SQLValueFunction':
        return { ...typed(valueFunctions[text(node.op).replace(/_N$/, '')]), nullable: false };
      case 'CollateClause':
        return this.#collate(node, whole);
      case 'GroupingFunc':
        return typed('int4', ...this.#operands(node.args).map((operand) => operand.typed));
      case 'XmlExpr': {
        const parts = this.#operands([...list(node.named_args), ...list(node.args)]);
        return typed(node.op === 'IS_DOCUMENT' ? 'bool' : 'xml', ...parts.map((operand) => operand.typed));
      }
      case 'ResTarget':
        return this.type(node.val);
      case 'XmlSerialize':
        return typed(
          readTypeName(this.#session.catalogue, child(node, 'typeName')).type,
          this.type(node.expr),
        );
      case 'List':
        return typed(undefined, ...this.#operands(node.items).map((operand) => operand.typed));
      default:
        return jsonType({ session: this.#session, call: this.callContext }, kind, node) ?? this.#unread(node);
    }
  }

  /** What is not known is looked through for columns all the same. */
  #unread(_: Node): Typed {
    this.#doubt();
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
        const type = this.#session.declared(constant.location);
        return type === undefined ? { ...unknown, placeholder: constant.location } : { type, origins: [] };
      }
      default: {
        const isBits = 'bsval' in (child(node, 'A_Const') ?? {});
        return isBits
          ? { type: 'bit', origins: [], nullable: false }
          : { type: 'int4', origins: [], nullable: false };
      }
    }
  }

  #cast(node: Node): Typed {
    const session = this.#session;
    const { type, name } = readTypeName(session.catalogue, child(node, 'typeName'));
    const array = child(node.arg, 'A_ArrayExpr');
    const isArrayType = type !== undefined && session.coercion.element(type) !== undefined;
    const value =
      array !== undefined && isArrayType
        ? this.#array(array, session.coercion.element(type))
        : array !== undefined && type === undefined && list(array.elements).length === 0
          ? unknown
          : this.type(node.arg);
    const operand = { node: node.arg, typed: value };
    const result = {
      ...typed(type, value),
      ...(value.nullable === undefined ? {} : { nullable: value.nullable }),
      ...(type === 'record' && value.fields !== undefined ? { fields: value.fields } : {}),
    };
    if (type === undefined) {
      const instead = name === undefined ? undefined : replacementOfType(name);
      if (instead !== undefined) {
        session.report({
          code: 'FOREIGN_TYPE',
          message: `type "${name}" does not exist in PostgreSQL. Write ${instead}.`,
          at: undefined,
          location: number(child(node, 'typeName')?.location),
        });
      }
      return result;
    }
    give(session, operand, type);
    if (value.type !== undefined && !session.coercion.can(value.type, type, 'explicit')) {
      const [from, to] = [session.coercion.shown(value.type), session.coercion.shown(type)];
      session.report({
        code: 'TYPE_MISMATCH',
        message: `cannot cast type ${from} to ${to}. ${castRemedy(value.type, type)}`,
        at: node.arg,
      });
    }
    return result;
  }

  /** `a || b || c ...`: a text of 100 KB has thousands of them, so not one inside the other. */
  #chain(whole: Node): Typed {
    const session = this.#session;
    const chain: Node[] = [];
    let at: unknown = whole;
    for (;;) {
      const body = child(at, 'A_Expr');
      if (body === undefined || !isPlain(body)) break;
      chain.push(body);
      at = body.lexpr;
    }
    let left: Operand | undefined = at === undefined ? undefined : this.#operand(at);
    for (const body of chain.toReversed()) {
      const node = body === chain[0] ? whole : { A_Expr: body };
      const result = this.#plain(body, left, node);
      if (node !== whole) session.note(node, result);
      left = { node, typed: result };
    }
    return left?.typed ?? unknown;
  }

  #plain(node: Node, left: Operand | undefined, whole: Node): Typed {
    const session = this.#session;
    const subquery = child(node.rexpr, 'SubLink');
    if (isRow(left?.node) && subquery?.subLinkType === 'EXPR_SUBLINK') {
      return this.#rowAndQuery(node, left, subquery);
    }
    if (isRow(left?.node) && isRow(node.rexpr)) {
      return this.#rows(node, left?.node, whole);
    }
    const right = this.#operand(node.rexpr);
    if (names(node).length !== 1) {
      return typed(undefined, ...(left === undefined ? [] : [left.typed]), right.typed);
    }
    return operationType(session, {
      operator: names(node)[0] ?? '',
      left,
      right,
      node: whole,
      location: number(node.location),
    });
  }

  /** `(a, b) = (c, d)`. */
  #rows(node: Node, left: unknown, whole: Node): Typed {
    const [ones, others] = [list(child(left, 'RowExpr')?.args), list(child(node.rexpr, 'RowExpr')?.args)];
    if (ones.length !== others.length) {
      this.type(node.rexpr);
      this.#session.report({
        code: 'TYPE_MISMATCH',
        message: `unequal number of entries in row expressions: ${ones.length} and ${others.length}.`,
        at: whole,
        location: number(node.location),
      });
      return typed('bool');
    }
    const parts = ones.map((one, index) =>
      operationType(this.#session, {
        operator: names(node)[0] ?? '',
        left: this.#operand(one),
        right: this.#operand(others[index]),
        node: whole,
        location: number(node.location),
      }),
    );
    return { type: 'bool', origins: originsOf(parts) };
  }

  #rowAndQuery(node: Node, left: Operand | undefined, subquery: Node): Typed {
    const columns = this.#columnsOf(subquery);
    this.#compareWithColumns(list(child(left?.node, 'RowExpr')?.args), columns, {
      node,
      subquery,
      operator: names(node)[0] ?? '',
    });
    return { type: 'bool', origins: [] };
  }

  #operatorExpression(node: Node, whole: Node): Typed {
    const session = this.#session;
    const operator = names(node)[0] ?? '';
    const location = number(node.location);
    const compare = (left: Operand, right: Operand): Typed =>
      operationType(session, { operator, left, right, node: whole, location });
    switch (node.kind) {
      case 'AEXPR_OP_ANY':
      case 'AEXPR_OP_ALL':
        return this.#withArray(node, whole);
      case 'AEXPR_DISTINCT':
      case 'AEXPR_NOT_DISTINCT':
        if (isRow(node.lexpr) && isRow(node.rexpr)) {
          return this.#rows(node, node.lexpr, whole);
        } else {
          const [one, two] = [this.#operand(node.lexpr), this.#operand(node.rexpr)];
          const found = operationType(session, {
            operator: '=',
            left: one,
            right: two,
            node: whole,
            location,
          });
          return { type: 'bool', origins: found.origins, nullable: false };
        }
      case 'AEXPR_NULLIF': {
        const [one, two] = [this.#operand(node.lexpr), this.#operand(node.rexpr)];
        const found = operationType(session, { operator: '=', left: one, right: two, node: whole, location });
        const type =
          one.typed.type === 'unknown'
            ? two.typed.type === 'unknown'
              ? 'text'
              : two.typed.type
            : one.typed.type;
        return {
          type: found.type === undefined && type === 'unknown' ? undefined : type,
          origins: one.typed.origins,
        };
      }
      case 'AEXPR_IN':
        return this.#in(node, whole);
      case 'AEXPR_BETWEEN':
      case 'AEXPR_NOT_BETWEEN':
      case 'AEXPR_BETWEEN_SYM':
      case 'AEXPR_NOT_BETWEEN_SYM':
        return this.#between(node);
      case 'AEXPR_LIKE':
      case 'AEXPR_ILIKE':
      case 'AEXPR_SIMILAR':
        return compare(this.#operand(node.lexpr), this.#operand(node.rexpr));
      default:
        return this.#unread(node);
    }
  }

  #between(node: Node): Typed {
    const value = this.#operand(node.lexpr);
    const bounds = this.#operands(child(node.rexpr, 'List')?.items);
    const isNot = text(node.kind).includes('NOT');
    const parts = bounds.map((bound, index) =>
      operationType(this.#session, {
        operator: (index === 0) === isNot ? (isNot ? '<' : '<=') : isNot ? '>' : '>=',
        left: value,
        right: bound,
        node: { A_Expr: { lexpr: node.lexpr, rexpr: bound.node } },
        location: number(node.location),
      }),
    );
    return { type: 'bool', origins: originsOf(parts) };
  }

  /** `x = ANY (array)`. */
  #withArray(node: Node, whole: Node): Typed {
    const session = this.#session;
    const { coercion } = session;
    const value = this.#operand(node.lexpr);
    const array = this.#operand(node.rexpr);
    const type = array.typed.type;
    const origins = originsOf([value.typed, array.typed]);
    const result: Typed = { type: 'bool', origins };
    if (type === undefined) {
      const [given, place] = [value.typed.type, array.typed.placeholder];
      const wanted = given === undefined || given === 'unknown' ? undefined : coercion.array(given);
      if (place !== undefined && wanted !== undefined) session.used(place, wanted);
      return result;
    }
    const isLiteral = type === 'unknown';
    const element = isLiteral ? 'unknown' : coercion.element(type);
    if (element === undefined) {
      session.report({
        code: 'TYPE_MISMATCH',
        message: 'op ANY/ALL (array) requires array on right side. For values in a list write IN (...).',
        at: whole,
        location: number(node.location),
      });
      return result;
    }
    const given = value.typed.type;
    operationType(session, {
      operator: names(node)[0] ?? '',
      left: value,
      right: { node: undefined, typed: { type: element, origins: [] } },
      node: whole,
      location: number(node.location),
    });
    if (isLiteral && given !== undefined && given !== 'unknown') {
      give(session, array, coercion.array(given));
    }
    return result;
  }

  #in(node: Node, whole: Node): Typed {
    const session = this.#session;
    const items = list(child(node.rexpr, 'List')?.items ?? node.rexpr);
    if (isRow(node.lexpr)) {
      for (const item of items) {
        if (isRow(item)) this.#rows({ ...node, rexpr: item }, node.lexpr, whole);
        else this.type(item);
      }
      return { type: 'bool', origins: [] };
    }
    const value = this.#operand(node.lexpr);
    const operands = items.map((item) => this.#operand(item));
    const result: Typed = {
      type: 'bool',
      origins: originsOf([value, ...operands].map((operand) => operand.typed)),
    };
    const constants = operands.filter(({ node: item }) => !hasColumn(item));
    const types = [value, ...constants].map(({ typed: { type } }) => type);
    const common = types.includes(undefined) ? undefined : session.coercion.common(types as TypeName[]);
    const isArray = constants.length > 1 && typeof common === 'string' && common !== 'record';
    const compare = (right: Operand): void => {
      operationType(session, {
        operator: names(node)[0] ?? '=',
        left: value,
        right,
        node: { A_Expr: { lexpr: node.lexpr, rexpr: right.node } },
        location: number(node.location),
      });
    };
    if (isArray) {
      constants.forEach((operand) => give(session, operand, common));
      compare({ node: constants[0]?.node, typed: { type: common, origins: [] } });
    }
    for (const operand of isArray ? operands.filter((own) => !constants.includes(own)) : operands) {
      compare(operand);
    }
    return result;
  }

  #case(node: Node): Typed {
    const session = this.#session;
    const subject = 'arg' in node ? this.#operand(node.arg) : undefined;
    const whens = list(node.args).map((entry) => child(entry, 'CaseWhen') ?? {});
    const results: Operand[] = [];
    for (const when of whens) {
      const condition = this.#operand(when.expr);
      if (subject === undefined) {
        wantBoolean(session, condition, 'CASE/WHEN');
      } else {
        const asText = subject.typed.type === 'unknown' ? { node: undefined, typed: typed('text') } : subject;
        operationType(session, {
          operator: '=',
          left: asText,
          right: condition,
          node: { A_Expr: { lexpr: node.arg, rexpr: when.expr } },
          location: number(when.location),
        });
      }
      results.push(this.#operand(when.result));
    }
    const other: Operand =
      'defresult' in node
        ? this.#operand(node.defresult)
        : { node: undefined, typed: { type: 'unknown', text: null, origins: [], nullable: true } };
    const all = [other, ...results];
    const isNeverNull = all.every(({ typed: { nullable } }) => nullable === false);
    return { ...unify(session, all, 'CASE'), ...(isNeverNull ? { nullable: false } : {}) };
  }

  #coalesce(node: Node): Typed {
    const operands = this.#operands(node.args);
    const isNeverNull = operands.some(({ typed: { nullable } }) => nullable === false);
    return { ...unify(this.#session, operands, 'COALESCE'), ...(isNeverNull ? { nullable: false } : {}) };
  }

  #row(node: Node): Typed {
    const fields = list(node.args).map((arg, index) => ({ ...this.type(arg), name: `f${index + 1}` }));
    const hasStar = list(node.args).some((arg) => hasColumnStar(arg));
    return { type: 'record', origins: originsOf(fields), ...(hasStar ? {} : { fields }), nullable: false };
  }

  /** `wanted` is the type of the elements where a cast says it. */
  #array(node: Node, wanted: TypeName | undefined): Typed {
    const session = this.#session;
    const operands = list(node.elements).map((element): Operand => {
      const inner = child(element, 'A_ArrayExpr');
      return inner === undefined
        ? this.#operand(element)
        : { node: element, typed: this.#array(inner, wanted) };
    });
    const parts = operands.map((operand) => operand.typed);
    if (wanted !== undefined) {
      for (const operand of operands) {
        if (child(operand.node, 'A_ArrayExpr') === undefined) give(session, operand, wanted);
      }
      return { ...typed(session.coercion.array(wanted), ...parts), nullable: false };
    }
    if (operands.length === 0) {
      session.report({
        code: 'TYPE_MISMATCH',
        message: 'cannot determine type of empty array. Cast it: ARRAY[]::integer[].',
        at: { A_ArrayExpr: node },
        location: number(node.location),
      });
      return unknown;
    }
    const common = unify(session, operands, 'ARRAY');
    const isNested = common.type !== undefined && session.coercion.element(common.type) !== undefined;
    const type = common.type === undefined || isNested ? common.type : session.coercion.array(common.type);
    return { type, origins: common.origins, nullable: false };
  }

  #indirection(node: Node, whole: Node): Typed {
    const value = this.type(node.arg);
    let at: Typed = value;
    const steps = list(node.indirection);
    for (let index = 0; index < steps.length; index++) {
      const field = child(steps[index], 'String');
      if (field !== undefined) {
        at = at.fields?.find(({ name }) => name === text(field.sval)) ?? { ...unknown, origins: at.origins };
        continue;
      }
      if (child(steps[index], 'A_Indices') === undefined) {
        return { ...unknown, origins: at.origins };
      }
      let isSlice = false;
      for (; index < steps.length; index++) {
        const own = child(steps[index], 'A_Indices');
        if (own === undefined) break;
        isSlice ||= own.is_slice === true;
        this.#subscript(at, own);
      }
      index--;
      at = this.#subscripted(at, isSlice, whole);
    }
    return at;
  }

  #subscript({ type }: Typed, indices: Node): void {
    for (const bound of [indices.lidx, indices.uidx]) {
      if (bound !== undefined) {
        const operand = this.#operand(bound);
        const given = operand.typed.type;
        if (type !== undefined && this.#session.coercion.element(type) !== undefined) {
          give(this.#session, operand, 'int4');
          if (given !== undefined && !this.#session.coercion.can(given, 'int4', 'assignment')) {
            this.#session.report({
              code: 'TYPE_MISMATCH',
              message: 'array subscript must have type integer.',
              at: bound,
            });
          }
        }
      }
    }
  }

  #subscripted(value: Typed, isSlice: boolean, whole: Node): Typed {
    const session = this.#session;
    const { type, origins } = value;
    const element = type === undefined ? undefined : session.coercion.element(type);
    if (type === undefined || type === 'unknown') {
      return { type: undefined, origins };
    }
    if (element !== undefined) {
      const plain = type === 'int2vector' ? '_int2' : type === 'oidvector' ? '_oid' : type;
      return { type: isSlice ? plain : element, origins };
    }
    if (type === 'jsonb' || subscripted.has(type)) {
      return { type: type === 'jsonb' ? 'jsonb' : undefined, origins };
    }
    session.report({
      code: 'TYPE_MISMATCH',
      message: `cannot subscript type ${session.coercion.shown(type)} because it does not support subscripting.${type === 'json' ? " Write value -> 'key'." : ''}`,
      at: whole,
    });
    return { type: undefined, origins };
  }

  #columnsOf(subquery: Node) {
    const select = child(child(subquery, 'subselect'), 'SelectStmt');
    return select === undefined ? undefined : this.#session.query(select, this.#level, this.#level.tables);
  }

  #subquery(node: Node, whole: Node): Typed {
    const session = this.#session;
    const columns = this.#columnsOf(node);
    const [only] = columns ?? [];
    switch (node.subLinkType) {
      case 'EXISTS_SUBLINK':
        return { type: 'bool', origins: [], nullable: false };
      case 'EXPR_SUBLINK':
      case 'ARRAY_SUBLINK': {
        if (columns !== undefined && columns.length !== 1) {
          session.report({
            code: 'SUBQUERY_COLUMNS',
            message: `subquery must return only one column, and this one returns ${columns.length}.`,
            at: whole,
            location: number(node.location),
          });
          return unknown;
        }
        if (only === undefined) return unknown;
        const { type, origins, fields } = only;
        if (node.subLinkType === 'EXPR_SUBLINK') {
          return { type, origins, ...(fields === undefined ? {} : { fields }) };
        }
        const isArray = type !== undefined && session.coercion.element(type) !== undefined;
        return {
          type: type === undefined || isArray ? type : session.coercion.array(type),
          origins,
          nullable: false,
        };
      }
      case 'ANY_SUBLINK':
      case 'ALL_SUBLINK': {
        const row = child(node.testexpr, 'RowExpr');
        const tests = row === undefined ? [node.testexpr] : list(row.args);
        this.#compareWithColumns(tests, columns, {
          node,
          subquery: node,
          operator: strings(node.operName)[0] ?? '=',
        });
        return { type: 'bool', origins: [] };
      }
      default:
        this.#doubt();
        return unknown;
    }
  }

  #compareWithColumns(
    tests: readonly unknown[],
    columns: ReturnType<Session['query']>,
    { node, subquery, operator }: { readonly node: Node; readonly subquery: Node; readonly operator: string },
  ): void {
    const session = this.#session;
    const operands = tests.map((test) => this.#operand(test));
    if (columns === undefined || tests.some(hasColumnStar)) return;
    if (columns.length !== operands.length) {
      const many = columns.length > operands.length ? 'many' : 'few';
      session.report({
        code: 'SUBQUERY_COLUMNS',
        message: `subquery has too ${many} columns: ${columns.length}, compared with ${operands.length}.`,
        at: { SubLink: subquery },
        location: number(subquery.location),
      });
      return;
    }
    for (const [index, left] of operands.entries()) {
      const right = { node: undefined, typed: columns[index] ?? unknown };
      operationType(session, {
        operator,
        left,
        right,
        node: { SubLink: node },
        location: number(node.location),
      });
    }
  }

  #collate(node: Node, whole: Node): Typed {
    const session = this.#session;
    const value = this.type(node.arg);
    const { type } = value;
    const element = type === undefined ? undefined : (session.coercion.element(type) ?? type);
    if (element !== undefined && element !== 'unknown' && session.coercion.category(element) !== 'S') {
      const fact = session.catalogue.type(element);
      if (fact?.kind === 'b' && element !== 'citext') {
        session.report({
          code: 'TYPE_MISMATCH',
          message: `collations are not supported by type ${session.coercion.shown(type ?? '')}. Leave COLLATE out.`,
          at: whole,
        });
      }
    }
    return value;
  }
}

/** A plain binary or prefix operator, of which chains are made. */
const isPlain = (node: Node): boolean => node.kind === 'AEXPR_OP';

const isRow = (node: unknown): boolean => child(node, 'RowExpr') !== undefined;

const names = (node: Node): readonly string[] => strings(node.name);

/** Types of fixed length that have subscripts of their own. */
const subscripted = new Set(['point', 'box', 'lseg', 'line', 'name']);

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
  const plain = value.replaceAll('_', '');
  if (!/^-?(?:\d+|0[xob][\da-f]+)$/i.test(plain)) {
    return 'numeric';
  }
  const isNegative = plain.startsWith('-');
  const size = BigInt(isNegative ? plain.slice(1) : plain);
  const number = isNegative ? -size : size;
  return number >= -2_147_483_648n && number <= 2_147_483_647n
    ? 'int4'
    : number >= -(2n ** 63n) && number < 2n ** 63n
      ? 'int8'
      : 'numeric';
}

function castRemedy(from: TypeName, to: TypeName): string {
  if (to === 'bool') return 'Compare it: ... <> 0.';
  if (from === 'bool') return 'Cast it to integer first.';
  if (/^timestamp|^date/.test(from) && /^(int|float|numeric)/.test(to)) {
    return 'Write extract(EPOCH FROM ...) for seconds.';
  }
  if (/^timestamp|^date/.test(to) && /^(int|float|numeric)/.test(from)) {
    return 'Write to_timestamp(seconds).';
  }
  return 'Cast it to text first, if its text reads as that.';
}

function hasColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasColumn);
  if (!isNode(value)) return false;
  for (const key in value) {
    if (key === 'ColumnRef') return true;
    if (hasColumn(value[key])) return true;
  }
  return false;
}

/** `t.*` or `(row).*` in place of a value. */
function hasColumnStar(node: unknown): boolean {
  const fields = list(child(node, 'ColumnRef')?.fields);
  const steps = list(child(node, 'A_Indirection')?.indirection);
  return [...fields, ...steps].some((part) => child(part, 'A_Star') !== undefined);
}
