/** Checks that a call may stand where it is, and that its clauses fit its kind of function. */
import { t } from '#base/texts.ts';
import { child, isNode, list, type Node } from '#server/language/tree/parse-tree.ts';
import type { FunctionFact } from '../catalogue/catalogue.ts';
import type { Level, Seen, Session } from '../typing.ts';
import { SimilarExpressions } from './similar-expressions.ts';

export interface CallPlace {
  readonly session: Session;
  readonly level: Level;
}

export interface AggregateParts {
  readonly seen: Seen;
  readonly direct: Seen;
}

/** Arguments before WITHIN GROUP do not determine the query that the aggregate belongs to. */
export function aggregateParts(level: Level, call: Node): AggregateParts {
  const seen = newSeen(level);
  return { seen, direct: call.agg_within_group === true ? newSeen(level) : seen };
}

const newSeen = (level: Level): Seen => ({
  level,
  levels: new Set(),
  aggregates: new Set(),
  isUncertain: false,
});

/** Returns the call's byte offset, if it is known. */
export const locationOf = (call: Node): { location?: number } =>
  typeof call.location === 'number' ? { location: call.location } : {};

/**
 * Checks that OVER, FILTER, DISTINCT and similar clauses fit the kind of function. Returns true if it reports an error.
 */
export function checkUse(session: Session, call: Node, { name, kind, orderedSet }: FunctionFact): boolean {
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
  const overMistake = hasOver ? mistakeWithOver(call, { name, kind, orderedSet }) : undefined;
  return overMistake !== undefined && say(overMistake);
}

/** What PostgreSQL cannot combine with OVER, for a window function or an aggregate. */
function mistakeWithOver(
  call: Node,
  { name, kind, orderedSet }: Pick<FunctionFact, 'name' | 'kind' | 'orderedSet'>,
): string | undefined {
  if (orderedSet !== undefined)
    return `OVER is not supported for ordered-set aggregate ${name}. ${t('Compute it in a subquery.')}`;
  if (call.agg_distinct === true)
    return `DISTINCT is not implemented for window functions. ${t('Compute it in a subquery.')}`;
  if ('agg_order' in call)
    return `aggregate ORDER BY is not implemented for window functions. ${t('Write {0} instead.', `${name}(...) OVER (ORDER BY ...)`)}`;
  if (kind === 'window' && 'agg_filter' in call)
    return `FILTER is not implemented for non-aggregate window functions. ${t('Leave {0} out.', 'FILTER')}`;
  return undefined;
}

function hasOtherSort(session: Session, call: Node): boolean {
  const args = new SimilarExpressions(session, list(call.args));
  return list(call.agg_order).some((entry) => {
    const node = child(entry, 'SortBy')?.node;
    return isNode(node) && !args.mayHave(node);
  });
}

export function misplaced(session: Session, call: Node, message: string): void {
  session.report({
    code: 'AGGREGATE_MISUSE',
    message: `${message} ${t('Compute it in a subquery.')}`,
    at: { FuncCall: call },
    ...locationOf(call),
  });
}

/** Reports window functions in clauses that run before them, such as filters and groups. */
export function checkWindowPlace({ session, level }: CallPlace, call: Node): void {
  if (session.aggregate?.level === level) {
    misplaced(session, call, 'aggregate function calls cannot contain window function calls.');
  } else if (noWindows.has(level.clause)) {
    const place = windowPlaces[level.clause] ?? level.clause;
    misplaced(session, call, `window functions are not allowed in ${place}.`);
  }
}

export function checkSetPlace({ session, level }: CallPlace, call: Node): void {
  level.sets++;
  if (noSets.has(level.clause))
    misplaced(session, call, `set-returning functions are not allowed in ${level.clause}.`);
}

/** Determines an aggregate's query, which is the innermost query whose columns it uses, and reports misuse. */
export function checkAggregate(
  { session, level }: CallPlace,
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
  'VALUES',
]);
const noWindows: ReadonlySet<Level['clause']> = new Set([...noSets, 'GROUP BY', 'VALUES', 'WINDOW', 'FROM']);
const windowPlaces: Partial<Readonly<Record<Level['clause'], string>>> = {
  WINDOW: 'window definitions',
  FROM: 'functions in FROM',
};
