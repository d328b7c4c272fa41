/** Identifiers as in PostgreSQL: unquoted names are folded to lower case, and quoted names are unchanged. */
import { keywords } from './keywords.ts';
import { TokenKind, type TokenList } from './lexer/tokens.ts';

/** Returns the name in a token; undefined if the token is not a name. */
export function nameAt(code: TokenList, index: number): string | undefined {
  switch (code.kind(index)) {
    case TokenKind.word:
      return foldCase(code.textOf(index));
    case TokenKind.quotedName:
      return unquote(code.textOf(index));
    default:
      return undefined;
  }
}

/** Like `nameAt`, but also applies UESCAPE after `U&"..."`. */
export function nameWithEscapeAt(code: TokenList, index: number): string | undefined {
  const token = code.textOf(index);
  return code.word(index + 1) === 'uescape' && /^[uU]&"/.test(token)
    ? unquote(token, code.textOf(index + 2).slice(1, -1))
    : nameAt(code, index);
}

/** Folds only ASCII letters, as PostgreSQL does in UTF-8 databases. */
function foldCase(word: string): string {
  return /[A-Z]/.test(word) ? word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : word;
}

function unquote(token: string, escape = '\\'): string {
  const isUnicode = /^[uU]&/.test(token);
  const name = token.slice(isUnicode ? 3 : 1, -1).replaceAll('""', '"');
  return isUnicode ? unescape(name, escape) : name;
}

/**
 * Decodes escapes: `escape` followed by four hexadecimal digits, by a plus sign and six digits, or by a second
 * `escape`.
 */
function unescape(name: string, escape: string): string {
  const [first = '', ...parts] = name.split(escape);
  let result = first;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const digits = /^(?:\+([0-9A-Fa-f]{6})|([0-9A-Fa-f]{4}))/.exec(part);
    if (digits !== null) {
      const [all, long, short] = digits;
      result += fromCodePoint(Number.parseInt(long ?? short ?? '', 16)) + part.slice(all.length);
    } else if (part === '' && index + 1 < parts.length) {
      index++;
      result += escape + (parts[index] ?? '');
    } else {
      result += escape + part;
    }
  }
  return result;
}

function fromCodePoint(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\uFFFD';
}

/** Returns whether a word is valid anywhere as a name without quotes. */
export const isPlainName = (word: string): boolean => {
  const category = keywords.get(word);
  return category !== 'reserved' && category !== 'typeOrFunctionName';
};

/** Columns that every table has, though no list of its columns names them. */
export const systemColumns: ReadonlySet<string> = new Set('ctid tableoid xmin xmax cmin cmax'.split(' '));

/** The kinds of quotes around names. */
export type NameQuotes = 'double' | 'backtick' | 'bracket';

/** Returns the name as written in a query, quoted if necessary. */
export function quoteName(name: string, isPlain: (word: string) => boolean, quotes?: NameQuotes): string {
  // Other dialects keep or ignore the case of unquoted names.
  const word = quotes === undefined ? /^[a-z_][a-z0-9_$]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/;
  if (word.test(name) && isPlain(name.toLowerCase())) return name;
  switch (quotes) {
    case 'backtick':
      return `\`${name.replaceAll('`', '``')}\``;
    case 'bracket':
      return `[${name.replaceAll(']', ']]')}]`;
    case 'double':
    case undefined:
      return `"${name.replaceAll('"', '""')}"`;
  }
}
