/** Offers to escape invisible characters in a string, in case they are intentional. */
import { t } from '#base/texts.ts';
import type { Finding } from '../checks/finding.ts';
import { escapedHidden } from '../checks/hidden-characters.ts';
import type { NameContext } from '../names/name-context.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import type { Action } from './action.ts';

/**
 * Applies only to strings on a single line, since a continued string has several parts. The escapes are PostgreSQL's,
 * so no fix is offered for other dialects.
 */
export function escapeHidden(
  { code }: LexedText,
  finding: Finding,
  { nameQuotes }: NameContext,
): readonly Action[] {
  const at = code.at(finding.start);
  if (finding.code !== 'HIDDEN_CHARACTER' || nameQuotes !== undefined || code.kind(at) !== TokenKind.string)
    return [];
  const text = code.textOf(at);
  const newText = /[\r\n]/.test(text) ? undefined : escaped(text);
  return newText === undefined
    ? []
    : [
        {
          title: t('Write the invisible characters of this string as escapes'),
          kind: 'quickfix',
          edits: [{ start: code.start(at), end: code.end(at), newText }],
          finding,
        },
      ];
}

function escaped(text: string): string | undefined {
  if (text.startsWith("'")) return `U&${escapedHidden(text.replaceAll('\\', String.raw`\\`), unicodeEscape)}`;
  return /^e'/i.test(text) ? escapedHidden(text, escapeOfE) : undefined;
}

const unicodeEscape = (code: number): string => (code > 0xffff ? `\\+${hex(code, 6)}` : `\\${hex(code, 4)}`);
const escapeOfE = (code: number): string => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`);

const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0');
