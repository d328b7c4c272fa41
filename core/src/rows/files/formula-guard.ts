/**
 * Adds an apostrophe to text that spreadsheets would run as formulas, and removes it on reading (OWASP, CSV injection).
 * A cell can also start in the middle of a value, after a semicolon, tab or line break. This happens if the reader uses
 * a different separator or the value is pasted without quotes.
 */

/** Includes full-width forms, which spreadsheets treat like the plain characters. */
const calculated = /^[\s"'\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$|^-?infinity$/i;
/** An amount of money: a sign, one currency, digits and their separators. */
const amount = /^[+-](?:\p{Sc}\s?)?\d[\d.,\u00a0\u202f]*(?:\s?\p{Sc})?$/u;
/** As PostgreSQL writes an interval by default: nothing between its parts calculates. */
const interval = /^(?=[+-])(?:(?:^| )[+-]?\d+ (?:year|mon|day)s?)*(?:(?:^| )[+-]?\d+:\d\d:\d\d(?:\.\d+)?)?$/;
/**
 * In the middle of a value, a sign may belong to a list or a sum. It is harmless unless one of these characters
 * follows.
 */
const callsSomething = /[=@(|!\uff1d\uff20\uff08\uff5c\uff01]/;
const separators = /([;\t\r\n])/;
const hidden = /[,|][\s"'\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;

export function guardFormula(text: string): string {
  if (!separators.test(text)) return isCalculated(text) ? `'${text}` : text;
  return pieces(text)
    .map((piece, place) => (isGuarded(piece, place) ? `'${piece.text}${piece.separator}` : whole(piece)))
    .join('');
}

/**
 * Returns whether a cell of a reader that guesses another separator could start in the text, and run as a formula.
 * Quotes keep the text in one cell.
 */
export function hidesFormula(text: string): boolean {
  return hidden.test(text);
}

export function unguardFormula(text: string): string {
  if (!text.includes("'")) return text;
  return pieces(text)
    .map(({ text: piece, separator }, place, all) => {
      const plain = { text: piece.slice(1), separator };
      const isAlone = all.length === 1;
      return piece.startsWith("'") && (isAlone ? isCalculated(plain.text) : isGuarded(plain, place))
        ? whole(plain)
        : piece + separator;
    })
    .join('');
}

/** Returns whether a spreadsheet would run the text as a formula. */
export function isCalculated(text: string): boolean {
  return calculated.test(text) && ![plainNumber, amount, interval].some((plain) => plain.test(text));
}

/**
 * Returns whether a spreadsheet might run a UTF-8 string that starts with this byte as a formula. Only a result of
 * false is certain: the lead byte of a three-byte character always returns true.
 */
export function mayBeginFormula(byte: number): boolean {
  if (byte >= 0xe0 || (byte >= 0x80 && byte < 0xc0)) return true;
  const first = byte < 0x80 ? byte : (byte & 0x1f) << 6;
  const characters = Array.from({ length: byte < 0x80 ? 1 : 64 }, (_, low) =>
    String.fromCodePoint(first + low),
  );
  // True if the character is a sign, or may precede one.
  return characters.some((character) => calculated.test(`${character}=`));
}

interface Piece {
  readonly text: string;
  /** The separator after the text; empty for the last piece. */
  readonly separator: string;
}

function isGuarded({ text, separator }: Piece, place: number): boolean {
  // Some readers drop a leading line break or tab and run the rest as a formula.
  if (place === 0) return calculated.test(text) || (/^'*$/.test(text) && /[\t\r\n]/.test(separator));
  return calculated.test(text) && callsSomething.test(text);
}

function whole({ text, separator }: Piece): string {
  return text + separator;
}

function pieces(text: string): Piece[] {
  const parts = text.split(separators);
  const found: Piece[] = [];
  for (let index = 0; index < parts.length; index += 2)
    found.push({ text: parts[index] ?? '', separator: parts[index + 1] ?? '' });
  return found;
}
