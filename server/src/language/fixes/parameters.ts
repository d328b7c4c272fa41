/** Declares a parameter, and extracts a literal into a parameter. */
import { t } from '#base/texts.ts';
import { readParameters } from '../checks/parameters/parameters.ts';
import { endsOperand } from '../names/over-tokens/words.ts';
import { populationPlaceholders } from '../text/control-directives.ts';
import type { Edit } from '../text/edits.ts';
import { nameAt } from '../text/identifiers.ts';
import { keywords } from '../text/keywords.ts';
import { TokenKind } from '../text/lexer/tokens.ts';
import type { Action, ActionPlace } from './action.ts';

export function declareParameter({ analysis, at }: ActionPlace): readonly Action[] {
  const { code } = analysis.lexed;
  const name = code.textOf(at).slice(1);
  const isDeclared = readParameters(analysis.directives).some((parameter) => parameter.name === name);
  if (code.kind(at) !== TokenKind.placeholder || isDeclared) return [];
  const finding = analysis.findings.find(
    (found) => found.code === 'UNDECLARED_PARAMETER' && code.textOf(code.at(found.start)) === `:${name}`,
  );
  const action: Action = {
    title: t('Declare {0}', name),
    kind: finding === undefined ? 'refactor.rewrite' : 'quickfix',
    edits: [declaration(analysis, `-- @param ${name} text`)],
    ...(finding === undefined ? {} : { finding }),
  };
  return [action];
}

/** Words after which a literal is a value, rather than part of a type or an output position. */
const valueWords = new Set('like ilike between and or when then else limit offset where'.split(' '));

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=']);

/** Words at which a condition starts or ends. */
const boundaries = new Set(
  'where on having when and or not then else end group order limit offset union intersect except fetch window'.split(
    ' ',
  ),
);

