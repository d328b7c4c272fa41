/**
 * Finds characters that are invisible or change how others are displayed: controls, bidi marks, zero-width characters,
 * variation selectors and Unicode tags. They are allowed where an emoji or a script needs them.
 */

/** Unicode's Default_Ignorable_Code_Point contains bidi, zero-width, filler, tag and variation characters. */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu;

/** Returns whether the text contains hidden characters, including line breaks and tabs. */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenIn(text).next().done !== true;
}

export interface HiddenCharacter {
  readonly character: string;
  /** UTF-16 offset in the text. */
  readonly offset: number;
}

/** Yields hidden characters in order, except those that belong to an emoji or to the spelling of a word. */
export function* hiddenIn(text: string): Generator<HiddenCharacter, undefined> {
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (!belongs(text, index, character)) yield { character, offset: index };
  }
}

/** Makes hidden characters visible, for example as `<U+202E>`. */
export function escapeHidden(text: string): string {
  return replaceHidden(text, codePointName);
}

/** The same for several lines, whose breaks and tabs stay. */
export function escapeHiddenInLines(text: string): string {
  return replaceHidden(text, (character) =>
    character === '\n' || character === '\t' ? character : codePointName(character),
  );
}

/** Replaces hidden characters, except those that belong to an emoji or to the spelling of a word. */
export function replaceHidden(text: string, shown: (character: string) => string): string {
  return text.replace(hidden, (character, offset: number) =>
    belongs(text, offset, character) ? character : shown(character),
  );
}

/** Formats a code point as pagers do: `<U+202E>`. */
function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

const zeroWidthJoiner = '\u200D';
const zeroWidthNonJoiner = '\u200C';

function belongs(text: string, offset: number, character: string): boolean {
  const before = characterBefore(text, offset);
  if (before === '') return false;
  switch (character) {
    case zeroWidthJoiner:
      return joinsEmoji(text, offset) || isBetweenLetters(text, offset);
    case zeroWidthNonJoiner:
      return isBetweenLetters(text, offset);
    default:
      return isVariation(before, character);
  }
}

/** A joiner in an emoji sequence may follow an emoji, a skin tone or a variation selector. */
const emojiEnd = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const emoji = /^\p{Extended_Pictographic}$/u;

function joinsEmoji(text: string, offset: number): boolean {
  return emojiEnd.test(characterBefore(text, offset)) && emoji.test(characterAt(text, offset + 1));
}

/** Letters of scripts whose spelling needs joiners. */
const joinedLetter =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u;

function isBetweenLetters(text: string, offset: number): boolean {
  return joinedLetter.test(characterBefore(text, offset)) && joinedLetter.test(characterAt(text, offset + 1));
}

const variesAsEmoji = /^[\p{Extended_Pictographic}#*0-9]$/u;
const variesAsHan = /^\p{Script=Han}$/u;

/**
 * Returns whether this is a variation selector after a character with variants. A second one is not allowed, since it
 * could hide data.
 */
function isVariation(before: string, character: string): boolean {
  if (character === '\uFE0E' || character === '\uFE0F') return variesAsEmoji.test(before);
  return /^[\uFE00-\uFE02\u{E0100}-\u{E01EF}]$/u.test(character) && variesAsHan.test(before);
}

function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, offset: number): string {
  if (offset === 0) return '';
  const isPair = offset > 1 && /[\uDC00-\uDFFF]/.test(text.charAt(offset - 1));
  return characterAt(
    text,
    isPair && /[\uD800-\uDBFF]/.test(text.charAt(offset - 2)) ? offset - 2 : offset - 1,
  );
}
