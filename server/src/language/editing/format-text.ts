/** Formats a text, or as many of its statements as can be formatted. */
import type { LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';
import { hasSameTokens } from './format-guard.ts';
import { layOut, type PrintStyle } from './layout/layout.ts';

export interface FormattedText {
  readonly text: string;
  /** The first token that kept a statement from being formatted. */
  readonly refused?: { readonly token: string; readonly start: number };
}

/** @param read reads a text as the document's database does */
export function formatText(
  lexed: LexedText,
  style: PrintStyle,
  read: (text: string) => LexedText,
): FormattedText {
  const whole = formatted(lexed, style, read);
  if (typeof whole === 'string') return { text: whole };
  let text = '';
  let copied = 0;
  let refused: FormattedText['refused'];
  for (const { start, end } of splitStatements(lexed)) {
    const own = read(lexed.text.slice(start, end));
    const result = formatted(own, style, read);
    if (typeof result !== 'string') {
      refused ??= { token: result.token, start: start + result.start };
      continue;
    }
    text += lexed.text.slice(copied, start) + result;
    copied = end;
  }
  refused ??= whole;
  return { text: text + lexed.text.slice(copied), refused };
}

type Refused = NonNullable<FormattedText['refused']>;

function formatted(lexed: LexedText, style: PrintStyle, read: (text: string) => LexedText): string | Refused {
  const [problem] = lexed.problems;
  if (problem !== undefined) {
    const token = lexed.all.textOf(lexed.all.at(problem.start));
    return { token, start: problem.start };
  }
  const outcome = layOut(lexed, style);
  if (outcome.kind === 'unbalanced') return { token: outcome.token, start: outcome.start };
  const isSame = hasSameTokens(lexed, read(outcome.text), style.keywordCase !== 'preserve');
  return isSame ? outcome.text : { token: lexed.code.textOf(0), start: lexed.code.start(0) };
}
