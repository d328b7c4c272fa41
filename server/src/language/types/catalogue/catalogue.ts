/**
 * PostgreSQL's catalog of types, functions, operators and casts, used to type expressions. The lines, which
 * scripts/type-catalogue.js writes, are parsed lazily.
 */

/** A type's name in pg_type, such as `int4`, or `_text` for text[]. */
export type TypeName = string;

export interface TypeFact {
  readonly name: TypeName;
  /**
   * PostgreSQL's category letter: N numbers, S strings, D dates and times, B booleans, A arrays, P pseudo-types, and
   * others.
   */
  readonly category: string;
  readonly isPreferred: boolean;
  readonly kind: 'b' | 'r' | 'm' | 'p';
  /** The element type of an array. */
  readonly element?: TypeName;
  /** The type of an array of this type. */
  readonly array?: TypeName;
  /** The name in PostgreSQL's messages, such as `timestamp with time zone`. */
  readonly shown: string;
}

export interface FunctionFact {
  readonly name: string;
  readonly kind: 'function' | 'aggregate' | 'window';
  readonly givesSet: boolean;
  /** For an ordered-set or hypothetical-set aggregate: its kind, and the number of arguments before WITHIN GROUP. */
  readonly orderedSet?: { readonly kind: 'o' | 'h'; readonly direct: number };
  readonly result: TypeName;
  readonly args: readonly TypeName[];
  readonly isVariadic: boolean;
  /** The number of optional trailing arguments. */
  readonly defaults: number;
  readonly argNames: readonly string[];
  /** The column names of a table function, or the name of its single column. */
  readonly outputs: readonly { readonly name: string; readonly type: TypeName }[];
}

export interface OperatorFact {
  /** Undefined for a prefix operator. */
  readonly left: TypeName | undefined;
  readonly right: TypeName;
  readonly result: TypeName;
}

/** `implicit`: anywhere; `assignment`: when storing a value; `explicit`: only with CAST. */
export type CastContext = 'implicit' | 'assignment' | 'explicit';

/** The content of the catalog's file. */
export interface WrittenTypeCatalogue {
  readonly version: string;
  readonly types: string;
  readonly ranges: string;
  readonly casts: string;
  readonly operators: string;
  readonly functions: string;
  readonly collations: string;
  readonly zones: string;
  readonly extensionOperators: string;
  readonly extensionFunctions: string;
}

const contexts: Readonly<Record<string, CastContext>> = { i: 'implicit', a: 'assignment', e: 'explicit' };

export class TypeCatalogue {
  readonly #written: WrittenTypeCatalogue;
  readonly #types = new Map<TypeName, TypeFact>();
  readonly #byShown = new Map<string, TypeName>();
  readonly #casts = new Map<string, CastContext>();
  readonly #rangeOf = new Map<TypeName, { readonly subtype: TypeName; readonly multirange: TypeName }>();
  readonly #functions = new Map<string, readonly FunctionFact[]>();
  readonly #operators = new Map<string, readonly OperatorFact[]>();
  #extensionFunctions: ReadonlySet<string> | undefined;
  #collations: ReadonlySet<string> | undefined;
  #zones: ReadonlySet<string> | undefined;

