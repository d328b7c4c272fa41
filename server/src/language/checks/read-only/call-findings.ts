/**
 * Reports calls with known side effects or unknown effects. The parser finds the calls, and the tokens provide their
 * positions.
 */
import type { FindingCode } from '#base/finding-severities.ts';
import { t } from '#base/texts.ts';
import { nameAt, nameWithEscapeAt } from '#server/language/text/identifiers.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { finding, type Finding } from '../finding.ts';
import { typeAsCall } from '../foreign-calls.ts';
import type { Call } from '../parser.ts';
import type { Advice } from '../syntax/advice.ts';
import { topAdvice } from '../syntax/words.ts';
import { sideEffectInWords, type SideEffect } from './side-effect-labels.ts';

export function callFindings(
  code: TokenList,
  span: StatementSpan,
  calls: readonly Call[],
): readonly Finding[] {
  const named = tokensByName(code, span, calls);
  return calls.flatMap((call) =>
    placesOf(code, span, call, named).map((index) => {
      const { does } = call;
      const slice = call.kind === 'type' ? sliceAt(code, index) : undefined;
      if (slice !== undefined) return slice;
      const foreign = does === undefined ? foreignCall(code, span, index) : undefined;
      if (foreign !== undefined) {
        const { text, fix } = foreign.advice;
        const own = finding(foreign.code, text, code.start(index), code.end(index));
        return fix === undefined ? own : { ...own, unprovenFix: fix };
      }
      return does === undefined
        ? finding('UNKNOWN_FUNCTION', describeUnknown(call), code.start(index), code.end(index))
        : finding('SIDE_EFFECT_FUNCTION', describeEffect(call, does), code.start(index), code.end(index));
    }),
  );
}

/** Handles `a[1::n]`, where the slice up to a parameter needs a space. */
function sliceAt(code: TokenList, index: number): Finding | undefined {
  const cast = index - 1;
  if (!code.is(cast, '::') || !code.is(openingBracket(code, cast) ?? -1, '[')) return undefined;
  const name = code.textOf(index);
  const newText = `: :${name}`;
  const [start, end] = [code.start(cast), code.end(index)];
  const text = t(
    '"::" is a cast, and PostgreSQL has no type "{0}". For a slice up to the parameter write {1}.',
    name,
    newText,
  );
  return {
    ...finding('UNKNOWN_FUNCTION', text, start, end),
    unprovenFix: { title: t('Write {0}', newText), edits: [{ start, end, newText }] },
  };
}

/** Returns the bracket or parenthesis that is open at the token, if no separator follows it. */
function openingBracket(code: TokenList, index: number): number | undefined {
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    if (code.is(at, ')') || code.is(at, ']')) depth++;
    else if (code.is(at, '(') || code.is(at, '[')) {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && (code.is(at, ',') || code.is(at, ':') || code.is(at, ';'))) return undefined;
  }
  return undefined;
}

/** Returns advice on what looks like a call only to PostgreSQL: `TOP (10) a` and `CONVERT(nvarchar(10), a)`. */
function foreignCall(
  code: TokenList,
  span: StatementSpan,
  index: number,
): { readonly code: FindingCode; readonly advice: Advice } | undefined {
  const type = typeAsCall(code, index);
  if (type !== undefined) return { code: 'FOREIGN_TYPE', advice: type };
  const top = code.word(index) === 'top' ? topAdvice(code, span, index + 4) : undefined;
  return top === undefined ? undefined : { code: 'FOREIGN_FUNCTION', advice: top };
}

/** Returns the name as written in the text, with the schema. */
export const calledName = ({ kind, schema, name }: Call): string =>
  schema === undefined || kind === 'column' ? name : `${schema}.${name}`;

function describeEffect({ kind, name }: Call, does: SideEffect): string {
  const effect = sideEffectInWords(does);
  return kind === 'view'
    ? t('"{0}" {1}, even when a SELECT reads it. Leave it out unless you intend this.', name, effect)
    : t('"{0}" {1}, even when a SELECT calls it. Leave it out unless you intend this.', name, effect);
}

