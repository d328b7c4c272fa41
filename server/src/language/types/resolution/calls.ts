/** Determines the result type of a function call, and its errors. */
import { t } from '../../../../../core/src/util/texts.ts';
import { child, isNode, list, strings, type Node } from '../../tree/parse-tree.ts';
import type { FunctionFact, TypeName } from '../catalogue/catalogue.ts';
import { chooseFunction, type CalledFunction } from './candidates.ts';
import { isPolymorphic } from './coercion.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { give, wantBoolean, type Operand } from './conversions.ts';
import { replacementOf } from '../catalogue/foreign-names.ts';
import { bindPolymorphic } from './polymorphic.ts';
import { SimilarExpressions } from './similar-expressions.ts';
import {
  originsOf,
  typed,
  unknown,
  type Column,
  type Level,
  type Seen,
  type Session,
  type Typed,
} from '../typing.ts';

/** The context for typing a call, including functions that type its parts. */
export interface CallContext {
  readonly session: Session;
  readonly level: Level;
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
  const facts = isOwn ? session.catalogue.functions(name) : [];
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
  if (parts !== undefined) {
    checkAggregate(context, call, name, parts);
  }
  const over = child(call, 'over');
  if (over !== undefined) {
    checkWindowPlace(context, call);
    context.window(over);
  }
  if (facts.some(({ givesSet }) => givesSet)) {
    checkSetPlace(context, call);
  }
  if (facts.length === 0) {
    unknownFunction(session, call, names, given);
    return typed(undefined, ...given.operands.map((operand) => operand.typed));
  }
  return resolve(context, call, { name, facts, given });
}

interface AggregateParts {
  readonly seen: Seen;
  readonly direct: Seen;
}

/** Arguments before WITHIN GROUP do not determine the query that the aggregate belongs to. */
function aggregateParts(level: Level, call: Node): AggregateParts {
  const seen = newSeen(level);
  return { seen, direct: call.agg_within_group === true ? newSeen(level) : seen };
}

const newSeen = (level: Level): Seen => ({
  level,
  levels: new Set(),
  aggregates: new Set(),
  isUncertain: false,
});

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
    }
    return context.operand(named === undefined ? arg : named.arg);
  });
  if (parts !== undefined) context.session.aggregate = parts.seen;
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
  if (types.includes(undefined)) {
    return withHints(session, facts, given);
  }
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
  if (coerced !== undefined) {
    return coerced;
  }
  if (found === undefined || found === 'several') {
    const isFirstRow = known.some((type) => type === 'record');
    if (!session.catalogue.isExtensionFunction(name) && !isFirstRow) {
      refuse(session, call, { name, facts, given, why: found });
    }
    return typed(undefined, ...parts);
  }
  const own = settle(session, found, given);
  if (!given.isVariadic) {
    checkConstantArguments({ session, name, args: found.args, operands: given.operands });
  }
  return { ...own, origins: originsOf(parts), ...neverNull(found.fact) };
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
  if (only === undefined || fitting.some(({ outputs }) => outputs.length > 0)) {
    return { ...unknown, origins };
  }
  if (fitting.length === 1) {
    given.operands.forEach((operand, index) => {
      const type = only.args[index];
      if (type !== undefined && !isPolymorphic(type) && !only.isVariadic) {
        give(session, operand, type);
      }
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
    if (own.placeholder !== undefined && type !== undefined && !isPolymorphic(type)) {
      session.used(own.placeholder, type);
    }
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
      message: `function ${types} does not exist in PostgreSQL. ${t('Write {0}.', instead)}`,
      at: { FuncCall: call },
      ...locationOf(call),
    });
  }
}

const locationOf = (call: Node): { location?: number } =>
  typeof call.location === 'number' ? { location: call.location } : {};

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
  const instead = replacementOf(name);
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

/**
 * Checks that OVER, FILTER, DISTINCT and similar clauses fit the kind of function. Returns true if it reports an error.
 */
function checkUse(session: Session, call: Node, { name, kind, orderedSet }: FunctionFact): boolean {
  const say = (message: string): true => {
    session.report({ code: 'AGGREGATE_MISUSE', message, at: { FuncCall: call }, ...locationOf(call) });
    return true;
  };
  const hasOver = 'over' in call;
  if (kind === 'window' && !hasOver) {
    return say(
      `window function ${name} requires an OVER clause. ${t('Write {0}.', `${name}(...) OVER (ORDER BY ...)`)}`,
    );
  }
  if (kind === 'function' && hasOver) {
    return say(
      `OVER specified, but ${name} is not a window function nor an aggregate function. ${t('Leave {0} out.', 'OVER')}`,
    );
  }
  if (kind === 'function' && call.agg_distinct === true) {
    return say(
      `DISTINCT specified, but ${name} is not an aggregate function. ${t('Leave {0} out.', 'DISTINCT')}`,
    );
  }
  if (kind === 'function' && 'agg_filter' in call) {
    return say(
      `FILTER specified, but ${name} is not an aggregate function. ${t('Write {0} instead.', 'CASE WHEN')}`,
    );
  }
  if (kind === 'function' && 'agg_order' in call) {
    return say(
      `ORDER BY specified, but ${name} is not an aggregate function. ${t('Leave {0} out.', 'ORDER BY')}`,
    );
  }
  if (kind === 'aggregate' && orderedSet !== undefined && call.agg_within_group !== true) {
    return say(
      `WITHIN GROUP is required for ordered-set aggregate ${name}. ${t('Write {0}.', `${name}(...) WITHIN GROUP (ORDER BY ...)`)}`,
    );
  }
  if (kind === 'aggregate' && orderedSet === undefined && call.agg_within_group === true) {
    return say(
      `${name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP. ${t('Write {0} in its parentheses.', 'ORDER BY')}`,
    );
  }
  if (kind === 'aggregate' && name === 'count' && list(call.args).length === 0 && call.agg_star !== true) {
    return say(
      `count(*) must be used to call a parameterless aggregate function. ${t('Write {0}.', 'count(*)')}`,
    );
  }
  if (kind === 'aggregate' && call.agg_distinct === true && hasOtherSort(session, call)) {
    return say(
      `in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list. ${t('Sort by an argument, or leave {0} out.', 'ORDER BY')}`,
    );
  }
  if (kind === 'window' && call.agg_distinct === true) {
    return say('DISTINCT is not implemented for window functions.');
  }
  return false;
}

