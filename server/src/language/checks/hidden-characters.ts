/**
 * Reports invisible characters that can disguise the meaning of text ("Trojan Source", CVE-2021-42574): direction
 * controls, zero-width characters and tags. Those required by scripts and emoji are allowed in strings and comments.
 */
import { t } from '#base/texts.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { finding, type Finding } from './finding.ts';

const names: ReadonlyMap<number, string> = new Map([
  [0x061c, 'Arabic letter mark'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2061, 'function application'],
  [0x2062, 'invisible times'],
  [0x2063, 'invisible separator'],
  [0x2064, 'invisible plus'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'zero-width no-break space'],
]);

const hidden =
  /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
const everyHidden = new RegExp(hidden, 'gu');
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export interface HiddenCharacter {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** For example `U+202E`. */
  readonly codePoint: string;
  /** The Unicode name. */
  readonly name: string;
}

/** Returns the hidden character at or before the offset. */
export function hiddenCharacterAt(text: string, offset: number): HiddenCharacter | undefined {
  for (const start of [offset, offset - 1, offset - 2]) {
    const character = start < 0 ? '' : String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (hidden.test(character) && offset <= start + character.length) return describe(character, start);
  }
  return undefined;
}

/** Enough for any text that a person wrote; a document shows far fewer. */
const findingsMax = 10_000;

export function checkHiddenCharacters(lexed: LexedText): readonly Finding[] {
  const { text, all } = lexed;
  if (!hidden.test(text)) return [];
  const findings: Finding[] = [];
  for (let index = 0; index < all.length && findings.length < findingsMax; index++) {
    const token = all.textOf(index);
    if (!hidden.test(token)) continue;
    const kind = all.kind(index);
    const isProse = kind === TokenKind.string || kind === TokenKind.comment;
    for (const { 0: character, index: at } of token.matchAll(everyHidden)) {
      if (findings.length >= findingsMax) break;
      const start = all.start(index) + at;
      // A byte order mark at the start is allowed.
      if (!(start === 0 && character === '\ufeff') && !(isProse && isNeeded(token, at, character)))
        findings.push(toFinding(describe(character, start), character));
    }
  }
  return findings;
}

/** Escapes all hidden characters except those that a script or an emoji requires. */
export const escapedHidden = (text: string, write: (codePoint: number) => string): string =>
  text.replaceAll(everyHidden, (character, at: number) =>
    isNeeded(text, at, character) ? character : write(character.codePointAt(0) ?? 0),
  );

function describe(character: string, start: number): HiddenCharacter {
  const code = character.codePointAt(0) ?? 0;
  return {
    start,
    end: start + character.length,
    codePoint: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
    name: names.get(code) ?? 'tag',
  };
}

function toFinding({ start, end, codePoint, name }: HiddenCharacter, character: string): Finding {
  const effect = direction.test(character)
    ? t('The text that follows may be displayed in the wrong order')
    : t('The character cannot be seen, but it is part of the text');
  const message = t(
    'There is an invisible character here: {0}, {1}. {2}. Remove it.',
    codePoint,
    name,
    effect,
  );
  const fix = { title: t('Remove {0}', codePoint), edits: [{ start, end, newText: '' }] };
  return { ...finding('HIDDEN_CHARACTER', message, start, end), fix };
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** A letter from a script that uses joiners. */
const joinedLetter = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}]/u;
const emojiBefore = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const emoji = /\p{Extended_Pictographic}/u;

/** Returns whether the surrounding script or emoji requires the character. */
function isNeeded(token: string, at: number, character: string): boolean {
  const before = characterBefore(token, at);
  const after = String.fromCodePoint(token.codePointAt(at + character.length) ?? 0);
  switch (character) {
    case '\u200d':
      return (
        (emojiBefore.test(before) && emoji.test(after)) ||
        (joinedLetter.test(before) && (joinedLetter.test(after) || !hidden.test(after)))
      );
    case '\u200c':
      return joinedLetter.test(before) && joinedLetter.test(after);
    case '\u061c':
    case '\u200e':
    case '\u200f':
      return rightToLeft.test(before) || rightToLeft.test(after);
    default:
      return isFlagTag(token, at, character);
  }
}

function characterBefore(token: string, at: number): string {
  const isPair = /[\udc00-\udfff]/.test(token.charAt(at - 1)) && at >= 2;
  return token.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

/** A regional flag is a black flag, up to six tags, and a closing tag. */
function isFlagTag(token: string, at: number, character: string): boolean {
  if (character.length < 2) return false;
  let start = at;
  for (let count = 0; count < 7 && isTag(token, start - 2); count++) start -= 2;
  let end = at;
  for (let count = 0; count < 7 && isTag(token, end) && token.codePointAt(end) !== 0xe007f; count++) end += 2;
  return token.codePointAt(start - 2) === 0x1f3f4 && token.codePointAt(end) === 0xe007f;
}

const isTag = (token: string, at: number): boolean => {
  const code = token.codePointAt(at) ?? 0;
  return code >= 0xe0000 && code <= 0xe007f;
};
