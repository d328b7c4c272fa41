/** Formatting using protocol types, for a document or the statements in a range. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FormattingOptions, Range, TextEdit } from 'vscode-languageserver-types';
import { t } from '#base/texts.ts';
import { formatText, type FormatOutcome } from '../formatter/worker-formatter.ts';
import { describeLimit, isTooLong, limitOf } from '../language/checks/text-limits.ts';
import { withWrittenDirectives } from '../language/editing/format-directives.ts';
import { plainTokens, withTokensOf, withWhiteSpaceOf } from '../language/editing/format-guard.ts';
import type { LexedText } from '../language/text/lexer/tokens.ts';
import { splitStatements } from '../language/text/statements.ts';
import { lexFor, type ServerState } from '../state.ts';

export interface FormatDeps {
  /** Tells the user why nothing changed. */
  readonly tell: (message: string) => void;
  readonly state: ServerState;
}

export async function format(
  { tell, state }: FormatDeps,
  document: TextDocument,
  { tabSize, insertSpaces }: FormattingOptions,
  range?: Range,
): Promise<TextEdit[] | null> {
  const { dialect } = state;
  // Only PostgreSQL ignores the case of all unquoted words.
  const style = { ...state.format, ...(dialect === undefined ? {} : { keywordCase: 'preserve' as const }) };
  const text = document.getText();
  const limit = isTooLong(text) ? 'characters' : limitOf(lexFor(state, text));
  if (limit !== undefined) {
    tell(t('Nothing was formatted. {0}.', describeLimit(limit)));
    return [];
  }
  const { version } = document;
  const part = range === undefined ? wholeOf(text) : statementsIn(document, lexFor(state, text), range);
  if (part.start >= part.end) {
    return [];
  }
  const own = text.slice(part.start, part.end);
  const formatPart = async (written: string): Promise<PartOutcome> => {
    const plain = dialect === undefined ? plainTokens(written) : written;
    const outcome = await formatText({
      text: plain,
      tabWidth: tabSize,
      useTabs: !insertSpaces,
      style,
      dialect,
    });
    if (outcome.kind !== 'formatted') return outcome;
    const changesCase = style.keywordCase !== 'preserve';
    const given = withWhiteSpaceOf(plain, outcome.text, { dialect, changesCase });
    const isPlain = dialect !== undefined || given === undefined;
    const spaced = isPlain ? given : withTokensOf(written, given, { changesCase });
    return spaced === undefined ? { kind: 'changed' } : { kind: 'formatted', text: spaced };
  };
  const whole = await formatPart(own);
  const outcome =
    whole.kind === 'unreadable' || whole.kind === 'changed'
      ? ((await byStatement(lexFor(state, own), formatPart)) ?? whole)
      : whole;
  if (document.version !== version) {
    return null;
  }
  if (outcome.kind === 'too-slow') {
    tell(t('Nothing was formatted: the text is too large to be formatted in a few seconds.'));
    return [];
  }
  if (outcome.kind === 'unreadable') {
    tell(t('Nothing was formatted: the formatter cannot read this text. Fix the marked errors first.'));
    return [];
  }
  if (outcome.kind === 'changed') {
    tell(t('Nothing was formatted: more than white space would have changed.'));
    return [];
  }
  // Only the top of the text contains directives.
  const isTop = text.slice(0, part.start).trim() === '';
  const newText = isTop ? withWrittenDirectives(outcome.text) : outcome.text;
  return newText === own
    ? []
    : [
        {
          range: { start: document.positionAt(part.start), end: document.positionAt(part.end) },
          newText,
        },
      ];
}

type PartOutcome = FormatOutcome | { readonly kind: 'changed' };

/** Each statement starts the formatter anew, so only a text of a few is formatted one by one. */
const statementsMax = 20;

/** Formats each statement on its own and leaves those that cannot be formatted. Undefined if no statement can. */
async function byStatement(
  lexed: LexedText,
  formatPart: (text: string) => Promise<PartOutcome>,
): Promise<PartOutcome | undefined> {
  const statements = splitStatements(lexed);
  if (statements.length < 2 || statements.length > statementsMax) return undefined;
  let result = '';
  let copied = 0;
  let count = 0;
  for (const { start, end } of statements) {
    const outcome = await formatPart(lexed.text.slice(start, end));
    if (outcome.kind === 'too-slow') return outcome;
    if (outcome.kind === 'formatted') count++;
    result += lexed.text.slice(copied, start);
    result += outcome.kind === 'formatted' ? outcome.text : lexed.text.slice(start, end);
    copied = end;
  }
  return count === 0 ? undefined : { kind: 'formatted', text: result + lexed.text.slice(copied) };
}

/** Returns the text's range without leading or trailing whitespace, which is left unchanged. */
function wholeOf(text: string): { readonly start: number; readonly end: number } {
  return { start: text.length - text.trimStart().length, end: text.trimEnd().length };
}

function statementsIn(
  document: TextDocument,
  lexed: LexedText,
  range: Range,
): { readonly start: number; readonly end: number } {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  const touched = splitStatements(lexed).filter(({ start, end }) => start <= to && from <= end);
  return { start: touched[0]?.start ?? 0, end: touched.at(-1)?.end ?? 0 };
}
