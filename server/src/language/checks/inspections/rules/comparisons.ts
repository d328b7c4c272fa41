/**
 * Reports comparisons that cannot work as intended: with NULL, of a string with a number, or LIKE without a wildcard.
 */
import { t } from '#base/texts.ts';
import { functionName } from '#server/language/tree/aggregates.ts';
import {
  child,
  columnOf,
  constantOf,
  list,
  operationOf,
  strings,
  text,
  walk,
  type Node,
  type Operation,
} from '#server/language/tree/parse-tree.ts';
import type { ProblemFix, TokenRun, WrittenNumber } from '../model.ts';
import { expressionRun, ownerOf, relationsOf, type Relation, type Report, type Select } from '../select.ts';

const comparisons = new Set(['=', '<>', '<', '>', '<=', '>=']);

export function compare(select: Select, report: Report): void {
  const relations = relationsOf(select);
  const look = (value: unknown): void => {
    walk(value, (name, node) => {
      if (name === 'A_Expr') {
        const plain = operationOf(node);
        if (plain !== undefined && comparisons.has(plain.operator)) {
          compareWithNull(plain, report);
          compareKinds(plain.left, { right: plain.right }, relations, report);
          compareKinds(plain.right, { right: plain.left }, relations, report);
        }
        compareLike(node, report);
        compareLists(node, relations, report);
        compareValues(node, report);
      }
      return name !== 'SelectStmt';
    });
  };
  const { targetList, whereClause, havingClause, fromClause, groupClause, sortClause } = select.node;
  look([targetList, whereClause, havingClause, fromClause, groupClause, sortClause]);
}

function compareWithNull({ operator, left, right, location }: Operation, report: Report): void {
  const isRight = constantOf(right)?.kind === 'null';
  const other = isRight ? left : right;
  const constant = constantOf(isRight ? right : left);
  if (constant?.kind !== 'null' || constantOf(other)?.kind === 'null') return;
  const [one, two] = [report.offsetOf(location), report.offsetOf(constant.location)];
  const run: TokenRun = isRight
    ? { first: one, last: two, isLastConstant: true }
    : { first: two, last: one, isFirstConstant: true };
  const test = operator === '=' ? 'IS NULL' : 'IS NOT NULL';
  const isFixable = isRight && (operator === '=' || operator === '<>');
  report.problem({
    code: 'NULL_COMPARISON',
    message: t('A comparison with NULL is never true, not even for NULL itself. Write {0}.', test),
    run,
    ...(isFixable
      ? { fix: { kind: 'null-test', title: t('Replace with {0}', test), operator: one, value: two, test } }
      : {}),
  });
}

function compareLike(node: Node, report: Report): void {
  const like = operationOf(node, 'AEXPR_LIKE');
  const pattern = like === undefined ? undefined : constantOf(like.right);
  if (like === undefined || pattern?.kind !== 'string' || /[%_\\]/.test(pattern.value)) return;
  const first = report.offsetOf(like.location);
  const at = report.offsetOf(pattern.location);
  if (/^\*|\*$/.test(pattern.value) && !pattern.value.includes("'")) {
    const newText = `'${pattern.value.replaceAll('*', '%')}'`;
    report.problem({
      code: 'LIKE_WITHOUT_WILDCARD',
      message: t('In LIKE, * is an ordinary character. Write {0}.', newText),
      run: { first, last: at },
      fix: { kind: 'replace', title: t('Write {0}', newText), run: { first: at, last: at }, newText },
    });
    return;
  }
  const isNegated = like.operator === '!~~';
  const operator = isNegated ? '<>' : '=';
  report.problem({
    code: 'LIKE_WITHOUT_WILDCARD',
    message: t(
      'The pattern contains neither % nor _, so it matches only itself. Write {0}, or add a wildcard.',
      operator,
    ),
    run: { first, last: report.offsetOf(pattern.location) },
    fix: {
      kind: 'replace',
      title: t('Replace with {0}', operator),
      run: { first, last: first, ...(isNegated ? { shiftLast: 1 } : {}) },
      newText: operator,
    },
  });
}

/** Reports values that make a list or a range useless: NULL in NOT IN, and BETWEEN with the larger value first. */
function compareValues(node: Node, report: Report): void {
  const items = list(child(node.rexpr, 'List')?.items ?? node.rexpr).map(constantOf);
  const missing = items.find((item) => item?.kind === 'null');
  if (node.kind === 'AEXPR_IN' && strings(node.name)[0] === '<>' && missing !== undefined) {
    const at = report.offsetOf(missing.location);
    report.problem({
      code: 'NULL_COMPARISON',
      message: t('With NULL among its values, NOT IN is never true. Leave it out.'),
      run: { first: at, last: at },
    });
  }
  const [low, high] = items;
  if (node.kind !== 'AEXPR_BETWEEN' || low === undefined || high === undefined || !isLarger(low, high))
    return;
  report.problem({
    code: 'CONSTANT_CONDITION',
    message: t('BETWEEN takes the smaller value first, so this condition is never true.'),
    run: {
      first: report.offsetOf(low.location),
      last: report.offsetOf(high.location),
      isFirstConstant: true,
      isLastConstant: true,
    },
    fix: {
      kind: 'swap',
      title: t('Swap the values'),
      one: report.offsetOf(low.location),
      two: report.offsetOf(high.location),
    },
  });
}

type Constant = NonNullable<ReturnType<typeof constantOf>>;

/** The order of other texts depends on the collation, or on the settings of the server. */
function isLarger(one: Constant, two: Constant): boolean {
  if (one.kind === 'number' && two.kind === 'number') return Number(one.value) > Number(two.value);
  const isDate = (own: Constant): boolean => own.kind === 'string' && /^\d{4}-\d\d-\d\d$/.test(own.value);
  return isDate(one) && isDate(two) && 'value' in one && 'value' in two && one.value > two.value;
}

