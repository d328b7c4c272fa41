/**
 * Comments that suppress findings. `-- identity-queries-ignore CODE[, CODE]: reason` applies to its own line or, if
 * alone on a line, to the next line of SQL. `-- identity-queries-ignore-file CODE: reason` applies to the whole text.
 */
import type { FindingCode } from '#base/finding-severities.ts';
import { t } from '#base/texts.ts';
import type { Edit } from '../text/edits.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { LineIndex } from '../text/lines.ts';
import { finding, type Finding, type Fix } from './finding.ts';

interface Suppression {
  readonly codes: readonly string[];
  /** The 0-based line that the comment applies to; undefined for the whole text. */
  readonly line: number | undefined;
  readonly start: number;
  readonly end: number;
}

const pattern =
  /^--[ \t]*identity-queries-ignore(-file)?(?:[ \t]+([A-Z][A-Z_]*(?:[ \t]*,[ \t]*[A-Z][A-Z_]*)*))?[ \t]*(?::.*)?$/;

/** Returns the remaining findings, plus one for each unused suppression. */
export function applySuppressions(lexed: LexedText, findings: readonly Finding[]): readonly Finding[] {
  if (!lexed.text.includes('identity-queries-ignore')) return findings;
  const lines = new LineIndex(lexed.text);
  const suppressions = readSuppressions(lexed, lines);
  // By place and code: there may be thousands of each.
  const known = new Set(
    suppressions.flatMap((suppression) => codesOf(suppression).map((code) => keyOf(suppression.line, code))),
  );
  const used = new Set<string>();
  const left = findings.filter(({ code, start }) => {
    const { line } = lines.positionAt(start);
    const matching = [line, undefined].filter(
      (place) => known.has(keyOf(place, code)) || known.has(keyOf(place, everyCode)),
    );
    for (const place of matching) {
      used.add(keyOf(place, code));
      used.add(keyOf(place, everyCode));
    }
    return matching.length === 0 || neverSuppressed.has(code);
  });
  return [...left, ...suppressions.flatMap((suppression) => unusedParts(lexed.text, suppression, used))];
}

const everyCode = '*';

const codesOf = ({ codes }: Suppression): readonly string[] => (codes.length === 0 ? [everyCode] : codes);

const keyOf = (line: number | undefined, code: string): string => `${line ?? ''} ${code}`;

/** Findings that cannot be suppressed, since they determine whether a query may run. */
export const neverSuppressed: ReadonlySet<FindingCode> = new Set<FindingCode>(['MUTATION_NOT_ALLOWED']);

function readSuppressions({ all, code }: LexedText, lines: LineIndex): readonly Suppression[] {
  const suppressions: Suppression[] = [];
  for (let index = 0; index < all.length; index++) {
    const match = all.kind(index) === TokenKind.comment ? pattern.exec(all.textOf(index).trimEnd()) : null;
    if (match !== null) {
      suppressions.push({
        codes: [...new Set(match[2]?.split(',').map((each) => each.trim()))],
        line: match[1] === undefined ? lineFor(lexedLineStart(all, index), lines) : undefined,
        start: all.start(index),
        end: all.end(index),
      });
    }
  }
  return suppressions;

  /** Returns the comment's offset if SQL precedes it on the line, otherwise the offset of the next token. */
  function lexedLineStart(tokens: LexedText['all'], comment: number): number {
    const { line } = lines.positionAt(tokens.start(comment));
    const isCode = (at: number): boolean =>
      tokens.kind(at) !== TokenKind.whitespace && tokens.kind(at) !== TokenKind.comment;
    for (let before = comment - 1; before >= 0; before--) {
      if (lines.positionAt(tokens.end(before)).line !== line) break;
      if (isCode(before)) return tokens.start(comment);
    }
    return code.start(code.at(tokens.end(comment)));
  }
}

function lineFor(offset: number, lines: LineIndex): number {
  return lines.positionAt(offset).line;
}

function unusedParts(text: string, suppression: Suppression, used: ReadonlySet<string>): readonly Finding[] {
  const { codes, start, end } = suppression;
  const isUsed = (code: string): boolean => used.has(keyOf(suppression.line, code));
  const unused = codes.filter((code) => !isUsed(code));
  const remove: Fix = { title: t('Remove the comment'), edits: [removal(text, suppression)] };
  if (codes.length === 0) {
    const message = t('This comment silences nothing. Remove it.');
    return isUsed(everyCode) ? [] : [{ ...finding('UNUSED_SUPPRESSION', message, start, end), fix: remove }];
  }
  const places = placesOf(text, suppression);
  return unused.map((code) => {
    const message = t('There is no {0} to silence here. Remove it from the comment.', code);
    const fix = unused.length === codes.length ? remove : withoutCode(places, code);
    return { ...finding('UNUSED_SUPPRESSION', message, start, end), fix };
  });
}

/** Removes the line if the comment is alone on it; otherwise, the comment and the space before it. */
function removal(text: string, { start, end }: Suppression): Edit {
  let from = start;
  while (from > 0 && /[ \t]/.test(text.charAt(from - 1))) from--;
  const isAlone = from === 0 || /[\r\n]/.test(text.charAt(from - 1));
  const lineEnd = isAlone ? (/^(\r\n|\r|\n)/.exec(text.slice(end))?.[0] ?? '') : '';
  return { start: from, end: end + lineEnd.length, newText: '' };
}

/** Returns what to remove for each code: its places in the list, each with one of the commas around it. */
function placesOf(text: string, { start, end }: Suppression): ReadonlyMap<string, readonly Edit[]> {
  const list = /[A-Z][A-Z_]*(?:[ \t]*,[ \t]*[A-Z][A-Z_]*)*/.exec(text.slice(start, end));
  const codes = [...(list?.[0] ?? '').matchAll(/[A-Z][A-Z_]*/g)].map(({ 0: code, index }) => {
    const from = start + (list?.index ?? 0) + index;
    return { code, from, to: from + code.length };
  });
  const removals = codes.map(({ code, from, to }, index): readonly [string, Edit] => {
    const next = codes[index + 1];
    const [own, last] = next === undefined ? [codes[index - 1]?.to ?? from, to] : [from, next.from];
    return [code, { start: own, end: last, newText: '' }];
  });
  return new Map(
    [...Map.groupBy(removals, ([code]) => code)].map(
      ([code, edits]) => [code, edits.map(([, edit]) => edit)] as const,
    ),
  );
}

function withoutCode(places: ReadonlyMap<string, readonly Edit[]>, code: string): Fix {
  return { title: t('Remove {0}', code), edits: places.get(code) ?? [] };
}
