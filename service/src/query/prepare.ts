/**
 * Translates a query with `:name` placeholders for PostgreSQL: `$1` placeholders, bound values, and mapped positions.
 */
import type { ParameterValue } from '#api/contract/execute.ts';
import { scan, type Token } from './lexer.ts';

export interface PreparedQuery {
  /** The text with `$n` in place of placeholders. */
  readonly sql: string;
  /** One value per `$n`, in PostgreSQL's text format or null. */
  readonly values: readonly (string | null)[];
  /** Type OIDs to send if PostgreSQL cannot infer them. 0 lets PostgreSQL decide. */
  readonly fallbackTypes: readonly number[];
  /** Placeholder names by `$n`, for messages. */
  readonly names: readonly string[];
  /** Maps a UTF-16 offset in `sql` to one in the original text. */
  readonly toOriginal: (offset: number) => number;
  readonly tokens: readonly Token[];
}

export interface PrepareProblem {
  readonly message: string;
  /** UTF-16 offset into the text. */
  readonly offset: number;
  readonly hint: string;
}

const oid = {
  bool: 16,
  text: 25,
  numeric: 1700,
  boolArray: 1000,
  textArray: 1009,
  numericArray: 1231,
} as const;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function prepareQuery(
  text: string,
  parameters: Readonly<Record<string, ParameterValue>>,
): PreparedQuery | PrepareProblem {
  const nul = text.indexOf('\0');
  if (nul >= 0)
    return { message: 'The query holds a NUL character.', offset: nul, hint: 'Remove the character.' };
  const tokens = scan(text);
  const given = new Map(Object.entries(parameters));
  const values: (string | null)[] = [];
  const fallbackTypes: number[] = [];
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const edits: Edit[] = [];

  const bind = (key: string, name: string, value: ParameterValue): string => {
    const known = numbers.get(key);
    if (known !== undefined) return `$${known}`;
    values.push(Array.isArray(value) ? arrayText(value) : scalarText(value));
    fallbackTypes.push(typeOf(value));
    names.push(name);
    numbers.set(key, values.length);
    return `$${values.length}`;
  };

  const lists = new InLists(text, tokens);
  let writtenOut = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'placeholder') continue;
    const name = text.slice(token.start + 1, token.end);
    const value = given.get(name);
    if (value === undefined) {
      return {
        message: `No value was given for the parameter :${name}.`,
        offset: token.start,
        hint: `Send parameters.${name} with the request.`,
      };
    }
    const membership = Array.isArray(value) ? lists.membership(index) : undefined;
    if (membership === 'mixed' && Array.isArray(value)) {
      if (value.length === 0) {
        return {
          message: `The list :${name} is empty and shares its brackets with other values.`,
          offset: token.start,
          hint: `Write IN (:${name}) on its own.`,
        };
      }
      writtenOut += value.length;
      if (writtenOut > mostWrittenOut) {
        return {
          message: `The lists that share their brackets with other values have more than ${mostWrittenOut} values together.`,
          offset: token.start,
          hint: `Write IN (:${name}) on its own, where a list may be longer.`,
        };
      }
      const each = value.map((item, position) => bind(`${name}[${position}]`, name, item));
      edits.push({ start: token.start, end: token.end, text: each.join(', ') });
    } else if (membership !== undefined && membership !== 'mixed') {
      // `x IN (list)` is equivalent to `x = ANY (array)`, even for an empty list.
      edits.push(membership.operator, { start: token.start, end: token.end, text: bind(name, name, value) });
    } else {
      // PostgreSQL would read `LIMIT$1` as one name.
      const touches = /[\w$\u0080-\uffff]/.test(text.charAt(token.start - 1));
      const number = bind(name, name, value);
      edits.push({ start: token.start, end: token.end, text: touches ? ` ${number}` : number });
    }
  }
  edits.sort((a, b) => a.start - b.start);
  return { ...applyEdits(text, edits), values, fallbackTypes, names, tokens };
}

/** How many values are written out one by one: as many as PostgreSQL takes. */
const mostWrittenOut = 65_535;

type Membership = { readonly operator: Edit } | 'mixed' | undefined;

/** Finds the lists after IN in which placeholders stand. */
class InLists {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  /** Whether the brackets around a value are those of IN, for each place that was looked at. */
  readonly #known = new Map<number, boolean>();

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /**
   * Returns the words to replace in `IN (:list)` or `NOT IN (:list)`; 'mixed' if the list has other values too, and
   * undefined if there is no IN.
   */
  membership(index: number): Membership {
    const keyword = this.#tokens[index - 2];
    if (keyword !== undefined && this.#isAfterIn(index) && this.#is(index + 1, ')')) {
      const not = this.#is(index - 3, 'NOT') ? this.#tokens[index - 3] : undefined;
      return {
        operator: {
          start: not?.start ?? keyword.start,
          end: keyword.end,
          text: not === undefined ? '= ANY' : '<> ALL',
        },
      };
    }
    // Steps back over `value ,` pairs within the same brackets, up to one that was looked at before.
    let at = index;
    while (!this.#known.has(at) && this.#is(at - 1, ',') && at >= 2) at -= 2;
    const isInList = this.#known.get(at) ?? this.#isAfterIn(at);
    this.#known.set(index, isInList);
    return isInList ? 'mixed' : undefined;
  }

  #isAfterIn(index: number): boolean {
    return this.#is(index - 1, '(') && this.#is(index - 2, 'IN');
  }

  #is(index: number, what: string): boolean {
    const token = this.#tokens[index];
    return (
      token !== undefined &&
      token.end - token.start === what.length &&
      this.#text.slice(token.start, token.end).toUpperCase() === what
    );
  }
}

function applyEdits(
  text: string,
  edits: readonly Edit[],
): { sql: string; toOriginal: (offset: number) => number } {
  let sql = '';
  let last = 0;
  const places: { at: number; length: number; start: number; end: number }[] = [];
  for (const edit of edits) {
    sql += text.slice(last, edit.start);
    places.push({ at: sql.length, length: edit.text.length, start: edit.start, end: edit.end });
    sql += edit.text;
    last = edit.end;
  }
  sql += text.slice(last);
  const toOriginal = (offset: number): number => {
    let shift = 0;
    for (const place of places) {
      if (offset < place.at) break;
      if (offset < place.at + place.length) return place.start;
      shift = place.end - (place.at + place.length);
    }
    return offset + shift;
  };
  return { sql, toOriginal };
}

function typeOf(value: ParameterValue): number {
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null);
    if (items.length > 0 && items.every((item) => typeof item === 'number')) return oid.numericArray;
    if (items.length > 0 && items.every((item) => typeof item === 'boolean')) return oid.boolArray;
    return oid.textArray;
  }
  if (typeof value === 'number') return oid.numeric;
  return typeof value === 'boolean' ? oid.bool : oid.text;
}

function scalarText(value: string | number | boolean | null): string | null {
  return value === null ? null : String(value);
}

/** Formats an array literal for PostgreSQL. */
function arrayText(values: readonly (string | number | boolean | null)[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, (char) => `\\${char}`)}"`,
  );
  return `{${items.join(',')}}`;
}
