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

/** As `nameAt`, with what `UESCAPE` behind a `U&"..."` says of its escapes. */
export function nameWithEscapeAt(code: TokenList, index: number): string | undefined {
  const token = code.textOf(index);
  return code.word(index + 1) === 'uescape' && /^[uU]&"/.test(token)
    ? unquote(token, code.textOf(index + 2).slice(1, -1))
    : nameAt(code, index);
}

/** Only ASCII letters are folded, as PostgreSQL does in UTF-8 databases. */
export function foldCase(word: string): string {
  return /[A-Z]/.test(word) ? word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : word;
}

function unquote(token: string, escape = '\\'): string {
  const isUnicode = /^[uU]&/.test(token);
  const name = token.slice(isUnicode ? 3 : 1, -1).replaceAll('""', '"');
  return isUnicode ? unescape(name, escape) : name;
}

/** `escape` stands before four hexadecimal digits, before a plus sign and six, or before itself. */
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
