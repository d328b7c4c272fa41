/**
 * Determines the outcome of a control from its rules: thresholds, and the number of rows after which the outcome is
 * fixed. Has no side effects.
 */
import type {
  Aggregate,
  Comparison,
  Condition,
  ControlDirectives,
} from '#server/language/text/control-directives.ts';
import { compareDecimal } from '../rows/decimal.ts';

/** Excludes unknown outcomes, which are reported as errors earlier. */
export type Judgement = 'pass' | 'warn' | 'fail';

export interface Rules {
  /** The rule as written, or its default: `no rows`. */
  readonly expected: string;
  readonly warnIf?: Condition;
  readonly errorIf?: Condition;
  /** Whether `errorIf` was derived from `@expect`. */
  readonly isExpectation: boolean;
  /** The column with each row's own status. If set, thresholds count only rows in alarm. */
  readonly statusColumn?: string;
}

/**
 * Returns the rules of a control. An explicit `@error_if` replaces the rule of `@expect`. Without any rule, no rows are
 * expected.
 */
export function rulesOf(read: Pick<ControlDirectives, 'expect' | 'warnIf' | 'errorIf'>): Rules {
  const { expect, warnIf } = read;
  const isOnlyWarning = expect === undefined && warnIf !== undefined;
  const errorIf = read.errorIf ?? (isOnlyWarning ? undefined : expectedRows(expect?.kind));
  return {
    expected: expectedWords(read),
    isExpectation: read.errorIf === undefined,
    ...(warnIf === undefined ? {} : { warnIf }),
    ...(errorIf === undefined ? {} : { errorIf }),
    ...(expect?.kind === 'column' ? { statusColumn: expect.column.name } : {}),
  };
}

function expectedRows(kind: NonNullable<ControlDirectives['expect']>['kind'] = 'no-rows'): Condition {
  switch (kind) {
    case 'one-row':
      return rowsCondition('!=', '1');
    case 'rows':
      return rowsCondition('=', '0');
    case 'no-rows':
    case 'column': // counts rows in alarm
      return rowsCondition('!=', '0');
    default:
      return kind satisfies never;
  }
}

function rowsCondition(comparison: Comparison, value: string): Condition {
  return { measure: { kind: 'rows' }, comparison, value, text: `rows ${comparison} ${value}` };
}

function expectedWords({
  expect,
  warnIf,
  errorIf,
}: Pick<ControlDirectives, 'expect' | 'warnIf' | 'errorIf'>): string {
  if (errorIf !== undefined) return negatedText(errorIf);
  switch (expect?.kind) {
    case 'column':
      return `no alarm in ${expect.column.name}`;
    case 'one-row':
      return 'one row';
    case 'rows':
      return 'rows';
    case 'no-rows':
      return 'no rows';
    case undefined:
      return warnIf === undefined ? 'no rows' : negatedText(warnIf);
    default:
      return expect satisfies never;
  }
}

const opposites: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '<=': '>',
  '=': '!=',
  '!=': '=',
  '>': '<=',
  '>=': '<',
};

/** Returns the inverse of a condition, such as `rows <= 5` for `rows > 5`. */
function negatedText({ text, comparison, value }: Condition): string {
  const measure = text.slice(0, text.length - ` ${comparison} ${value}`.length);
  return `${measure} ${opposites[comparison]} ${value}`;
}

/** Returns a row count or aggregate as a decimal; undefined if there is none, such as the minimum of an empty set. */
export type ValueOf = (measure: Condition['measure']) => string | undefined;

export interface Judged {
  readonly judgement: Judgement;
  /** The condition that determined the outcome; undefined for `pass`. */
  readonly by?: Condition;
}

/**
 * Applies the rules.
 * @returns the outcome; if it is unknown, the condition whose measure has no value.
 */
export function judge(rules: Rules, valueOf: ValueOf): Judged | { readonly unknown: Condition } {
  const { errorIf, warnIf } = rules;
  for (const [condition, judgement] of [
    [errorIf, 'fail'],
    [warnIf, 'warn'],
  ] as const) {
    if (condition === undefined) continue;
    const value = valueOf(condition.measure);
    if (value === undefined) return { unknown: condition };
    if (holds(condition.comparison, value, condition.value)) return { judgement, by: condition };
  }
  return { judgement: 'pass' };
}

function holds(comparison: Comparison, value: string, threshold: string): boolean {
  const order = compareDecimal(value, threshold);
  return {
    '<': order < 0,
    '<=': order <= 0,
    '=': order === 0,
    '!=': order !== 0,
    '>': order > 0,
    '>=': order >= 0,
  }[comparison];
}

/** Returns the number of rows at which the outcome is fixed; Infinity if all are needed. */
export function rowsThatSettle({ errorIf, warnIf, statusColumn }: Rules): number {
  // Any later row may have the status `error`.
  if (statusColumn !== undefined) return Infinity;
  const alwaysFails = errorIf === undefined ? undefined : settles(errorIf);
  if (alwaysFails?.holds === true) return alwaysFails.from;
  const warns = warnIf === undefined ? undefined : settles(warnIf);
  return Math.max(alwaysFails?.from ?? 0, warns?.from ?? 0, 0);
}

/** Returns the row count at which the result of a condition is fixed, and that result. */
function settles({ measure, comparison, value }: Condition): {
  readonly from: number;
  readonly holds: boolean;
} {
  if (measure.kind !== 'rows') return { from: Infinity, holds: false };
  const number = Number(value);
  const above = Math.max(0, Math.floor(number) + 1);
  switch (comparison) {
    case '>':
    case '!=':
      return { from: above, holds: true };
    case '>=':
      return { from: Math.max(0, Math.ceil(number)), holds: true };
    case '<':
      return { from: Math.max(0, Math.ceil(number)), holds: false };
    case '<=':
    case '=':
      return { from: above, holds: false };
    default:
      return comparison satisfies never;
  }
}

/** Returns the distinct aggregates that a control needs. */
export function aggregatesOf({
  errorIf,
  warnIf,
}: Rules): readonly { readonly aggregate: Aggregate; readonly column: string }[] {
  const found = [errorIf, warnIf].flatMap((condition) =>
    condition?.measure.kind === 'aggregate'
      ? [{ aggregate: condition.measure.aggregate, column: condition.measure.column.name }]
      : [],
  );
  return found.filter(
    (one, index) =>
      found.findIndex(({ aggregate, column }) => aggregate === one.aggregate && column === one.column) ===
      index,
  );
}
