/**
 * JSON without rounding. JavaScript numbers hold about 16 digits; the service sends more (int8, numeric). The text of
 * a number that would change is kept as an ExactNumber, through the source text that JSON.parse hands its reviver
 * (ECMAScript proposal "JSON.parse source text access", in V8 since 11.4).
 */

/** A JSON number as it was written, where a JavaScript number would not print the same value. */
export class ExactNumber {
  /** The number as the service wrote it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest JavaScript number, for comparing and drawing; not for showing. */
  toNumber(): number {
    return Number(this.text);
  }

  /** Written back as the same number. `JSON.rawJSON` is part of the same proposal. */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

export type JsonValue =
  null | boolean | string | number | ExactNumber | JsonValue[] | { [key: string]: JsonValue };

/** @throws SyntaxError when the text is not JSON. */
export function parseJson(text: string): JsonValue {
  if (!holdsInexactNumber(text)) return JSON.parse(text) as JsonValue; // JSON.parse makes nothing else
  return parseWithSource(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isExact(value, context.source)
      ? new ExactNumber(context.source)
      : value,
  ) as JsonValue; // the reviver adds ExactNumber and nothing else
}

/**
 * Numbers of sixteen digits, with a fraction or an exponent, where a value may begin: after a name's closing quote and
 * colon, or in an array. Anything shorter is exact. What looks like it inside a string only costs time: reviving takes
 * several times as long as parsing, so a hash such as "sha256:3e1f" must not look like it.
 */
const longNumber = /(?:"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])/g;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function holdsInexactNumber(text: string): boolean {
  // A text that is one number is rare and short.
  if (/^\s*[-\d]/.test(text)) return true;
  for (const match of text.matchAll(longNumber)) {
    number.lastIndex = match.index + match[0].search(/-?\d/);
    const written = number.exec(text)?.[0];
    if (written === undefined || !isExact(Number(written), written)) return true;
  }
  return false;
}

function isExact(value: number, source: string): boolean {
  return String(value) === source;
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown; // TypeScript's library lacks the third argument
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON; // likewise
