/**
 * JSON without rounding. JavaScript numbers have about 16 digits; the service sends more (int8, numeric). The text of
 * a number that would change is kept as an ExactNumber, using the source text that JSON.parse passes to its reviver
 * (ECMAScript proposal "JSON.parse source text access", in V8 since 11.4).
 */
import { isDeeperThan, parseDeepJson, writeDeepJson } from './answers/deep-json.ts';

/** A JSON number as written, kept if a JavaScript number would print differently. */
export class ExactNumber {
  /** The number as the service sent it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest JavaScript number, for comparisons and charts; not for display. */
  toNumber(): number {
    return Number(this.text);
  }

  /** Serializes as the same number. `JSON.rawJSON` is part of the same proposal. */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

export type JsonValue =
  | null
  | boolean
  | string
  | number
  | ExactNumber
  | JsonValue[]
  | { [key: string]: JsonValue };

/**
 * Deepest nesting of lists and objects. Nothing that means something comes near, while five million brackets would keep
 * this thread for ten seconds.
 */
const levelsMax = 200_000;

export class TooDeepError extends SyntaxError {
  constructor() {
    super(`nested more than ${levelsMax} levels deep`);
    this.name = 'TooDeepError';
  }
}

/** @throws SyntaxError if the text is not JSON, TooDeepError if it is nested too deeply. */
export function parseJson(text: string): JsonValue {
  if (isDeeperThan(text, levelsMax)) throw new TooDeepError();
  if (!holdsInexactNumber(text)) return JSON.parse(text) as JsonValue; // JSON.parse returns nothing else
  try {
    return parseWithSource(text, (_key, value, context) =>
      typeof value === 'number' && context.source !== undefined && !isExact(value, context.source)
        ? new ExactNumber(context.source)
        : value,
    ) as JsonValue; // the reviver adds only ExactNumber
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The JSON is valid, since parsing precedes reviving, but too deep for the stack.
    return parseDeepJson(text, (written) =>
      isExact(Number(written), written) ? Number(written) : new ExactNumber(written),
    ) as JsonValue; // `toNumber` adds only ExactNumber
  }
}

/** Returns the JSON text of a value of any depth. Exact numbers keep every digit. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeepJson(value, { scalar: scalarText });
  }
}

/** Like `jsonText`, indented for reading; values too deep for the stack stay on one line. */
export function indentedJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return jsonText(value);
  }
}

/** Returns the text of a scalar; undefined for lists and objects. */
export function scalarText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
}

/**
 * Matches numbers with sixteen digits, a fraction or an exponent, where a value may start: after a name's closing quote
 * and colon, or in an array. Shorter numbers are exact. A match inside a string only costs time, but reviving takes
 * several times as long as parsing, so a hash such as "sha256:3e1f" must not match. Minus zero matches because it would
 * lose its sign.
 */
const longNumber = /(?:"\s*:|[[,])\s*(?:-?(?:\d{16}|\d+[.eE])|-0)/g;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function holdsInexactNumber(text: string): boolean {
  // Text that is just a number is rare and short, so assume that it is inexact.
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
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON; // TypeScript's library lacks rawJSON
