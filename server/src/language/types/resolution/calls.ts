/** Determines the result type of a function call, and its errors. */
import { t } from '#base/texts.ts';
import { child, list, strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { FunctionFact, TypeName } from '../catalogue/catalogue.ts';
import { replacementOf, replacementOfCall } from '../catalogue/foreign-names.ts';
import { originsOf, typed, unknown, type Column, type Level, type Session, type Typed } from '../typing.ts';
import {
  aggregateParts,
  checkAggregate,
  checkSetPlace,
  checkUse,
  checkWindowPlace,
  locationOf,
  misplaced,
  type AggregateParts,
  type CallPlace,
} from './call-places.ts';
import { chooseFunction, type CalledFunction } from './candidates.ts';
import { isPolymorphic } from './coercion.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { give, unify, wantBoolean, type Operand } from './conversions.ts';
import { orderable } from './orderable.ts';
import { bindPolymorphic } from './polymorphic.ts';

/** The context for typing a call, including functions that type its parts. */
export interface CallContext extends CallPlace {
  operand(node: unknown): Operand;
  /** Calls `run` with the level's clause temporarily replaced. */
  inClause<T>(clause: Level['clause'], run: () => T): T;
  sortBy(node: unknown): Operand;
  window(node: Node): void;
}

export interface Called extends Typed {
  /** The columns of a function that returns rows. */
  readonly columns?: readonly Column[];
  /** The function's own name for its single column in FROM, if it has one. */
  readonly outputName?: string;
}

export function callType(context: CallContext, call: Node): Called {
  const { session } = context;
  const names = strings(call.funcname);
  const name = names.at(-1) ?? '';
  const isOwn = names.length === 1 || names[0] === 'pg_catalog';
  const facts = isOwn ? meantFacts(session.catalogue.functions(name), call) : [];
  const isAggregate = facts.some(({ kind }) => kind === 'aggregate') && !('over' in call);
  const before = session.aggregate;
  // Only a possible aggregate needs to record the columns it uses.
  const parts = isAggregate ? aggregateParts(context.level, call) : undefined;
  const sets = context.level.sets;
  const given = readArguments(context, call, parts);
  session.aggregate = before;
  if ((isAggregate || 'over' in call) && context.level.sets > sets) {
    const what = isAggregate ? 'aggregate' : 'window';
    misplaced(session, call, `${what} function calls cannot contain set-returning function calls.`);
  }
  if (parts !== undefined) checkAggregate(context, call, name, parts);
  const over = child(call, 'over');
  if (over !== undefined) {
    checkWindowPlace(context, call);
    context.window(over);
  }
  if (facts.some(({ givesSet }) => givesSet)) checkSetPlace(context, call);
  if (facts.length === 0) {
    unknownFunction(session, call, names, given);
    return typed(undefined, ...given.operands.map((operand) => operand.typed));
  }
  return resolve(context, call, { name, facts, given });
}

/** `rank()` is a window function, and `rank(1) WITHIN GROUP (...)` an aggregate. */
function meantFacts(facts: readonly FunctionFact[], call: Node): readonly FunctionFact[] {
  const isRanking =
    facts.some(({ kind }) => kind === 'window') && facts.some(({ orderedSet }) => orderedSet !== undefined);
  if (!isRanking) return facts;
  const isWindow = list(call.args).length === 0 && call.agg_within_group !== true;
  return facts.filter(({ kind }) => (kind === 'window') === isWindow);
}

interface Arguments {
  readonly operands: readonly Operand[];
  readonly names: readonly string[];
  readonly isVariadic: boolean;
}

function readArguments(context: CallContext, call: Node, parts: AggregateParts | undefined): Arguments {
  const names: string[] = [];
  if (parts !== undefined) context.session.aggregate = parts.direct;
  const operands = list(call.args).map((arg) => {
    const named = child(arg, 'NamedArgExpr');
    if (named !== undefined) {
      names.push(typeof named.name === 'string' ? named.name : '');
    } else if (names.length > 0) {
      const message = 'positional argument cannot follow named argument.';
      context.session.report({ code: 'INVALID_CLAUSE', message, at: arg });
    }
    return context.operand(named === undefined ? arg : named.arg);
  });
  if (parts !== undefined) context.session.aggregate = parts.seen;
  if (call.agg_distinct === true) {
    for (const { node, typed: own } of operands) orderable(context.session, node, own.type, 'equality');
  }
  const sorted = list(call.agg_order).map((entry) => context.sortBy(entry));
  if ('agg_filter' in call) {
    const filter = context.inClause('FILTER', () => context.operand(call.agg_filter));
    wantBoolean(context.session, filter, 'FILTER');
  }
  return {
    operands: call.agg_within_group === true ? [...operands, ...sorted] : operands,
    names,
    isVariadic: call.func_variadic === true,
  };
}

function resolve(
  context: CallContext,
  call: Node,
  { name, facts, given }: { name: string; facts: readonly FunctionFact[]; given: Arguments },
): Called {
  const { session } = context;
  const parts = given.operands.map((operand) => operand.typed);
  const types = parts.map(({ type }) => type);
  const [first] = facts;
  if (
    first !== undefined &&
    facts.every(
      ({ kind, orderedSet }) =>
        kind === first.kind && (orderedSet === undefined) === (first.orderedSet === undefined),
    )
  ) {
    if (checkUse(session, call, first)) return typed(undefined, ...parts);
  }
  if (checkVariadic(session, facts, given) || checkHypothetical(session, call, name, facts))
    return typed(undefined, ...parts);
  if (types.includes(undefined)) return withHints(session, facts, given);
  // checked above: none is undefined
  const known = types as readonly TypeName[];
  const found = chooseFunction(session.coercion, facts, {
    types: known,
    names: given.names,
    isVariadic: given.isVariadic,
  });
  const isPlain =
    found === undefined || found === 'several' || found.args.some((arg, index) => arg !== known[index]);
  const coerced = isPlain ? asCast(session, name, given, found === undefined) : undefined;
  if (coerced !== undefined) return coerced;
  if (found === undefined || found === 'several') {
    // Overloads of extensions take types of their own.
    const isFirstRow = known.some((type) => type === 'record');
    if (!isFirstRow) refuse(session, call, { name, facts, given, why: found });
    return typed(undefined, ...parts);
  }
  if (isUndetermined(found, known)) {
    session.report({
      code: 'TYPE_MISMATCH',
      message: `could not determine polymorphic type because input has type unknown. ${t('Cast the argument to its type.')}`,
      at: { FuncCall: call },
      ...locationOf(call),
    });
    return typed(undefined, ...parts);
  }
  const own = settle(session, found, given);
  if (found.fact.orderedSet?.kind === 'h') unifyHypothetical(session, call, given);
  if (name === 'pg_collation_for') wantCollation(session, given.operands[0]);
  if (!given.isVariadic)
    checkConstantArguments({ session, name, args: found.args, operands: given.operands });
  return { ...own, origins: originsOf(parts), ...neverNull(found.fact) };
}

/** COLLATION FOR needs a value that is compared as text, or an array of such values. */
function wantCollation(session: Session, operand: Operand | undefined): void {
  const { coercion, catalogue } = session;
  const type = operand?.typed.type ?? 'unknown';
  const element = coercion.element(type) ?? type;
  if (catalogue.type(element)?.kind !== 'b' || element === 'unknown' || coercion.category(element) === 'S')
    return;
  session.report({
    code: 'TYPE_MISMATCH',
    message: `collations are not supported by type ${coercion.shown(type)}.`,
    at: operand?.node,
  });
}

/** Returns whether only untyped literals stand for a type that the arguments determine. */
function isUndetermined({ args }: CalledFunction, given: readonly TypeName[]): boolean {
  const decisive = args.flatMap((arg, index) => (isSameType(arg) ? [given[index]] : []));
  return decisive.length > 0 && decisive.every((type) => type === 'unknown');
}

/** The types of the family of `anycompatible` are text, if nothing else is known. */
const isSameType = (type: TypeName): boolean => isPolymorphic(type) && !type.startsWith('anycompatible');

/** VARIADIC passes an array to a function that takes any arguments. */
function checkVariadic(session: Session, facts: readonly FunctionFact[], given: Arguments): boolean {
  const last = given.operands.at(-1);
  const type = last?.typed.type;
  const variadic = facts.filter(({ isVariadic }) => isVariadic);
  const isWrong =
    given.isVariadic &&
    type !== undefined &&
    session.coercion.element(type) === undefined &&
    variadic.length > 0 &&
    variadic.every(({ args }) => args.at(-1) === 'any');
  if (isWrong)
    session.report({ code: 'TYPE_MISMATCH', message: 'VARIADIC argument must be an array.', at: last?.node });
  return isWrong;
}

/** `rank(1) WITHIN GROUP (ORDER BY a)` has a value for each sort expression. */
function checkHypothetical(
  session: Session,
  call: Node,
  name: string,
  facts: readonly FunctionFact[],
): boolean {
  const [values, sorts] = [list(call.args).length, list(call.agg_order).length];
  const isWrong =
    call.agg_within_group === true &&
    values !== sorts &&
    facts.length > 0 &&
    facts.every(({ orderedSet }) => orderedSet?.kind === 'h');
  if (isWrong)
    session.report({
      code: 'TYPE_MISMATCH',
      message: `function ${name} does not exist for these arguments: ${t('Expected {0}, found {1}.', sorts, values)}`,
      at: { FuncCall: call },
      ...locationOf(call),
    });
  return isWrong;
}

/** Each value before WITHIN GROUP has the type of its sort expression. */
function unifyHypothetical(session: Session, call: Node, { operands }: Arguments): void {
  const count = list(call.agg_order).length;
  const sorts = operands.slice(-count);
  for (const [index, sort] of sorts.entries()) {
    const value = operands[operands.length - 2 * count + index];
    if (value !== undefined) unify(session, [sort, value], 'WITHIN GROUP');
  }
}

/** Without rows, `count` returns 0 rather than NULL. */
const neverNull = ({ name, kind }: FunctionFact): { nullable?: false } =>
  (kind === 'aggregate' && name === 'count') ||
  (kind === 'window' && /^(row_number|rank|dense_rank|ntile|cume_dist|percent_rank)$/.test(name)) ||
  (kind === 'function' && /^(now|clock_timestamp|gen_random_uuid|random|concat)$/.test(name))
    ? { nullable: false }
    : {};

function settle(session: Session, { fact, args }: CalledFunction, { operands }: Arguments): Called {
  const types = operands.map((operand) => operand.typed.type ?? 'unknown');
  const bound = args.some(isPolymorphic) ? bindPolymorphic(session.coercion, args, types) : undefined;
  const meant = (type: TypeName): TypeName | undefined => (isPolymorphic(type) ? bound?.of(type) : type);
  operands.forEach((operand, index) => give(session, operand, meant(args[index] ?? '')));
  const type = meant(fact.result);
  const [only] = fact.outputs;
  if (fact.outputs.length <= 1) {
    const fields = type === 'record' ? operands[0]?.typed.fields : undefined;
    return {
      type,
      origins: [],
      ...(only === undefined ? {} : { outputName: only.name }),
      ...(fields === undefined ? {} : { fields }),
    };
  }
  const origins = originsOf(operands.map((operand) => operand.typed));
  const columns = fact.outputs.map((output) => ({ name: output.name, type: meant(output.type), origins }));
  return { type: 'record', fields: columns, columns, origins };
}

/** Handles a type name called as a function, such as `date('2026-01-31')`. */
function asCast(session: Session, name: string, given: Arguments, isAlone: boolean): Called | undefined {
  const [operand] = given.operands;
  const target = session.catalogue.type(name);
  const source = operand?.typed.type;
  if (
    given.operands.length !== 1 ||
    operand === undefined ||
    target === undefined ||
    source === undefined ||
    target.kind === 'p'
  ) {
    return undefined;
  }
  const isSame = source === target.name;
  // Without a function named after the type, the call must be a binary cast.
  const isBinary = session.catalogue.cast(source, target.name) !== undefined;
  const byText = session.coercion.category(target.name) === 'S' || session.coercion.category(source) === 'S';
  if (
    source !== 'unknown' &&
    !isSame &&
    !(isBinary && isAlone) &&
    (source === 'record' || isBinary || !byText || !session.coercion.hasPath(source, target.name, 'explicit'))
  ) {
    return undefined;
  }
  give(session, operand, target.name);
  return typed(target.name, operand.typed);
}

/** Returns the result type if all overloads with this number of arguments agree. */
function withHints(session: Session, facts: readonly FunctionFact[], given: Arguments): Called {
  const count = given.operands.length;
  const fitting = facts.filter(
    ({ args, defaults, isVariadic }) =>
      (isVariadic && count >= args.length - 1) || (count <= args.length && count >= args.length - defaults),
  );
  const [only] = fitting;
  const results = new Set(fitting.map(({ result }) => result));
  const origins = originsOf(given.operands.map((operand) => operand.typed));
  if (only === undefined || fitting.some(({ outputs }) => outputs.length > 0)) return { ...unknown, origins };
  if (fitting.length === 1) {
    given.operands.forEach((operand, index) => {
      const type = only.args[index];
      if (type !== undefined && !isPolymorphic(type) && !only.isVariadic) give(session, operand, type);
    });
  } else {
    hintArguments(session, facts, given);
  }
  // A user-defined function of the same name may accept user-defined types, so unknown types suppress findings.
  // `name(x)` may also be a field of a row.
  const mayBeField = count === 1 && session.catalogue.type(only.name) !== undefined;
  const isCertain =
    results.size === 1 &&
    !mayBeField &&
    !isPolymorphic(only.result) &&
    only.result !== 'record' &&
    only.result !== 'void';
  return { type: isCertain ? only.result : undefined, origins, ...neverNull(only) };
}

/** Placeholders take the types that literals would have there; the call's result stays unknown. */
function hintArguments(session: Session, facts: readonly FunctionFact[], given: Arguments): void {
  const { operands, names, isVariadic } = given;
  const types = operands.flatMap(({ typed: { type, placeholder } }) =>
    placeholder === undefined ? (type ?? []) : ['unknown'],
  );
  const found =
    types.length === operands.length
      ? chooseFunction(session.coercion, facts, { types, names, isVariadic })
      : undefined;
  if (found === undefined || found === 'several') return;
  for (const [index, { typed: own }] of operands.entries()) {
    const type = found.args[index];
    if (own.placeholder !== undefined && type !== undefined && !isPolymorphic(type))
      session.used(own.placeholder, type);
  }
}

function written(session: Session, name: string, { operands }: Arguments): string {
  return `${name}(${operands.map((operand) => session.coercion.shown(operand.typed.type ?? 'unknown')).join(', ')})`;
}

function unknownFunction(session: Session, call: Node, names: readonly string[], given: Arguments): void {
  const [name = ''] = names;
  const instead = names.length === 1 ? replacementOf(name) : undefined;
  if (instead !== undefined && !session.catalogue.isExtensionFunction(name)) {
    const types = given.operands.some((operand) => operand.typed.type === undefined)
      ? name
      : written(session, name, given);
    session.report({
      code: 'FOREIGN_FUNCTION',
      message: t('function {0} does not exist in PostgreSQL. Write {1}.', types, instead),
      at: { FuncCall: call },
      ...locationOf(call),
    });
  }
}

function refuse(
  session: Session,
  call: Node,
  {
    name,
    facts,
    given,
    why,
  }: {
    readonly name: string;
    readonly facts: readonly FunctionFact[];
    readonly given: Arguments;
    readonly why: 'several' | undefined;
  },
): void {
  const own = written(session, name, given);
  const plain = facts.filter(({ args }) => !args.some(isPolymorphic));
  const signatures = [
    ...new Set(
      (plain.length > 0 ? plain : facts).map(({ args }) =>
        args.map((arg) => session.coercion.shown(arg)).join(', '),
      ),
    ),
  ];
  const known =
    signatures.length > 4
      ? ''
      : ` ${t(
          'It takes {0}.',
          signatures.map((each) => `(${each})`).reduce((one, other) => t('{0} or {1}', one, other)),
        )}`;
  const categories = given.operands.map(({ typed: own }) => session.coercion.category(own.type ?? ''));
  const instead = replacementOfCall(name, categories) ?? replacementOf(name);
  session.report({
    code: 'TYPE_MISMATCH',
    message:
      why === 'several'
        ? `function ${own} is not unique. ${t('Cast its arguments, so that PostgreSQL knows which is meant.')}`
        : `function ${own} does not exist.${instead === undefined ? known : ` ${t('Write {0}.', instead)}`}`,
    at: { FuncCall: call },
    ...locationOf(call),
  });
}
