/** Names as PostgreSQL reads them: unquoted ones in lower case, quoted ones as they are. */
import { keywords } from './keywords.ts';
import { TokenKind, type TokenList } from './lexer/tokens.ts';

/** The name that a token stands for; undefined if it is no name. */
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

/** Only ASCII letters are folded, as PostgreSQL does in UTF-8 databases. */
export function foldCase(word: string): string {
  return /[A-Z]/.test(word) ? word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : word;
}

function unquote(token: string): string {
  const isUnicode = /^[uU]&/.test(token);
  const name = token.slice(isUnicode ? 3 : 1, -1).replaceAll('""', '"');
  return isUnicode
    ? name.replaceAll(/\\(?:\\|\+([0-9A-Fa-f]{6})|([0-9A-Fa-f]{4}))/g, (_, long?: string, short?: string) => {
        const digits = long ?? short;
        return digits === undefined ? '\\' : fromCodePoint(Number.parseInt(digits, 16));
      })
    : name;
}

function fromCodePoint(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\uFFFD';
}

/** Whether a word needs no quotes wherever a name may be. */
export const isPlainName = (word: string): boolean => {
  const category = keywords.get(word);
  return category !== 'reserved' && category !== 'typeOrFunctionName';
};

/** What stands around names that need it: PostgreSQL's double quotes, or what another dialect has. */
export type NameQuotes = 'double' | 'backtick' | 'bracket';

/** The name as it must be written in a query. */
export function quoteName(name: string, isPlain: (word: string) => boolean, quotes?: NameQuotes): string {
  // Other dialects do not fold names to lower case, or do not care.
  const word = quotes === undefined ? /^[a-z_][a-z0-9_$]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/;
  if (word.test(name) && isPlain(name.toLowerCase())) {
    return name;
  }
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
