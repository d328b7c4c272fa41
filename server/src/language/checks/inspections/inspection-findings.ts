/** Converts inspection results to findings, using the catalog's column facts. */
import { t } from '#base/texts.ts';
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import type { KnownNames } from '#server/language/names/name-context.ts';
import type { Edit } from '#server/language/text/edits.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { keyName } from '#server/language/tree/key-names.ts';
import type { CatalogueColumn } from '#server/protocol.ts';
import { finding, type Finding } from '../finding.ts';
import { groupByEdit } from '../group-by-edit.ts';
import { judgeIds } from './id-findings.ts';
import type { ColumnFact, Inspection, PossibleKey, ProblemFix, TableName, TokenRun } from './model.ts';
import { isNumeric, quoteNumbers } from './rules/comparisons.ts';
import { describeNullable } from './rules/subqueries.ts';
import { familyOf } from './types.ts';

export interface InspectionContext {
  readonly code: TokenList;
  /** Offset of the statement's start in the text. */
  readonly base: number;
  readonly isSavedQuery: boolean;
  readonly names: KnownNames | undefined;
}

export function inspectionFindings(
  { problems, facts, ids }: Inspection,
  context: InspectionContext,
): readonly Finding[] {
  const edits = new Map<ProblemFix, readonly Edit[]>();
  // Several problems may share a fix.
  const editsOnce = (fix: ProblemFix): readonly Edit[] => {
    const own = edits.get(fix) ?? editsOf(context, fix);
    edits.set(fix, own);
    return own;
  };
  const found = problems
    .filter(({ code }) => code !== 'SELECT_STAR' || context.isSavedQuery)
    .map(({ code, message, run, fix, severity, unlessKeyOf = [] }): Finding => {
      const { start, end } = rangeOf(context, run);
      const key = unlessKeyOf.find((possible) => !isNoKey(possible, context.names));
      const usual = finding(code, message, start, end);
      const certain = severity === undefined ? usual : { ...usual, severity };
      const plain: Finding = key === undefined ? certain : unlessKey(certain, key);
      const own = fix === undefined ? [] : editsOnce(fix);
      return fix === undefined || own.length === 0
        ? plain
        : { ...plain, fix: { title: fix.title, edits: own } };
    });
  return [
    ...found,
    ...facts.flatMap((fact) => judge(fact, context) ?? []),
    ...ids.flatMap((fact) => judgeIds(fact, rangeOf(context, fact.run), context.names) ?? []),
  ];
}

/** Returns whether the columns cannot be the key: they are all nullable, or the table has a likelier key. */
function isNoKey({ table, columns }: PossibleKey, names: KnownNames | undefined): boolean {
  const known = names === undefined ? undefined : columnsOf(table, names);
  const required = known?.filter(({ nullable }) => nullable === false) ?? [];
  return (
    known !== undefined &&
    (known.every(({ name, nullable }) => nullable === true || !columns.includes(name)) ||
      required.some(({ name }) => keyName.test(name)))
  );
}

/** Lowers the severity, since PostgreSQL accepts the query if the columns are the table's key. */
function unlessKey(found: Finding, { table, columns }: PossibleKey): Finding {
  const message = t(
    '{0} PostgreSQL accepts that only if "{1}" is the primary key of "{2}".',
    found.message,
    columns.join(', '),
    table.name,
  );
  return { ...found, message, severity: 'information' };
}

function rangeOf(
  { code, base }: InspectionContext,
  { first, last, shiftFirst = 0, shiftLast = 0, isFirstConstant, isLastConstant }: TokenRun,
): { readonly start: number; readonly end: number } {
  const own = code.at(base + first) + shiftFirst;
  const from = isFirstConstant === true ? constantAround(code, own).first : own;
  const end = code.at(base + last) + shiftLast;
  const to = isLastConstant === true ? constantAround(code, end).last : end;
  return { start: code.start(from), end: Math.max(code.end(to), code.end(from)) };
}

