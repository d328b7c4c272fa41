/** The type of what a function gives, and what is wrong with the call. */
import { child, list, strings, type Node } from '../tree/parse-tree.ts';
import type { FunctionFact, TypeName } from './catalogue.ts';
import { chooseFunction, type CalledFunction } from './candidates.ts';
import { isPolymorphic } from './coercion.ts';
import { give, wantBoolean, type Operand } from './conversions.ts';
import { replacementOf } from './foreign-names.ts';
import { bindPolymorphic } from './polymorphic.ts';
import {
  originsOf,
  typed,
  unknown,
  type Column,
  type Level,
  type Seen,
  type Session,
  type Typed,
} from './typing.ts';

/** What a call is typed with: how its arguments are typed is not known here. */
export interface CallContext {
  readonly session: Session;
  readonly level: Level;
  operand(node: unknown): Operand;
  /** In a clause of its own. */
  inClause<T>(clause: Level['clause'], run: () => T): T;
  sortBy(node: unknown): Operand;
  window(node: Node): void;
}

export interface Called extends Typed {
  /** Of a function that gives rows: its columns. */
  readonly columns?: readonly Column[];
  /** What a function in FROM calls its one column, where that has a name of its own. */
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
  const seen: Seen = { levels: new Set(), aggregates: new Set(), isUncertain: false };
  // Outside of calls that may be aggregates nobody asks which columns there are.
  if (isAggregate) session.aggregate = seen;
  const given = readArguments(context, call);
  session.aggregate = before;
  if (isAggregate) {
    checkAggregate(context, call, name, seen);
  }
  const over = child(call, 'over');
  if (over !== undefined) {
    context.window(over);
  }
  if (facts.length === 0) {
    unknownFunction(session, call, names, given);
    return typed(undefined, ...given.operands.map((operand) => operand.typed));
  }
  return resolve(context, call, { name, facts, given });
}

interface Arguments {
  readonly operands: readonly Operand[];
  readonly names: readonly string[];
  readonly isVariadic: boolean;
}

function readArguments(context: CallContext, call: Node): Arguments {
  const names: string[] = [];
  const operands = list(call.args).map((arg) => {
    const named = child(arg, 'NamedArgExpr');
    if (named !== undefined) {
      names.push(typeof named.name === 'string' ? named.name : '');
    }
    return context.operand(named === undefined ? arg : named.arg);
  });
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
  // None is undefined here.
  const known = types as readonly TypeName[];
  const found = chooseFunction(session.coercion, facts, {
    types: known,
    names: given.names,
    isVariadic: given.isVariadic,
  });
  const isPlain =
    found === undefined || found === 'several' || found.args.some((arg, index) => arg !== known[index]);
  const coerced = isPlain ? asCast(session, name, given) : undefined;
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
  return { ...own, origins: originsOf(parts), ...neverNull(found.fact) };
}

/** `count` gives 0 where there is nothing. */
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

/** A type's name as a function: `date('2026-01-31')`. */
function asCast(session: Session, name: string, given: Arguments): Called | undefined {
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
  const isBinary = source === target.name || session.catalogue.cast(source, target.name) !== undefined;
  const byText = session.coercion.category(target.name) === 'S' || session.coercion.category(source) === 'S';
  if (
    source !== 'unknown' &&
    (source === 'record' || isBinary || !byText || !session.coercion.hasPath(source, target.name, 'explicit'))
  ) {
    return undefined;
  }
  give(session, operand, target.name);
  return typed(target.name, operand.typed);
}

/** The result, where all functions of the name that take so many arguments have the same. */
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
  }
  // Somebody's own function of the name would be for types of their own: what is undeclared is left open.
  const isCertain =
    results.size === 1 && !isPolymorphic(only.result) && only.result !== 'record' && only.result !== 'void';
  return { type: isCertain ? only.result : undefined, origins, ...neverNull(only) };
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
      message: `function ${types} does not exist in PostgreSQL. Write ${instead}.`,
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
  const known = signatures.length > 4 ? '' : ` It takes (${signatures.join(') or (')}).`;
  const instead = replacementOf(name);
  session.report({
    code: 'TYPE_MISMATCH',
    message:
      why === 'several'
        ? `function ${own} is not unique. Cast its arguments, so that PostgreSQL knows which is meant.`
        : `function ${own} does not exist.${instead === undefined ? known : ` Write ${instead}.`}`,
    at: { FuncCall: call },
    ...locationOf(call),
  });
}

/** Aggregates, window functions and plain ones have words of their own that others do not take. */
function checkUse(session: Session, call: Node, { name, kind, orderedSet }: FunctionFact): boolean {
  const say = (message: string): true => {
    session.report({ code: 'AGGREGATE_MISUSE', message, at: { FuncCall: call }, ...locationOf(call) });
    return true;
  };
  const hasOver = 'over' in call;
  if (kind === 'window' && !hasOver) {
    return say(`window function ${name} requires an OVER clause. Write ${name}(...) OVER (ORDER BY ...).`);
  }
  if (kind === 'function' && hasOver) {
    return say(
      `OVER specified, but ${name} is not a window function nor an aggregate function. Leave OVER out.`,
    );
  }
  if (kind === 'function' && call.agg_distinct === true) {
    return say(`DISTINCT specified, but ${name} is not an aggregate function. Leave DISTINCT out.`);
  }
  if (kind === 'function' && 'agg_filter' in call) {
    return say(`FILTER specified, but ${name} is not an aggregate function. Write CASE WHEN instead.`);
  }
  if (kind === 'function' && 'agg_order' in call) {
    return say(`ORDER BY specified, but ${name} is not an aggregate function. Leave ORDER BY out.`);
  }
  if (kind === 'aggregate' && orderedSet !== undefined && call.agg_within_group !== true) {
    return say(
      `WITHIN GROUP is required for ordered-set aggregate ${name}. Write ${name}(...) WITHIN GROUP (ORDER BY ...).`,
    );
  }
  if (kind === 'aggregate' && orderedSet === undefined && call.agg_within_group === true) {
    return say(
      `${name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP. Write ORDER BY in its parentheses.`,
    );
  }
  if (kind === 'window' && call.agg_distinct === true) {
    return say('DISTINCT is not implemented for window functions.');
  }
  return false;
}

/** An aggregate is of the innermost query that its columns are of. */
function checkAggregate({ session, level }: CallContext, call: Node, name: string, seen: Seen): void {
  const outer = session.aggregate;
  if (seen.isUncertain) {
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
  outer?.aggregates.add(owner);
  const say = (code: 'AGGREGATE_MISUSE' | 'AGGREGATE_IN_WHERE', message: string): void => {
    session.report({ code, message, at: { FuncCall: call }, ...locationOf(call) });
  };
  if (seen.aggregates.has(owner)) {
    say(
      'AGGREGATE_MISUSE',
      'aggregate function calls cannot be nested. Compute the inner one in a subquery.',
    );
  } else if (owner.clause === 'WHERE') {
    say('AGGREGATE_IN_WHERE', 'aggregate functions are not allowed in WHERE. Write the condition in HAVING.');
  } else if (noAggregates.has(owner.clause)) {
    say(
      'AGGREGATE_MISUSE',
      `aggregate functions are not allowed in ${owner.clause}. Compute ${name} in a subquery.`,
    );
  }
}

const noAggregates: ReadonlySet<Level['clause']> = new Set([
  'JOIN conditions',
  'GROUP BY',
  'FILTER',
  'LIMIT',
  'OFFSET',
  'VALUES',
]);
