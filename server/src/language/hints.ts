/**
 * Advice on a syntax error, derived from the tokens around PostgreSQL's cursor. Advice is given only where the tokens
 * speak clearly: no advice is better than wrong advice.
 */
import { keywords } from './keywords.ts';
import { TokenKind, type TokenList } from './lexer.ts';
import type { StatementSpan } from './statements.ts';

/** `at` is the index of the token under the cursor, `span.lastToken + 1` at the end of the input. */
export function hintFor(code: TokenList, span: StatementSpan, at: number): string | undefined {
  for (const rule of rules) {
    const hint = rule(code, span, at);
    if (hint !== undefined) {
      return hint;
    }
  }
  return undefined;
}

type HintRule = (code: TokenList, span: StatementSpan, at: number) => string | undefined;

const rules: readonly HintRule[] = [
  unclosed,
  foreignCharacter,
  foreignQuoting,
  quotedPlaceholder,
  placeholderAsName,
  foreignLimit,
  trailingComma,
  wrongKeyword,
  unbalancedParenthesis,
  reservedName,
  missingComma,
  unclosedCase,
];

function unclosed(code: TokenList, _span: StatementSpan, at: number): string | undefined {
  if (code.kind(at) !== TokenKind.invalid) {
    return undefined;
  }
  const text = code.textOf(at);
  if (text.startsWith('/*')) {
    return 'Close the comment with */. A comment inside a comment needs its own.';
  }
  if (text.startsWith('"')) {
    return 'Close the name with a double quote.';
  }
  if (/^([eEnNbBxX]|[uU]&)?'/.test(text)) {
    return "Close the string with a quote. A quote inside a string is written twice: 'it''s'.";
  }
  if (/^\$[^$]*\$/.test(text)) {
    return `Close the string with ${/^\$[^$]*\$/.exec(text)?.[0] ?? '$$'}.`;
  }
  if (/^\d/.test(text)) {
    return 'A name cannot start with a digit. Put a space after the number, or the name in double quotes.';
  }
  return undefined;
}

const typographicQuotes = /[\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u00AB\u00BB]/;
const invisible = /[\u00A0\u2000-\u200D\u2028\u2029\u202F\u2060\u3000\uFEFF]/;

/** PostgreSQL reads every character beyond ASCII as a letter: pasted quotes and spaces end up inside names. */
function foreignCharacter(code: TokenList, span: StatementSpan, at: number): string | undefined {
  for (const index of [at, at - 1, at - 2]) {
    if (index < span.firstToken || code.kind(index) !== TokenKind.word) {
      continue;
    }
    const word = code.textOf(index);
    if (typographicQuotes.test(word)) {
      return `Use straight quotes: ' for strings, " for names. Typographic quotes are read as letters.`;
    }
    const hidden = invisible.exec(word)?.[0];
    if (hidden !== undefined) {
      const codePoint = hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `There is an invisible character (U+${codePoint}) here, which is read as a letter. Replace it by a space.`;
    }
  }
  return undefined;
}

function foreignQuoting(code: TokenList, _span: StatementSpan, at: number): string | undefined {
  if (code.kind(at) === TokenKind.operator && code.textOf(at).includes('`')) {
    return 'Quote names with double quotes; backticks quote nothing here.';
  }
  if (
    code.is(at, '[') &&
    ['select', 'from', 'join', 'by', 'where', 'and', 'or'].includes(code.word(at - 1))
  ) {
    return 'Quote names with double quotes; square brackets mean arrays here.';
  }
  return undefined;
}

function quotedPlaceholder(code: TokenList, _span: StatementSpan, at: number): string | undefined {
  const colon = code.is(at, ':') ? at : at - 1;
  const quoted = code.kind(colon + 1);
  if (code.is(colon, ':') && (quoted === TokenKind.string || quoted === TokenKind.quotedName)) {
    return 'Write a parameter as :name, without quotes: its value is bound, never pasted.';
  }
  return undefined;
}

function placeholderAsName(code: TokenList, _span: StatementSpan, at: number): string | undefined {
  if (code.kind(at) !== TokenKind.placeholder) {
    return undefined;
  }
  const name = code.textOf(at);
  if (/^(as|from|join|table|collate|update|into)$/.test(code.word(at - 1)) || code.is(at - 1, '.')) {
    return `${name} stands for a value. It cannot name a table, a column or an alias.`;
  }
  return `${name} stands for a value, and no value may come here. Is an operator or a comma missing before it?`;
}

function foreignLimit(code: TokenList, _span: StatementSpan, at: number): string | undefined {
  if (code.kind(at) === TokenKind.number && code.word(at - 1) === 'top' && code.word(at - 2) === 'select') {
    return 'Write LIMIT at the end of the query instead of TOP.';
  }
  if (code.word(at) === 'limit' && code.is(at + 2, ',')) {
    return 'Write LIMIT count OFFSET start.';
  }
  return undefined;
}

/** Words that start a clause: right before one of them a comma is one too many. */
const clauseStarts = new Set(
  'from where group having order limit offset union intersect except window fetch'.split(' '),
);

function trailingComma(code: TokenList, span: StatementSpan, at: number): string | undefined {
  if (at - 1 < span.firstToken || !code.is(at - 1, ',')) {
    return undefined;
  }
  if (at > span.lastToken) {
    return 'Remove the comma at the end, or go on after it.';
  }
  if (code.is(at, ')') || clauseStarts.has(code.word(at))) {
    return `Remove the comma before ${code.textOf(at)}.`;
  }
  return code.is(at, ',') ? 'Remove one of the two commas.' : undefined;
}

