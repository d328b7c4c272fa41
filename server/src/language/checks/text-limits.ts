/**
 * Size limits for checks and editing features. Larger documents are not processed, so that other requests need not
 * wait; a finding reports the exceeded limit.
 */
import { locale, t } from '#base/texts.ts';
import {
  closeBracket,
  closeParenthesis,
  openBracket,
  openParenthesis,
  semicolon,
} from '../text/lexer/characters.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { endOfLineAt } from '../text/lines.ts';
import { finding, type Finding } from './finding.ts';

export const textLimits = {
  /** Maximum length of the whole text. The service accepts 100,000 characters per query. */
  characters: 2_000_000,
  /** Maximum number of checked statements. */
  statements: 10_000,
  /** Maximum nesting of parentheses and brackets. PostgreSQL's own limit is slightly higher. */
  nesting: 1_000,
} as const;

export type TextLimit = keyof typeof textLimits;

const known = new WeakMap<LexedText, { readonly limit: TextLimit | undefined }>();

/** Returns the first exceeded limit, or undefined if there is none. */
export function limitOf(lexed: LexedText): TextLimit | undefined {
  const found = known.get(lexed) ?? { limit: measure(lexed) };
  known.set(lexed, found);
  return found.limit;
}

export const isTooLong = (text: string): boolean => text.length > textLimits.characters;

function measure({ text, code }: LexedText): TextLimit | undefined {
  if (isTooLong(text)) return 'characters';
  let statements = 1;
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < code.length; index++) {
    if (code.kind(index) !== TokenKind.punctuation) continue;
    const symbol = text.charCodeAt(code.start(index));
    if (symbol === semicolon) {
      statements++;
      depth = 0;
    } else if (symbol === openParenthesis || symbol === openBracket) {
      deepest = Math.max(deepest, ++depth);
    } else if (symbol === closeParenthesis || symbol === closeBracket) {
      depth = Math.max(0, depth - 1);
    }
  }
  return deepest > textLimits.nesting
    ? 'nesting'
    : statements > textLimits.statements
      ? 'statements'
      : undefined;
}

/** Returns the beginning of a sentence about the text. */
export function describeLimit(limit: TextLimit): string {
  const most = textLimits[limit].toLocaleString(locale());
  switch (limit) {
    case 'characters':
      return t('This text is longer than {0} characters', most);
    case 'statements':
      return t('This text has more than {0} statements', most);
    case 'nesting':
      return t('This text has parentheses nested more than {0} levels deep', most);
  }
}

const consequences: Readonly<Record<TextLimit, () => string>> = {
  characters: () =>
    t(
      'it is not checked, and completion, hover and similar features are off. Split it; Run works on a selection.',
    ),
  statements: () =>
    t('the rest is not checked, and completion, hover and similar features are off. Split it.'),
  nesting: () => t('completion, hover and similar features are off. Use WITH for the inner parts.'),
};

/** Creates a finding on the first line for the limit. */
export function limitFinding(text: string, limit: TextLimit): Finding {
  const message = `${describeLimit(limit)}: ${consequences[limit]()}`;
  return finding('NOT_FULLY_CHECKED', message, 0, Math.max(1, endOfLineAt(text, 0)));
}