function hasOtherSort(session: Session, call: Node): boolean {
  const args = new SimilarExpressions(session, list(call.args));
  return list(call.agg_order).some((entry) => {
    const node = child(entry, 'SortBy')?.node;
    return isNode(node) && !args.mayHave(node);
  });
}

function misplaced(session: Session, call: Node, message: string): void {
  session.report({
    code: 'AGGREGATE_MISUSE',
    message: `${message} ${t('Compute it in a subquery.')}`,
    at: { FuncCall: call },
    ...locationOf(call),
  });
}

/** Reports window functions in clauses that run before them, such as filters and groups. */
function checkWindowPlace({ session, level }: CallContext, call: Node): void {
  if (session.aggregate?.level === level) {
    misplaced(session, call, 'aggregate function calls cannot contain window function calls.');
  } else if (noWindows.has(level.clause)) {
    const place = windowPlaces[level.clause] ?? level.clause;
    misplaced(session, call, `window functions are not allowed in ${place}.`);
  }
}

function checkSetPlace({ session, level }: CallContext, call: Node): void {
  level.sets++;
  if (noSets.has(level.clause)) {
    misplaced(session, call, `set-returning functions are not allowed in ${level.clause}.`);
  }
}

/** Determines an aggregate's query, which is the innermost query whose columns it uses, and reports misuse. */
function checkAggregate(
  { session, level }: CallContext,
  call: Node,
  name: string,
  { seen, direct }: AggregateParts,
): void {
  const outer = session.aggregate;
  if (seen.isUncertain || direct.isUncertain) {
    if (outer !== undefined) outer.isUncertain = true;
    for (let at: Level | undefined = level; at !== undefined; at = at.parent) at.isUncertain = true;
    return;
  }
  const reached = [...seen.levels, ...seen.aggregates].filter(({ depth }) => depth <= level.depth);
  const owner =
    reached.reduce<Level | undefined>(
      (deepest, own) => (deepest === undefined || own.depth > deepest.depth ? own : deepest),
      undefined,
    ) ?? level;
  owner.hasAggregates = true;
  for (const { levels, aggregates } of new Set([seen, direct])) {
    for (const own of levels) outer?.levels.add(own);
    for (const own of aggregates) outer?.aggregates.add(own);
  }
  outer?.aggregates.add(owner);
  const say = (code: 'AGGREGATE_MISUSE' | 'AGGREGATE_IN_WHERE', message: string): void => {
    session.report({ code, message, at: { FuncCall: call }, ...locationOf(call) });
  };
  const isLower = ({ depth }: Level): boolean => depth > owner.depth && depth <= level.depth;
  if (direct !== seen && [...direct.levels].some(isLower)) {
    say(
      'AGGREGATE_MISUSE',
      `outer-level aggregate cannot contain a lower-level variable in its direct arguments. ${t('Compute it in a subquery.')}`,
    );
  } else if (seen.aggregates.has(owner) || direct.aggregates.has(owner)) {
    say(
      'AGGREGATE_MISUSE',
      `aggregate function calls cannot be nested. ${t('Compute the inner one in a subquery.')}`,
    );
  } else if (owner.clause === 'WHERE') {
    say(
      'AGGREGATE_IN_WHERE',
      `aggregate functions are not allowed in WHERE. ${t('Write the condition in HAVING.')}`,
    );
  } else if (noAggregates.has(owner.clause)) {
    const place =
      owner.clause !== 'FROM'
        ? owner.clause
        : owner === level
          ? 'functions in FROM'
          : 'FROM clause of their own query level';
    say(
      'AGGREGATE_MISUSE',
      `aggregate functions are not allowed in ${place}. ${t('Compute {0} in a subquery.', name)}`,
    );
  }
}

const noAggregates: ReadonlySet<Level['clause']> = new Set([
  'FROM',
  'JOIN conditions',
  'GROUP BY',
  'FILTER',
  'LIMIT',
  'OFFSET',
  'VALUES',
]);

const noSets: ReadonlySet<Level['clause']> = new Set([
  'WHERE',
  'JOIN conditions',
  'HAVING',
  'LIMIT',
  'OFFSET',
  'FILTER',
]);
const noWindows: ReadonlySet<Level['clause']> = new Set([...noSets, 'GROUP BY', 'VALUES', 'WINDOW', 'FROM']);
const windowPlaces: Partial<Readonly<Record<Level['clause'], string>>> = {
  WINDOW: 'window definitions',
  FROM: 'functions in FROM',
};
