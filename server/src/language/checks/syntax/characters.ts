/** Advice on characters: unterminated strings, names and comments, and quotes or spaces from other sources. */
import { t } from '#base/texts.ts';
import type { Edit } from '#server/language/text/edits.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { endOfLineAt } from '#server/language/text/lines.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { advise, insertAt, replaceToken, type Advice } from './advice.ts';
import { clauseBefore } from './parentheses.ts';

export function unclosed(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.kind(at) !== TokenKind.invalid) return undefined;
  const text = code.textOf(at);
  if (text.startsWith('/*')) {
    const hint = t('Close the comment with */. A comment inside a comment needs its own.');
    return advise(hint, t('Close the comment'), insertAt(code.end(at), ' */'));
  }
  if (text.startsWith('"')) {
    return advise(
      t('Close the name with a double quote.'),
      t('Close the name'),
      insertAt(endOfName(code, at), '"'),
    );
  }
  if (/^([eEnNbBxX]|[uU]&)?'/.test(text)) {
    const hint = t("Close the string with a quote. A quote inside a string is written twice: 'it''s'.");
    return advise(hint, t('Close the string'), insertAt(endOfString(code, at), "'"));
  }
  const delimiter = /^\$[^$]*\$/.exec(text)?.[0];
  if (delimiter !== undefined) {
    const end = insertAt(endOfString(code, at), delimiter);
    return advise(t('Close the string with {0}.', delimiter), t('Close the string'), end);
  }
  if (/^\d/.test(text)) {
    const hint = t(
      'A name cannot start with a digit. Put a space after the number, or the name in double quotes.',
    );
    const [, number = '', word = ''] = /^(\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?)([a-z]+)$/i.exec(text) ?? [];
    const category = keywords.get(word.toLowerCase());
    // A name does not end with AND or BETWEEN, as in `1AND`.
    if (category !== undefined && category !== 'unreserved' && !isNameAt(code, at)) {
      const newText = `${number} ${word}`;
      return advise(hint, t('Write {0}', newText), replaceToken(code, at, newText));
    }
    return /^\d\w*$/.test(text)
      ? advise(hint, t('Write {0}', `"${text}"`), replaceToken(code, at, `"${text}"`))
      : { text: hint };
  }
  return undefined;
}

/** Returns whether the token stands for a name, since no number can stand there. */
const isNameAt = (code: TokenList, at: number): boolean =>
  ['from', 'join', 'as', 'only', 'with'].includes(code.word(at - 1)) ||
  code.is(at - 1, '.') ||
  (code.is(at - 1, ',') && clauseBefore(code, at) === 'from');

/** Returns the probable end of an unterminated string: the end of its first line, without trailing punctuation. */
function endOfString(code: TokenList, at: number): number {
  const start = code.start(at);
  let end = endOfLineAt(code.text, start);
  // Not a regular expression: one anchored at the end of the line would take quadratic time on spaces.
  while (end > start && /[\s;),]/.test(code.text.charAt(end - 1))) end--;
  return end;
}

/** An unterminated name most likely ends after one word. */
function endOfName(code: TokenList, at: number): number {
  const start = code.start(at);
  return start + 1 + (/^\w*/.exec(code.text.slice(start + 1))?.[0].length ?? 0);
}

const singleQuotes = /[\u2018\u2019\u201A\u201B]/g;
const doubleQuotes = /[\u201C\u201D\u201E\u00AB\u00BB]/g;
const typographicQuotes = new RegExp(`${singleQuotes.source}|${doubleQuotes.source}`);
const invisible = /[\u00A0\u2000-\u200D\u2028\u2029\u202F\u2060\u3000\uFEFF]/;
const everyInvisible = new RegExp(invisible, 'g');

