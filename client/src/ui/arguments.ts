/**
 * Arguments of commands, which come from anywhere: key bindings, links, rows of a view, other extensions. A command
 * says by parsers what it takes, and its handler gets typed values. Small on purpose: it loads with every window.
 */

/** What a parser answers where a value does not fit. */
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
/** From 0 on: lines, columns, places in a list. */
export const index: Parser<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : unfit;
/** For what is parsed further on, by a parser that loads later. */
export const anything: Parser<unknown> = (value) => value;
export const nothing: Parser<null> = (value) => (value === null ? null : unfit);

export function oneOf<const Value extends string>(values: readonly Value[]): Parser<Value> {
  return (value) => values.find((one) => one === value) ?? unfit;
}

export function instanceOf<Value>(type: {
  readonly prototype: Value;
  [Symbol.hasInstance](value: unknown): boolean;
}): Parser<Value> {
  return (value) => (type[Symbol.hasInstance](value) ? (value as Value) : unfit); // what hasInstance says
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

/** Values by name, whatever the names. */
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

/** Members that are not named do not matter: rows of views and menus bring more than is asked for. */
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

/** `undefined` and `null` are nothing: the editor hands over either. */
export function optional<Value>(parser: Parser<Value>): Parser<Value | undefined> {
  return (value) => (value === undefined || value === null ? undefined : parser(value));
}

/**
 * What somebody gives on purpose. What the editor hands over from a menu (an address, the group of an editor, the row
 * that has the focus) counts as nothing where it does not fit.
 */
export function given<Value>(parser: Parser<Value>): Parser<Value | undefined> {
  return (value) => {
    const parsed = optional(parser)(value);
    return parsed === unfit && isObject(value) ? undefined : parsed;
  };
}

/** @returns undefined where one does not fit; arguments that no parser stands for are dropped. */
export function parseArguments<const Parsers extends readonly Parser<unknown>[]>(
  parsers: Parsers,
  args: readonly unknown[],
): ValuesOf<Parsers> | undefined {
  const values = parsers.map((parser, position) => parser(args[position]));
  return values.includes(unfit) ? undefined : (values as unknown as ValuesOf<Parsers>); // one for each parser, in order
}

/** Positions and ranges of the editor have their members from their class; what every object has is none. */
function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) || !(name in Object.prototype) ? Reflect.get(value, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