/** Handles `x IN (1, 2)` and `x BETWEEN 1 AND 2`. */
function compareLists(node: Node, relations: readonly Relation[], report: Report): void {
  if (node.kind === 'AEXPR_IN' || node.kind === 'AEXPR_BETWEEN' || node.kind === 'AEXPR_NOT_BETWEEN') {
    const items = list(child(node.rexpr, 'List')?.items ?? node.rexpr);
    for (const right of oneOfEachKind(items))
      compareKinds(node.lexpr, { right, among: items }, relations, report);
  }
}

/** Keeps only the first number and the first non-numeric string, but all placeholders, since each has its own type. */
function oneOfEachKind(items: readonly unknown[]): readonly unknown[] {
  let hasNumber = false;
  let hasText = false;
  return items.filter((item) => {
    const constant = constantOf(item);
    switch (constant?.kind) {
      case 'number': {
        const isFirst = !hasNumber;
        hasNumber = true;
        return isFirst;
      }
      case 'string': {
        const isFirst = !hasText && !isNumeric(constant.value);
        hasText ||= isFirst;
        return isFirst;
      }
      default:
        return true;
    }
  });
}

/**
 * Reports mismatches that the text alone proves; records facts for the catalog to decide the rest. A fix mends all
 * values of a list.
 */
function compareKinds(
  left: unknown,
  { right, among = [right] }: { readonly right: unknown; readonly among?: readonly unknown[] },
  relations: readonly Relation[],
  report: Report,
): void {
  const constant = constantOf(right);
  if (constant?.kind !== 'number' && constant?.kind !== 'string') return;
  const at = report.offsetOf(constant.location);
  const run: TokenRun = { first: at, last: at, isFirstConstant: true, isLastConstant: true };
  const numbers = (): readonly WrittenNumber[] =>
    among.flatMap((value) => {
      const own = constantOf(value);
      return own?.kind === 'number' ? { at: report.offsetOf(own.location), value: own.value } : [];
    });
  if (constant.kind === 'number' && isText(left)) {
    const message = t(
      "Text is compared with the number {0}, which PostgreSQL refuses. Write '{0}', or cast the text.",
      constant.value,
    );
    const wide = expressionRun(report, left) ?? run;
    report.problem({
      code: 'STRING_NUMBER_COMPARISON',
      message,
      run:
        at < wide.first
          ? { ...wide, first: at, isFirstConstant: true }
          : { first: wide.first, last: at, isLastConstant: true },
      fix: quoteNumbers(numbers()),
    });
    return;
  }
  if (constant.kind === 'string' && isNumber(left) && !isNumeric(constant.value)) {
    const message = t('A number is compared with text that is not a number, which PostgreSQL refuses.');
    report.problem({ code: 'STRING_NUMBER_COMPARISON', message, run });
    return;
  }
  const column = columnOf(left);
  const name = column?.parts.at(-1);
  if (column === undefined || name === undefined || name === '*') return;
  const owner = ownerOf(column, relations);
  const candidates = column.parts.length > 1 ? (owner === undefined ? [] : [owner]) : relations;
  const tables = candidates.flatMap(({ table, hasColumnAliases }) =>
    table === undefined || hasColumnAliases ? [] : [table],
  );
  if (tables.length === 0 || tables.length < candidates.length) return;
  if (constant.kind === 'number' || !isNumeric(constant.value)) {
    const kind = constant.kind === 'number' ? 'with-number' : 'with-string';
    const written = constant.kind === 'number' ? { numbers: numbers() } : {};
    report.fact({ kind, column: name, tables, run, value: constant.value, ...written });
  }
}

const shownMax = 3;

export function quoteNumbers(numbers: readonly WrittenNumber[]): ProblemFix {
  const shown = numbers.slice(0, shownMax).map(({ value }) => `'${value}'`);
  const rest = numbers.length > shownMax ? ['…'] : [];
  return { kind: 'quote', title: t('Replace with {0}', [...shown, ...rest].join(', ')), numbers };
}

const textFunctions = new Set(
  'lower upper btrim ltrim rtrim substring substr concat concat_ws initcap replace md5 to_char left right lpad rpad split_part'.split(
    ' ',
  ),
);
const textTypes = new Set(['text', 'varchar']);
const numberTypes = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8']);

function isText(expression: unknown): boolean {
  const call = child(expression, 'FuncCall');
  const cast = child(expression, 'TypeCast');
  const operation = child(expression, 'A_Expr');
  const constant = constantOf(expression);
  return (
    (call !== undefined && textFunctions.has(functionName(call))) ||
    (cast !== undefined && textTypes.has(typeOf(cast))) ||
    (operation?.kind === 'AEXPR_OP' && ['->>', '#>>'].includes(text(strings(operation.name)[0]))) ||
    (constant?.kind === 'string' && !isNumeric(constant.value))
  );
}

function isNumber(expression: unknown): boolean {
  const cast = child(expression, 'TypeCast');
  return cast !== undefined && numberTypes.has(typeOf(cast));
}

/** Returns the type's name without its schema; empty for an array type. */
function typeOf(cast: Node): string {
  const type = child(cast, 'typeName');
  return type === undefined || 'arrayBounds' in type ? '' : (strings(type.names).at(-1) ?? '');
}

/** Accepts PostgreSQL's number syntax, including spaces, signs, other bases and underscores. */
export function isNumeric(value: string): boolean {
  return (
    /^[+-]?(0[xob][\da-f_]+|[\d_]*(?:\.[\d_]*)?(e[+-]?\d+)?|nan|infinity|inf)$/i.test(value.trim()) &&
    /[\dan]/i.test(value)
  );
}