  constructor(written: WrittenTypeCatalogue) {
    this.#written = written;
    for (const line of written.types.split('\n')) {
      const [name = '', category = '', preferred, kind, element, array, shown = name] = line.split('|');
      this.#types.set(name, {
        name,
        category,
        isPreferred: preferred === '1',
        kind: kind as TypeFact['kind'], // guaranteed by the script
        ...(element === '' || element === undefined ? {} : { element }),
        ...(array === '' || array === undefined ? {} : { array }),
        shown,
      });
      this.#byShown.set(shown, name);
    }
    for (const line of written.casts.split('\n')) {
      const [source = '', target = '', context = ''] = line.split(' ');
      this.#casts.set(`${source} ${target}`, contexts[context] ?? 'explicit');
    }
    for (const line of written.ranges.split('\n')) {
      const [range = '', subtype = '', multirange = ''] = line.split(' ');
      this.#rangeOf.set(range, { subtype, multirange });
    }
  }

  type(name: TypeName): TypeFact | undefined {
    return this.#types.get(name);
  }

  /** Finds a type by its name in PostgreSQL's messages. */
  typeShownAs(shown: string): TypeName | undefined {
    return this.#byShown.get(shown);
  }

  cast(source: TypeName, target: TypeName): CastContext | undefined {
    return this.#casts.get(`${source} ${target}`);
  }

  range(name: TypeName): { readonly subtype: TypeName; readonly multirange: TypeName } | undefined {
    return this.#rangeOf.get(name);
  }

  get ranges(): ReadonlyMap<TypeName, { readonly subtype: TypeName; readonly multirange: TypeName }> {
    return this.#rangeOf;
  }

  /** Returns all overloads of a function; empty if PostgreSQL itself has none. */
  functions(name: string): readonly FunctionFact[] {
    let found = this.#functions.get(name);
    if (found === undefined) {
      found = linesOf(this.#written.functions, `${name}|`).map(readFunction);
      this.#functions.set(name, found);
    }
    return found;
  }

  /** Returns all function names, sorted and without duplicates. */
  functionNames(): readonly string[] {
    return [...new Set(this.#written.functions.split('\n').map((line) => line.slice(0, line.indexOf('|'))))];
  }

  operators(name: string): readonly OperatorFact[] {
    return this.#readOperators(this.#written.operators, name, '');
  }

  /** Returns operators from bundled extensions, which the database may have installed. */
  extensionOperators(name: string): readonly OperatorFact[] {
    return this.#readOperators(this.#written.extensionOperators, name, 'extension ');
  }

  isExtensionFunction(name: string): boolean {
    this.#extensionFunctions ??= new Set(this.#written.extensionFunctions.split('\n'));
    return this.#extensionFunctions.has(name);
  }

  isCollation(name: string): boolean {
    this.#collations ??= new Set(this.#written.collations.split('\n'));
    return this.#collations.has(name);
  }

  /** @param name the time zone in lower case */
  isTimeZone(name: string): boolean {
    this.#zones ??= new Set(this.#written.zones.split('\n'));
    return this.#zones.has(name);
  }

  #readOperators(written: string, name: string, prefix: string): readonly OperatorFact[] {
    const key = `${prefix}${name}`;
    let found = this.#operators.get(key);
    if (found === undefined) {
      found = linesOf(written, `${name} `).map((line) => {
        const [, left = '', right = '', result = ''] = line.split(' ');
        return { left: left === '-' ? undefined : left, right, result };
      });
      this.#operators.set(key, found);
    }
    return found;
  }
}

/** Returns the contiguous lines that start with the given prefix. */
function linesOf(text: string, beginning: string): readonly string[] {
  const lines: string[] = [];
  let at = text.startsWith(beginning) ? 0 : text.indexOf(`\n${beginning}`) + 1;
  while ((at > 0 || text.startsWith(beginning)) && text.startsWith(beginning, at)) {
    const end = text.indexOf('\n', at);
    lines.push(text.slice(at, end < 0 ? undefined : end));
    if (end < 0) break;
    at = end + 1;
  }
  return lines;
}

const words = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(' ');

const kinds: Readonly<Record<string, FunctionFact['kind']>> = { a: 'aggregate', w: 'window' };

function readFunction(line: string): FunctionFact {
  const [name = '', flags = '', result = '', args, variadic, defaults, argNames, outputs] = line.split('|');
  const direct = /([oh])(\d+)$/.exec(flags);
  const columns = words(outputs);
  return {
    name,
    kind: kinds[flags[0] ?? ''] ?? 'function',
    givesSet: flags[1] === 's',
    ...(direct === null
      ? {}
      : { orderedSet: { kind: direct[1] === 'h' ? 'h' : 'o', direct: Number(direct[2]) } }),
    result,
    args: words(args),
    isVariadic: variadic === 'v',
    defaults: Number(defaults ?? 0),
    argNames: words(argNames),
    outputs: columns.flatMap((column, index) =>
      index % 2 === 0 ? [{ name: column, type: columns[index + 1] ?? '' }] : [],
    ),
  };
}
