/**
 * Text that a spreadsheet would run as a formula gets a leading apostrophe, which is removed when the file is read
 * (OWASP, CSV injection). A cell may also start in the middle of a value, after a semicolon, a tab or a line break, if
 * the reader uses another separator or the value is pasted without quotes.
 */

/** Full-width forms too: spreadsheets treat them like the plain ones. */
const calculated = /^[\s"'\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$|^-?infinity$/i;
/** Lists and sums start with a sign, too; without one of these they call nothing. */
const callsSomething = /[=@(|!\uff1d\uff20\uff08\uff5c\uff01]/;
const separators = /([;\t\r\n])/;

export function guardFormula(text: string): string {
  if (!separators.test(text)) return isCalculated(text) ? `'${text}` : text;
  return pieces(text)
    .map((piece, place) => (isGuarded(piece, place) ? `'${piece.text}${piece.separator}` : whole(piece)))
    .join('');
}

/** Reverses `guardFormula`. */
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

/** Whether a spreadsheet would run the text as a formula. */
export function isCalculated(text: string): boolean {
  return calculated.test(text) && !plainNumber.test(text);
}

/**
 * Whether a UTF-8 text with this first byte may be run as a formula. False is certain; the first byte of a three-byte
 * character is always true.
 */
export function mayBeginFormula(byte: number): boolean {
  if (byte >= 0xe0 || (byte >= 0x80 && byte < 0xc0)) return true;
  const first = byte < 0x80 ? byte : (byte & 0x1f) << 6;
  const characters = Array.from({ length: byte < 0x80 ? 1 : 64 }, (_, low) =>
    String.fromCodePoint(first + low),
  );
  // A character before a sign is either skipped or is itself the sign.
  return characters.some((character) => calculated.test(`${character}=`));
}

interface Piece {
  readonly text: string;
  /** After it; empty after the last one. */
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
  for (let index = 0; index < parts.length; index += 2) {
    found.push({ text: parts[index] ?? '', separator: parts[index + 1] ?? '' });
  }
  return found;
}
