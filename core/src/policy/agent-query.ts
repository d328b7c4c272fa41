/**
 * The gate for agents, which never asks the user. It refuses queries that are not proven read-only, and those that
 * reveal more of a sensitive column than masked values. A saved query was written by a person and may test such
 * columns, unless it takes parameters: an agent could choose values to probe the column.
 */
import type { AnalysedStatement } from '#server/language/checks/analysis.ts';
import type { Decision } from './masking/expression-origins.ts';
import type { OriginProblem, QueryOrigins } from './masking/query-origins.ts';
import { allOrigins, type OriginColumns } from './masking/relations.ts';
import { areUnknownColumns, mayRun } from './may-run.ts';
import { permit, type Permit } from './send-query.ts';

export interface AgentRefusal {
  readonly kind: 'refused';
  /** Stable code for the reason. */
  readonly code:
    | 'not-read-only'
    | 'not-proven'
    | 'side-effects'
    | 'unknown-function'
    | 'syntax-error'
    | 'sensitive-column'
    | 'unknown-table'
    | 'unlimited'
    | 'too-complex';
  readonly reason: string;
  /** Suggests an alternative. */
  readonly advice: string;
  /** The names that the reason is about, which come from the query or the models: data, unlike the rest. */
  readonly what?: string;
}

export type AgentPermission =
  | AgentRefusal
  | {
      readonly kind: 'go';
      readonly permit: Permit;
      readonly columns: OriginColumns;
      /**
       * Present if an agent wrote a query with a sensitive value in its result, which is limited and read as a whole:
       * whether a service ends before the last row would tell how long the values are. `missing`: it has no LIMIT.
       */
      readonly limit?: 'own' | 'missing';
    };

/** The most rows that the LIMIT of such a query may say. */
const ownLimitMax = 1_000;

export interface AgentText {
  /** The author of the query: the agent, or the person who saved it. */
  readonly writer: 'agent' | 'person';
  /** Whether the author also chose the parameter values. */
  readonly hasOwnValues?: boolean;
}

export function mayAgentRun(
  statement: Pick<AnalysedStatement, 'verdict' | 'calls' | 'placeholders' | 'types'>,
  origins: QueryOrigins | undefined,
  { writer, hasOwnValues = false }: AgentText,
): AgentPermission {
  // Functions that the user accepted are not accepted for agents.
  const permission = mayRun(statement, {
    isProofRequired: true,
    isKnownToRun: false,
    isAccepted: () => false,
  });
  if (permission.kind !== 'go' || statement.verdict !== 'read-only') return unproven(statement);
  if (isMisfit(statement))
    return refusal(
      'unknown-function',
      'PostgreSQL has no function, operator or cast for these types. One of a user might take them.',
      'Call check_sql to find it, and cast to the types that it takes.',
    );
  if (origins === undefined) return refusal('not-proven', 'The query could not be analyzed.', 'Simplify it.');
  const isFree = writer === 'agent' || (statement.placeholders.length > 0 && !hasOwnValues);
  const problem = origins.problems.find(
    // A person who saved a query did not choose its sizes to learn something.
    (each) =>
      each.kind === 'too-complex' ||
      (isFree && (writer === 'agent' || !('isByValue' in each) || each.isByValue)),
  );
  if (problem !== undefined) return refusalOf(problem, writer);
  const { columns, rowLimit } = origins;
  const go = { kind: 'go', permit: permit(permission, 'not-asked'), columns } as const;
  if (writer !== 'agent' || allOrigins(columns).every((origin) => origin === undefined)) return go;
  if (rowLimit !== undefined && rowLimit > ownLimitMax)
    return refusal(
      'unlimited',
      `The result has a sensitive value and may have more than ${ownLimitMax} rows: its size would tell how long the values are.`,
      `End the query with LIMIT ${ownLimitMax} or a smaller number, and use OFFSET for more.`,
    );
  return { ...go, limit: rowLimit === undefined ? 'missing' : 'own' };
}

/** PostgreSQL refuses such a text, unless a user made an overload for these types, whose effects are unknown. */
const isMisfit = ({ types }: Pick<AnalysedStatement, 'types'>): boolean =>
  types?.findings.some(({ code, isLikely }) => code === 'TYPE_MISMATCH' && isLikely !== true) === true;