/** Returns no edits if the tokens are not those that the fix replaces. */
function editsOf(context: InspectionContext, fix: ProblemFix): readonly Edit[] {
  const { code, base } = context;
  if (fix.kind === 'group-by') return [groupByEdit(code, code.at(base + fix.at), fix.names)];
  if (fix.kind === 'null-test') {
    // The operator may also be written as OPERATOR(=).
    const operator = code.at(base + fix.operator);
    const { first, last } = constantAround(code, code.at(base + fix.value));
    if (code.kind(operator) !== TokenKind.operator) return [];
    const test = { start: code.start(operator), end: code.end(operator) };
    const value = { start: code.start(first), end: code.end(last) };
    return code.text.slice(test.end, value.start).trim() === ''
      ? [{ start: test.start, end: value.end, newText: fix.test }]
      : // With a comment between them.
        [
          { ...test, newText: fix.test.replace(/ NULL$/, '') },
          { ...value, newText: 'NULL' },
        ];
  }
  if (fix.kind === 'quote') {
    return fix.numbers.map(({ at, value }) => {
      const { first, last } = constantAround(code, code.at(base + at));
      return { start: code.start(first), end: code.end(last), newText: `'${value}'` };
    });
  }
  if (fix.kind === 'swap') {
    const ranges = [fix.one, fix.two].map((offset) => {
      const { first, last } = constantAround(code, code.at(base + offset));
      return { start: code.start(first), end: code.end(last) };
    });
    return ranges.map((range, index) => {
      const other = ranges[1 - index] ?? range;
      return { ...range, newText: code.text.slice(other.start, other.end) };
    });
  }
  return [replacement(context, fix)];
}

/** Words and symbols after which a parenthesis only groups. */
const beforeGroup = /^(?:between|and|like|ilike|not|when|then|else|is)$/;

/** Returns the first and last token of a constant at its sign or value, with the parentheses around it. */
function constantAround(code: TokenList, at: number): { readonly first: number; readonly last: number } {
  let last = at;
  let open = 0;
  while (code.is(last, '-') || code.is(last, '+') || code.is(last, '(')) {
    open += code.is(last, '(') ? 1 : 0;
    last++;
  }
  last += code.word(last + 1) === 'uescape' ? 2 : 0;
  for (; open > 0 && code.is(last + 1, ')'); open--) last++;
  let first = at;
  while (code.is(first - 1, '(') && code.is(last + 1, ')')) {
    const isGroup =
      code.is(first - 2, '(') ||
      code.kind(first - 2) === TokenKind.operator ||
      beforeGroup.test(code.word(first - 2));
    if (!isGroup) break;
    first--;
    last++;
  }
  return { first, last };
}

function replacement(context: InspectionContext, fix: ProblemFix & { readonly kind: 'replace' }): Edit {
  const { start, end } = rangeOf(context, fix.run);
  // Also remove the following space.
  const space = fix.newText === '' ? (/^\s+/.exec(context.code.text.slice(end))?.[0].length ?? 0) : 0;
  return { start, end: end + space, newText: fix.newText };
}

/** Returns undefined if the column is valid here, or its type or nullability is unknown. */
function judge(fact: ColumnFact, context: InspectionContext): Finding | undefined {
  const column = findColumn(fact, context.names);
  if (column === undefined) return undefined;
  const { start, end } = rangeOf(context, fact.run);
  const family = familyOf(column.type);
  const { value = '' } = fact;
  switch (fact.kind) {
    case 'not-in':
      return column.nullable === true
        ? finding('NOT_IN_NULLABLE', describeNullable(column.name), start, end)
        : undefined;
    case 'with-number': {
      const message = t(
        '"{0}" is {1}, and PostgreSQL does not compare that with a number. Write \'{2}\'.',
        column.name,
        column.type,
        value,
      );
      if (family !== 'text') return undefined;
      const fix = quoteNumbers(fact.numbers ?? []);
      return {
        ...finding('STRING_NUMBER_COMPARISON', message, start, end),
        fix: { title: fix.title, edits: editsOf(context, fix) },
      };
    }
    case 'with-string': {
      const message = t('"{0}" is {1}, but this text is not a number.', column.name, column.type);
      return family === 'number' && !isNumeric(value)
        ? finding('STRING_NUMBER_COMPARISON', message, start, end)
        : undefined;
    }
  }
}

/** Returns the column if all candidate tables are known and exactly one has it. */
function findColumn(
  { column, tables }: ColumnFact,
  names: KnownNames | undefined,
): CatalogueColumn | undefined {
  if (names === undefined) return undefined;
  const found: CatalogueColumn[] = [];
  for (const table of tables) {
    const columns = columnsOf(table, names);
    if (columns === undefined) return undefined;
    for (const each of columns) if (each.name === column) found.push(each);
  }
  return found.length === 1 ? found[0] : undefined;
}

function columnsOf(
  { schema, name }: TableName,
  { catalogue, model }: KnownNames,
): readonly CatalogueColumn[] | undefined {
  const owner = findModel(catalogue, schema ?? model);
  return owner === undefined ? undefined : findTable(owner, name)?.columns;
}