export function extractParameter({ analysis, first, last, at: end }: ActionPlace): readonly Action[] {
  const { code } = analysis.lexed;
  const type = typeOf(code.kind(end), code.textOf(end));
  // A sign belongs to its number.
  const isSigned =
    code.kind(end) === TokenKind.number && code.is(end - 1, '-') && !endsOperand(code, end - 2);
  const at = isSigned ? end - 1 : end;
  const literal = `${isSigned ? '-' : ''}${code.textOf(end)}`;
  const isValue =
    valueWords.has(code.word(at - 1)) ||
    (code.kind(at - 1) === TokenKind.operator && !code.is(at - 1, '::') && !code.is(at - 1, '*')) ||
    isInList(at);
  // A following cast or subscript also works with a parameter.
  if (type === undefined || !isValue || isInBy(at) || isSortedAlike()) return [];
  const isNamed = isComparison(at - 1) && !code.is(at - 3, '::');
  const name = freeName(isNamed ? (nameAt(code, at - 2) ?? 'value') : 'value');
  const action: Action = {
    title: type === 'text' ? t('Make the text a parameter') : t('Make the value a parameter'),
    kind: 'refactor.extract',
    edits: [
      declaration(analysis, `-- @param ${name} ${type} = ${literal}`),
      {
        start: code.start(at),
        end: code.end(end),
        // In quotes, a literal has no type yet either, and PostgreSQL reads both alike.
        newText: code.kind(end) === TokenKind.string || isDecided() ? `:${name}` : `:${name}::${type}`,
      },
    ],
  };
  return [action];

  /**
   * Whether the place decides the type, which has the value: LIMIT, OFFSET, a cast, or a comparison with a plain column.
   * Elsewhere, as in `current_date - 30`, PostgreSQL would take another type for the parameter.
   */
  function isDecided(): boolean {
    const next = end + 1;
    if (code.is(next, '::')) return true;
    if (['limit', 'offset'].includes(code.word(at - 1))) return type !== 'numeric';
    const isEnd = next > last || code.is(next, ')') || code.is(next, ',') || isBoundary(next);
    return isOfAnyNumber(literal) && isEnd && isPlainColumn(operandBefore());
  }

  /** Returns the last token of what the literal is compared with. */
  function operandBefore(): number {
    if (isInList(at)) {
      let open = at - 1;
      while (!code.is(open, '(')) open--;
      return open - (code.word(open - 2) === 'not' ? 3 : 2);
    }
    const isUpper = code.word(at - 1) === 'and' && isLiteral(at - 2) && code.word(at - 3) === 'between';
    const word = isUpper ? at - 3 : at - 1;
    const compares =
      comparisons.has(code.textOf(word)) || ['like', 'ilike', 'between'].includes(code.word(word));
    return compares ? word - (code.word(word - 1) === 'not' ? 2 : 1) : -1;
  }

  function isPlainColumn(end: number): boolean {
    if (end < first || nameAt(code, end) === undefined || keywords.get(code.word(end)) === 'reserved')
      return false;
    const start = code.is(end - 1, '.') ? end - 2 : end;
    return nameAt(code, start) !== undefined && (code.is(start - 1, '(') || isBoundary(start - 1));
  }

  function isBoundary(index: number): boolean {
    return boundaries.has(code.word(index));
  }

  function isComparison(index: number): boolean {
    return code.kind(index) === TokenKind.operator || ['like', 'ilike', 'between'].includes(code.word(index));
  }

  function isInList(index: number): boolean {
    let open = index - 1;
    while (open > first && (code.is(open, ',') || code.is(open, '-') || isLiteral(open))) open--;
    return code.is(open, '(') && code.word(open - 1) === 'in';
  }

  function isLiteral(index: number): boolean {
    return code.kind(index) === TokenKind.string || code.kind(index) === TokenKind.number;
  }

  /** With DISTINCT, what ORDER BY sorts by must be selected as it is written, with the same value. */
  function isSortedAlike(): boolean {
    const tokens = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const has = (word: string, before: string): boolean =>
      tokens.some((index) => code.word(index) === word && code.word(index + 1) === before);
    return (
      has('select', 'distinct') &&
      has('order', 'by') &&
      tokens.some((index) => index !== end && code.textOf(index) === code.textOf(end))
    );
  }

  /** In ORDER BY 1 and GROUP BY 1, the number is an output position. */
  function isInBy(index: number): boolean {
    for (let before = index - 1; before > first; before--) {
      if (code.word(before) === 'by')
        return !code.is(index - 1, '=') && (code.is(index - 1, ',') || before === index - 1);
      if (code.is(before, '(') || valueWords.has(code.word(before))) return false;
    }
    return false;
  }

  function freeName(wanted: string): string {
    const base =
      /^[A-Za-z_]\w*$/.test(wanted) && !valueWords.has(wanted) && keywords.get(wanted) !== 'reserved'
        ? wanted
        : 'value';
    const taken = new Set([
      ...analysis.statements.flatMap(({ placeholders }) => placeholders.map((use) => use.name)),
      ...readParameters(analysis.directives).map((parameter) => parameter.name),
      ...populationPlaceholders(analysis.lexed.text, analysis.directives).map((use) => use.name),
    ]);
    let candidate = base;
    for (let number = 2; taken.has(candidate); number++) candidate = `${base}${number}`;
    return candidate;
  }
}

function typeOf(kind: TokenKind, literal: string): string | undefined {
  if (kind === TokenKind.number) {
    if (/^\d+$/.test(literal)) return wholeNumberType(BigInt(literal));
    return /^\d*\.\d+$/.test(literal) ? 'numeric' : undefined;
  }
  if (kind !== TokenKind.string || !/^'[^\r\n]*'$/.test(literal)) return undefined;
  return /^'\d{4}-\d{2}-\d{2}'$/.test(literal) ? 'date' : 'text';
}

/** Returns whether even the smallest type of numbers has the value, so that the type of any column does. */
const isOfAnyNumber = (literal: string): boolean =>
  /^-?\d+$/.test(literal) && Math.abs(Number(literal)) < 2 ** 15;

/** Returns the type that PostgreSQL gives the constant. */
const wholeNumberType = (value: bigint): string =>
  value < 2n ** 31n ? 'integer' : value < 2n ** 63n ? 'bigint' : 'numeric';

/** Inserts a line after the last directive, or at the top. */
function declaration({ directives, lexed }: ActionPlace['analysis'], line: string): Edit {
  const lineEnd = lexed.text.includes('\r\n') ? '\r\n' : '\n';
  const end = directives.at(-1)?.end;
  return end === undefined
    ? { start: 0, end: 0, newText: line + lineEnd }
    : { start: end, end, newText: lineEnd + line };
}