function refusal(code: AgentRefusal['code'], reason: string, advice: string, what?: string): AgentRefusal {
  return { kind: 'refused', code, reason, advice, ...(what ? { what } : {}) };
}

function unproven({ verdict, calls = [] }: Pick<AnalysedStatement, 'verdict' | 'calls'>): AgentRefusal {
  const names = calls.map(({ name }) => name).join(', ');
  switch (verdict) {
    case 'side-effects':
      return refusal('side-effects', 'The query does more than read, by what it calls.', 'Remove it.', names);
    case 'unknown-function':
      if (areUnknownColumns(calls))
        return refusal(
          'unknown-function',
          'The table has no such column, and PostgreSQL would call a function of its name.',
          'Call describe_table for the columns.',
          names,
        );
      return refusal('unknown-function', 'The effect of what it calls is unknown.', 'Remove it.', names);
    case 'syntax-error':
      return refusal(
        'syntax-error',
        'PostgreSQL cannot parse the query.',
        'Call check_sql to find the error, and correct it.',
      );
    case 'not-read-only':
      return refusal(
        'not-read-only',
        'Only a single read-only SELECT statement may run.',
        'Write a SELECT. No tool here changes anything.',
      );
    case 'unverified':
    case 'read-only':
      return refusal(
        'not-proven',
        'The query is not proven read-only.',
        'Simplify it: one SELECT, no unusual strings or operators.',
      );
    default:
      return verdict satisfies never;
  }
}

function refusalOf(problem: OriginProblem, writer: 'agent' | 'person'): AgentRefusal {
  if (writer === 'person' && 'isByValue' in problem)
    return refusal(
      'sensitive-column',
      'The saved query has a sensitive value beside a size that its parameters choose, which would tell how long the value is.',
      'Ask a person to save it without these parameters.',
      problem.what,
    );
  switch (problem.kind) {
    case 'unknown-table':
      return refusal(
        'unknown-table',
        'The models have no such table.',
        'Call list_models and describe_table for the available tables.',
        problem.table,
      );
    case 'too-complex':
      return refusal(
        'too-complex',
        'The query is too complex to trace its columns.',
        'Split it into smaller ones.',
      );
    case 'repeated':
      return refusal(
        'sensitive-column',
        'The result has a sensitive column more than twice.',
        'Select it once.',
        problem.column,
      );
    case 'sized':
      return refusal(
        'sensitive-column',
        'The result has a sensitive value, and the query another one of a chosen size, which would tell how long the first is.',
        'Leave it out, or select the two in separate queries, each with an ID.',
        problem.what,
      );
    case 'copied':
      return refusal(
        'sensitive-column',
        'The query has a sensitive value in rows that it repeats at will, or sorts with those of other tables, so that their size would tell how long the value is.',
        'Join each table by an equality of columns with the names of their tables (a.id = m.account_id), without generated rows, and list IDs as a.id IN (...). Rank and sort IDs in an inner query, and join the value to them, or select it in a query of its own, by ID.',
        problem.what,
      );
    case 'decides': {
      const { column = 'a value that cannot be followed to an open column' } = problem.origin;
      return refusal(
        'sensitive-column',
        `A value may hold personal data, and ${uses[problem.decision]}.`,
        writer === 'agent'
          ? 'Select the column as it is: its values are returned as tokens, equal for equal values. Filter, join, sort and group by unmasked columns, such as IDs. A query that a person saved without parameters may do more.'
          : 'The saved query takes parameters, and tests this value. Ask a person to save it without parameters.',
        column,
      );
    }
    default:
      return problem satisfies never;
  }
}

const uses: Readonly<Record<Decision, string>> = {
  condition: 'the query decides by it',
  join: 'the query joins by it',
  order: 'the query sorts by it',
  group: 'the query groups by it',
  distinct: 'DISTINCT compares it',
  window: 'a window is made by it',
  aggregate: 'the query aggregates it',
  comparison: 'the query compares it',
  function: 'a function computes with it',
  cast: 'a cast other than ::text changes it, or fails by what it holds',
  catalogue: 'PostgreSQL takes it from its own tables',
  set: 'UNION, INTERSECT or EXCEPT compares it (UNION ALL does not)',
  sample: 'TABLESAMPLE chooses rows by their places on the disk, which depend on its length',
  derived: 'the query makes another value from it',
};