function describeUnknown(call: Call): string {
  if (call.kind === 'attribute' || call.kind === 'column') {
    return t(
      'If "{0}" is no column of this row, PostgreSQL calls a function of that name. It knows none, nor does a known extension, so its effects are unknown. Run asks before it is first called.',
      call.name,
    );
  }
  return t(
    '{0} belongs neither to PostgreSQL nor to a known extension, so its effects are unknown. Run asks before it is first called.',
    nounWithName(call.kind, calledName(call)),
  );
}

function nounWithName(kind: Call['kind'], name: string): string {
  switch (kind) {
    case 'function':
    case 'attribute':
    case 'column':
      return t('The function "{0}"', name);
    case 'operator':
      return t('The operator {0}', name);
    case 'type':
      return t('The type "{0}"', name);
    case 'sampling':
      return t('The sampling method "{0}"', name);
    case 'view':
      return t('The view "{0}"', name);
  }
}

/** Returns the tokens with the name of each call. One pass: a statement may have thousands of calls. */
function tokensByName(
  code: TokenList,
  span: StatementSpan,
  calls: readonly Call[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>(calls.map((call) => [keyOf(call), []]));
  for (let index = span.firstToken; found.size > 0 && index <= span.lastToken; index++) {
    const isOperator = code.kind(index) === TokenKind.operator;
    const name = isOperator ? code.textOf(index) : nameWithEscapeAt(code, index);
    found.get(`${isOperator ? 'operator' : ''} ${name ?? ''}`)?.push(index);
  }
  return found;
}

const keyOf = ({ kind, name }: Call): string => `${kind === 'operator' ? kind : ''} ${name}`;

/**
 * Returns the tokens of the call. If there are none, returns the first token with its name, otherwise the statement's
 * first token.
 */
function placesOf(
  code: TokenList,
  span: StatementSpan,
  call: Call,
  byName: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const isOne = shapes[call.kind];
  const named = byName.get(keyOf(call)) ?? [];
  const places = named.filter((index) => isOne(code, index, call));
  if (places.length > 0) return places;
  // A type may stand in many places.
  return call.kind === 'type' && named.length > 0 ? named : [named[0] ?? span.firstToken];
}

/** Token patterns that identify each kind of call. */
const shapes: Readonly<Record<Call['kind'], (code: TokenList, index: number, call: Call) => boolean>> = {
  function: (code, index, { schema }) =>
    code.is(behindName(code, index), '(') && (schema === undefined || nameAt(code, index - 2) === schema),
  attribute: isAttribute,
  column: (code, index, { schema }) => code.is(index - 1, '.') && nameAt(code, index - 2) === schema,
  operator: (code, index, { schema }) =>
    code.is(index - 1, '.') ? nameAt(code, index - 2) === schema : schema === undefined,
  type: (code, index) =>
    code.is(index - 1, '::') ||
    (code.is(index - 1, '.') && code.is(index - 3, '::')) ||
    ['as', 'returning'].includes(code.word(index - 1)),
  sampling: (code, index) => code.word(index - 1) === 'tablesample',
  view: (code, index) => !code.is(behindName(code, index), '('),
};

function behindName(code: TokenList, index: number): number {
  return code.word(index + 1) === 'uescape' ? index + 3 : index + 1;
}

/** Returns whether a value rather than a table precedes the dots: `(value).a.name` or `:value.name`. */
function isAttribute(code: TokenList, index: number): boolean {
  let first = index;
  while (code.is(first - 1, '.') && nameAt(code, first - 2) !== undefined) first -= 2;
  const before = first - 2;
  return (
    code.is(first - 1, '.') &&
    (code.is(before, ')') ||
      code.is(before, ']') ||
      code.kind(before) === TokenKind.placeholder ||
      code.kind(before) === TokenKind.positional)
  );
}