/** PostgreSQL treats non-ASCII characters as letters, so pasted quotes and spaces become part of names. */
export function foreignCharacter(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  for (const index of [at, at - 1, at - 2]) {
    const advice = index < span.firstToken ? undefined : characterIn(code, span, index);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

const fullWidth = /[\uFF01-\uFF5E]/;
const everyFullWidth = new RegExp(fullWidth, 'g');
const ordinary = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0);
const inOrdinary = (code: TokenList, index: number): string =>
  code.kind(index) === TokenKind.word
    ? code.textOf(index).replaceAll(everyFullWidth, ordinary)
    : code.textOf(index);

/** Returns advice on the characters of a word that PostgreSQL reads as letters, unlike the user. */
export function characterIn(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken' | 'lastToken'>,
  index: number,
): Advice | undefined {
  if (code.kind(index) === TokenKind.word) {
    const word = code.textOf(index);
    if (fullWidth.test(word)) {
      const edits: Edit[] = [];
      for (let at = span.firstToken; at <= span.lastToken; at++) {
        const start = code.start(at);
        let newText = inOrdinary(code, at);
        // What touches it may belong to it: `＞=` is one operator.
        for (; at < span.lastToken && code.end(at) === code.start(at + 1); at++)
          newText += inOrdinary(code, at + 1);
        if (newText !== code.text.slice(start, code.end(at)))
          edits.push({ start, end: code.end(at), newText });
      }
      const hint = t(
        'Write {0}: full-width characters are read as letters.',
        [...new Set(word.match(everyFullWidth) ?? [])].map(ordinary).join(' '),
      );
      return advise(hint, t('Write ordinary characters'), ...edits);
    }
    if (typographicQuotes.test(word)) {
      const hint = t(
        'Use straight quotes: \' for strings, " for names. Typographic quotes are read as letters.',
      );
      return advise(hint, t('Write straight quotes'), ...straightQuotes(code, span));
    }
    const hidden = invisible.exec(word)?.[0];
    if (hidden !== undefined) {
      const codePoint = hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      const hint = t(
        'There is an invisible character (U+{0}) here, which is read as a letter. Replace it with a space.',
        codePoint,
      );
      const visible = word.replaceAll(everyInvisible, ' ');
      return advise(hint, t('Write a space'), replaceToken(code, index, visible));
    }
  }
  return undefined;
}

/** Replaces all typographic quotes in the statement, since quotes come in pairs. */
function straightQuotes(
  code: TokenList,
  { firstToken, lastToken }: Pick<StatementSpan, 'firstToken' | 'lastToken'>,
): readonly Edit[] {
  const edits: Edit[] = [];
  for (let index = firstToken; index <= lastToken; index++) {
    const text = code.kind(index) === TokenKind.word ? code.textOf(index) : '';
    const straight = text.replaceAll(singleQuotes, "'").replaceAll(doubleQuotes, '"');
    if (straight !== text) edits.push(replaceToken(code, index, straight));
  }
  return edits;
}

export function foreignQuoting(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const backticks = withoutBackticks(code, span);
  if (backticks.length > 1) {
    const hint = t('Quote names with double quotes; backticks do not quote names here.');
    return advise(hint, t('Write double quotes'), ...backticks);
  }
  if (!code.is(at, '[') || !isBeforeName(code, at)) return undefined;
  const hint = t('Quote names with double quotes; square brackets mean arrays here.');
  const names = withoutBrackets(code, span);
  const [only, second] = names;
  if (only === undefined || !names.some(({ start }) => start === code.start(at))) return { text: hint };
  return second === undefined
    ? advise(hint, t('Write {0}', only.newText), only)
    : advise(hint, t('Write double quotes'), ...names);
}

const isBeforeName = (code: TokenList, at: number): boolean =>
  ['select', 'from', 'join', 'by', 'where', 'and', 'or', 'on', 'as', 'distinct'].includes(
    code.word(at - 1),
  ) ||
  [',', '.', '('].some((symbol) => code.is(at - 1, symbol)) ||
  code.kind(at - 1) === TokenKind.operator;

/** Quotes every name in square brackets in the statement, since they rarely come alone. */
function withoutBrackets(code: TokenList, { firstToken, lastToken }: StatementSpan): readonly Edit[] {
  const edits: Edit[] = [];
  for (let at = firstToken; at < lastToken; at++) {
    if (!code.is(at, '[') || !isBeforeName(code, at)) continue;
    const close = Array.from({ length: 8 }, (_, count) => at + 1 + count).find((index) =>
      code.is(index, ']'),
    );
    const name = close === undefined ? '' : code.text.slice(code.end(at), code.start(close));
    if (close !== undefined && /^[A-Za-z_][\w ]*$/.test(name))
      edits.push({ start: code.start(at), end: code.end(close), newText: `"${name}"` });
  }
  return edits;
}

/** Replaces every backtick in the statement with a double quote. PostgreSQL parses backticks as operators. */
function withoutBackticks(code: TokenList, { firstToken, lastToken }: StatementSpan): readonly Edit[] {
  const edits: Edit[] = [];
  for (let index = firstToken; index <= lastToken; index++) {
    if (code.kind(index) === TokenKind.operator && code.textOf(index).includes('`'))
      edits.push(replaceToken(code, index, code.textOf(index).replaceAll('`', '"')));
  }
  return edits;
}

export function quotedPlaceholder(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const colon = code.is(at, ':') ? at : at - 1;
  const quoted = code.kind(colon + 1);
  if (!code.is(colon, ':') || (quoted !== TokenKind.string && quoted !== TokenKind.quotedName))
    return undefined;
  const hint = t('Write a parameter as :name, without quotes: its value is bound, never pasted.');
  const name = /^['"]([A-Za-z_]\w*)['"]$/.exec(code.textOf(colon + 1))?.[1];
  if (name === undefined) return { text: hint };
  const newText = `:${name}`;
  // The colon is replaced too, since what an edit leaves is kept apart from its text.
  const edit = { start: code.start(colon), end: code.end(colon + 1), newText };
  return advise(hint, t('Write {0}', newText), edit);
}

export function placeholderAsName(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.kind(at) !== TokenKind.placeholder) return undefined;
  const name = code.textOf(at);
  const isName = /^(as|from|join|table|collate|update|into)$/.test(code.word(at - 1)) || code.is(at - 1, '.');
  const text = isName
    ? t('{0} stands for a value. It cannot name a table, a column or an alias.', name)
    : t(
        '{0} stands for a value, which is not allowed here. Is an operator or a comma missing before it?',
        name,
      );
  return { text };
}
