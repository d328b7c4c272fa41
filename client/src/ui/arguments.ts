/**
 * Parses command arguments, which are untrusted: they come from key bindings, links, view rows and other extensions. A
 * command declares parsers, and its handler receives typed values. Kept small, since it loads with every window.
 */

/** The result of a parser for an invalid value. */
export const unfit: unique symbol = Symbol('unfit');

export type Parser<Value> = (value: unknown) => Value | typeof unfit;

type ValueOf<Parsing> = Parsing extends (value: unknown) => infer Answer
  ? Exclude<Answer, typeof unfit>
  : never;

export type ValuesOf<Parsers extends readonly Parser<unknown>[]> = {
  [Index in keyof Parsers]: ValueOf<Parsers[Index]>;
};

export const text: Parser<string> = (value) => (typeof value === 'string' ? value : unfit);
export const flag: Parser<boolean> = (value) => (typeof value === 'boolean' ? value : unfit);
export const number: Parser<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : unfit;
/** Parses a 0-based index: a line, a column, or a position in a list. */
export const index: Parser<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : unfit;
/** Accepts any value; a parser that loads later checks it. */
export const anything: Parser<unknown> = (value) => value;
export const nothing: Parser<null> = (value) => (value === null ? null : unfit);

export function oneOf<const Value extends string | boolean>(values: readonly Value[]): Parser<Value> {
  return (value) => values.find((one) => one === value) ?? unfit;
}

export function instanceOf<Value>(type: {
  readonly prototype: Value;
  [Symbol.hasInstance](value: unknown): boolean;
}): Parser<Value> {
  return (value) => (type[Symbol.hasInstance](value) ? (value as Value) : unfit); // `hasInstance` confirmed the type
}

export function listOf<Value>(item: Parser<Value>): Parser<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value)) return unfit;
    const items: Value[] = [];
    for (const each of value as readonly unknown[]) {
      const parsed = item(each);
      if (parsed === unfit) return unfit;
      items.push(parsed);
    }
    return items;
  };
}

/** Parses an object with arbitrary keys. */
export function recordOf<Value>(item: Parser<Value>): Parser<Readonly<Record<string, Value>>> {
  return (value) => {
    if (!isObject(value)) return unfit;
    const entries: [string, Value][] = [];
    for (const [name, each] of Object.entries(value)) {
      const parsed = item(each);
      if (parsed === unfit) return unfit;
      entries.push([name, parsed]);
    }
    return Object.fromEntries(entries);
  };
}

/** Parses an object. Unknown members are ignored, since rows and menus pass more than needed. */
export function object<const Shape extends Readonly<Record<string, Parser<unknown>>>>(
  shape: Shape,
): Parser<{ readonly [Name in keyof Shape]: ValueOf<Shape[Name]> }> {
  return (value) => {
    if (!isObject(value)) return unfit;
    const entries = Object.entries(shape).map(
      ([name, member]) => [name, member(memberOf(value, name))] as const,
    );
    return entries.some(([, parsed]) => parsed === unfit)
      ? unfit
      : (Object.fromEntries(entries) as { readonly [Name in keyof Shape]: ValueOf<Shape[Name]> }); // member by member
  };
}

export function either<One, Other>(one: Parser<One>, other: Parser<Other>): Parser<One | Other> {
  return (value) => {
    const parsed = one(value);
    return parsed === unfit ? other(value) : parsed;
  };
}

/** Accepts `undefined` and `null` as absent, since the editor passes either. */
export function optional<Value>(parser: Parser<Value>): Parser<Value | undefined> {
  return (value) => (value === undefined || value === null ? undefined : parser(value));
}

/**
 * Parses an argument that was passed on purpose. Arguments from menus (a URI, an editor group, the focused row) count
 * as absent if they do not match.
 */
export function given<Value>(parser: Parser<Value>): Parser<Value | undefined> {
  return (value) => {
    const parsed = optional(parser)(value);
    return parsed === unfit && isObject(value) ? undefined : parsed;
  };
}

/** Treats a value of the wrong type as absent, since the editor and other extensions may pass anything. */
export function lenient<Value>(parser: Parser<Value>): Parser<Value | undefined> {
  return (value) => {
    const parsed = optional(parser)(value);
    return parsed === unfit ? undefined : parsed;
  };
}

/** Whether the editor has lost the row in whose menu the command stands, because it is drawing the rows again. */
export function isLostRow(args: readonly unknown[]): boolean {
  // Only the menu of a row passes two, the row and the selected ones.
  return args.length > 1 && args.every((arg) => arg === undefined || arg === null);
}

/** Parses the argument of a command that destroys data: whether the person has confirmed it already. */
export const confirmation = lenient(object({ isConfirmed: oneOf([true]) }));

/** @returns undefined if any argument is invalid; surplus arguments are dropped. */
export function parseArguments<const Parsers extends readonly Parser<unknown>[]>(
  parsers: Parsers,
  args: readonly unknown[],
): ValuesOf<Parsers> | undefined {
  const values = parsers.map((parser, position) => parser(args[position]));
  return values.includes(unfit) ? undefined : (values as unknown as ValuesOf<Parsers>); // one per parser, in order
}

/** Returns a member, unless it is inherited from Object. Positions and ranges define their members on the class. */
function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) || !(name in Object.prototype) ? Reflect.get(value, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
