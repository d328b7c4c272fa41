/** Character classes of PostgreSQL's lexer, by UTF-16 code unit. */

const code = (character: string): number => character.charCodeAt(0);
const lineFeed = 10;
const carriageReturn = 13;
export const quote = code("'");
export const doubleQuote = code('"');
export const backslash = code('\\');
export const dollar = code('$');
export const dot = code('.');
export const colon = code(':');
export const minus = code('-');
export const plus = code('+');
export const slash = code('/');
export const star = code('*');
export const underscore = code('_');
export const ampersand = code('&');
export const openParenthesis = code('(');
export const closeParenthesis = code(')');
export const openBracket = code('[');
export const closeBracket = code(']');
export const semicolon = code(';');

/** Classes of ASCII characters, as bits. All other characters can be part of names. */
const spaceBit = 1;
export const nameStartBit = 2;
const namePartBit = 4;
const digitBit = 8;
const hexDigitBit = 16;
export const operatorBit = 32;
export const tagPartBit = 64;
const punctuationBit = 128;
const classes = new Uint8Array(128);
function mark(characters: string, bits: number): void {
  for (const character of characters) classes[code(character)] = (classes[code(character)] ?? 0) | bits;
}
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
mark(' \t\n\r\f\v', spaceBit);
mark(`${letters}_`, nameStartBit | namePartBit | tagPartBit);
mark('0123456789', namePartBit | tagPartBit | digitBit | hexDigitBit);
mark('$', namePartBit);
mark('abcdefABCDEF', hexDigitBit);
mark('~!@#^&|`?+-*/%<>=', operatorBit);
mark(',;()[].', punctuationBit);

export const has = (character: number, bits: number): boolean =>
  character < 128 && ((classes[character] ?? 0) & bits) !== 0;
export const isSpace = (character: number): boolean => has(character, spaceBit);
export const isDigit = (character: number): boolean => has(character, digitBit);
export const isNameStart = (character: number): boolean => character > 127 || has(character, nameStartBit);
export const isNamePart = (character: number): boolean => character > 127 || has(character, namePartBit);
export const isTagPart = (character: number): boolean => character > 127 || has(character, tagPartBit);
/** Single characters that are a token of their own; not colons. */
export const isPunctuation = (character: number): boolean => has(character, punctuationBit);
export const isLineEnd = (character: number): boolean =>
  character === lineFeed || character === carriageReturn;