const correctable =
  `select from where group order having limit offset union intersect except join left right inner outer full
  cross natural using distinct values between like ilike exists case when then else with recursive lateral`.split(
    /\s+/,
  );

/** A word that is one slip away from a key word, at the cursor or right before it. */
function wrongKeyword(code: TokenList, span: StatementSpan, at: number): string | undefined {
  for (const index of [at, at - 1, at - 2]) {
    const word = index < span.firstToken || index > span.lastToken ? '' : code.word(index);
    if (word.length < 4 || keywords.get(word) === 'reserved' || code.is(index - 1, '.')) {
      continue;
    }
    const meant = correctable.find((keyword) => isOneSlipAway(word, keyword));
    if (meant !== undefined && meant !== word) {
      return `Did you mean ${meant.toUpperCase()} instead of ${code.textOf(index)}?`;
    }
  }
  return undefined;
}

/** One letter more, less or other, or two neighbours swapped. */
function isOneSlipAway(word: string, keyword: string): boolean {
  if (Math.abs(word.length - keyword.length) > 1) {
    return false;
  }
  let prefix = 0;
  while (prefix < word.length && word[prefix] === keyword[prefix]) {
    prefix++;
  }
  let suffix = 0;
  const shorter = Math.min(word.length, keyword.length);
  while (suffix < shorter - prefix && word.at(-1 - suffix) === keyword.at(-1 - suffix)) {
    suffix++;
  }
  const wordMiddle = word.slice(prefix, word.length - suffix);
  const keywordMiddle = keyword.slice(prefix, keyword.length - suffix);
  return (
    Math.max(wordMiddle.length, keywordMiddle.length) <= 1 ||
    (wordMiddle.length === 2 && wordMiddle[0] === keywordMiddle[1] && wordMiddle[1] === keywordMiddle[0])
  );
}

function unbalancedParenthesis(code: TokenList, span: StatementSpan, at: number): string | undefined {
  let depth = 0;
  for (let index = span.firstToken; index < at; index++) {
    if (code.is(index, '(')) {
      depth++;
    } else if (code.is(index, ')')) {
      depth--;
    }
  }
  if (at > span.lastToken && depth > 0) {
    return depth === 1 ? 'A closing parenthesis is missing.' : `${depth} closing parentheses are missing.`;
  }
  return code.is(at, ')') && depth <= 0 ? 'There is no open parenthesis for this one.' : undefined;
}

function reservedName(code: TokenList, span: StatementSpan, cursor: number): string | undefined {
  // `user.name`: PostgreSQL stumbles over the dot behind the word.
  const at = code.is(cursor, '.') ? cursor - 1 : cursor;
  const word = code.word(at);
  const category = keywords.get(word);
  if (category !== 'reserved' && category !== 'typeOrFunctionName') {
    return undefined;
  }
  const isAfterName =
    ['from', 'join', 'as', 'update', 'into'].includes(code.word(at - 1)) || code.is(at - 1, '.');
  const isUsedAsName =
    at + 1 > span.lastToken ||
    code.kind(at + 1) === TokenKind.operator ||
    ['.', ',', ')'].some((symbol) => code.is(at + 1, symbol));
  return isUsedAsName || isAfterName
    ? `${code.textOf(at)} is a reserved word. To use it as a name, write "${word}".`
    : undefined;
}

/** `a b c` in a select list: a name, its alias, and then something that can only be the next item. */
function missingComma(code: TokenList, span: StatementSpan, at: number): string | undefined {
  const isName = (index: number): boolean => {
    const kind = code.kind(index);
    const category = keywords.get(code.word(index));
    return (
      index >= span.firstToken &&
      index <= span.lastToken &&
      (kind === TokenKind.quotedName ||
        (kind === TokenKind.word && category !== 'reserved' && category !== 'typeOrFunctionName'))
    );
  };
  const isValue = [TokenKind.string, TokenKind.number].some((kind) => kind === code.kind(at));
  const inSelectList = clauseBefore(code, span, at) === 'select';
  if (inSelectList && (isName(at) || isValue) && isName(at - 1) && (isName(at - 2) || code.is(at - 2, ')'))) {
    return `Is a comma missing before ${code.textOf(at)}?`;
  }
  return isValue && [TokenKind.string, TokenKind.number].some((kind) => kind === code.kind(at - 1))
    ? `Is a comma or an operator missing before ${code.textOf(at)}?`
    : undefined;
}

/** The clause word that governs the token, at its own depth of parentheses. */
function clauseBefore(code: TokenList, span: StatementSpan, at: number): string | undefined {
  let depth = 0;
  for (let index = at - 1; index >= span.firstToken; index--) {
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(')) {
      depth--;
    } else if (depth === 0 && (code.word(index) === 'select' || clauseStarts.has(code.word(index)))) {
      return code.word(index);
    }
    if (depth < 0) {
      return undefined;
    }
  }
  return undefined;
}

function unclosedCase(code: TokenList, span: StatementSpan, at: number): string | undefined {
  let open = 0;
  for (let index = span.firstToken; index < at; index++) {
    const word = code.word(index);
    if (word === 'case') {
      open++;
    } else if (word === 'end') {
      open--;
    }
  }
  return open > 0 && (at > span.lastToken || clauseStarts.has(code.word(at)) || code.is(at, ')'))
    ? 'A CASE needs its END.'
    : undefined;
}
