/**
 * Texts that a spreadsheet would calculate get an apostrophe in front, which reading takes away again (OWASP, CSV
 * injection). A cell may also begin inside a text, where the reader takes another character for the separator or a text is
 * pasted bare: behind a semicolon, a tab or a line break.
 */

/** Full-width forms too, which spreadsheets read as the plain ones. */
const calculated = /^[\s"'\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$|^-?infinity$/i;
/** Lists and sums begin with a sign, too; without one of these they call and start nothing. */
const callsSomething = /[=@(|!\uff1d\uff20\uff08\uff5c\uff01]/;
const separators = /([;\t\r\n])/;

export function guardFormula(text: string): string {
  if (!separators.test(text)) return isCalculated(text) ? `'${text}` : text;
  return pieces(text)
    .map((piece, place) => (isGuarded(piece, place) ? `'${piece.text}${piece.separator}` : whole(piece)))
    .join('');
}

/** The text that `guardFormula` was given. */
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

/** Whether a spreadsheet that takes the text for a cell would calculate it. */
export function isCalculated(text: string): boolean {
  return calculated.test(text) && !plainNumber.test(text);
}

/**
 * Whether a text of UTF-8 that begins with this byte may be one that is calculated. False is sure; what begins a character
 * of three bytes or more always may.
 */
export function mayBeginFormula(byte: number): boolean {
  if (byte >= 0xe0 || (byte >= 0x80 && byte < 0xc0)) return true;
  const first = byte < 0x80 ? byte : (byte & 0x1f) << 6;
  const characters = Array.from({ length: byte < 0x80 ? 1 : 64 }, (_, low) =>
    String.fromCodePoint(first + low),
  );
  // In front of a sign it is either passed over or the sign itself.
  return characters.some((character) => calculated.test(`${character}=`));
}

interface Piece {
  readonly text: string;
  /** Behind it; empty behind the last one. */
  readonly separator: string;
}

function isGuarded({ text, separator }: Piece, place: number): boolean {
  // A line break or tab in front has been dropped by readers, and what follows it calculated.
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
