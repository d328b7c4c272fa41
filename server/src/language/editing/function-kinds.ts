/** The kinds of values that PostgreSQL's functions accept and return, used to rank and filter completions. */
import type { FunctionColumns } from '../names/name-context.ts';
import type { FunctionFact, TypeCatalogue } from '../types/catalogue/catalogue.ts';
import { typeWritten } from '../types/catalogue/type-names.ts';
import { knownFunctions, type KnownFunction } from './functions.ts';
import { kindOfType, type TypeKind } from './type-kinds.ts';

/** `any` accepts or returns every kind; undefined means a type of no known kind. */
type OverloadKind = TypeKind | 'any' | undefined;

export interface Overload {
  readonly args: readonly OverloadKind[];
  readonly isVariadic: boolean;
  /** Number of arguments without a default. */
  readonly required: number;
  readonly result: OverloadKind;
  readonly isWindow: boolean;
  /** Type names as PostgreSQL displays them. */
  readonly types: readonly string[];
  readonly resultType: string;
}

/** A function that accepts a given value as an argument. */
export interface TakingFunction {
  readonly known: KnownFunction;
  /** Index of the argument that accepts the value. */
  readonly argument: number;
  /** Number of arguments to write. */
  readonly required: number;
  /** Whether the argument accepts values of every kind. */
  readonly isAny: boolean;
}

export class FunctionKinds {
  readonly #catalogue: () => TypeCatalogue | undefined;
  readonly #read = new Map<string, readonly Overload[]>();
  readonly #results = new Map<string, string | undefined>();

  /**
   * @param catalogue PostgreSQL's functions; if it returns undefined, only the signatures offered by completion are
   * known
   */
  constructor(catalogue: () => TypeCatalogue | undefined) {
    this.#catalogue = catalogue;
  }

  /** Returns all overloads of a function; empty if the function is unknown. */
  overloads(name: string): readonly Overload[] {
    let found = this.#read.get(name);
    if (found === undefined) {
      const catalogue = this.#catalogue();
      const known = knownFunctions.find((each) => each.name === name);
      found =
        catalogue !== undefined
          ? catalogue.functions(name).map((fact) => overloadOf(fact, catalogue))
          : known === undefined
            ? []
            : [overloadWritten(known)];
      this.#read.set(name, found);
    }
    return found;
  }

  /** Returns the columns of the function in FROM; undefined if its overloads return different ones. */
  columnsOf(name: string): FunctionColumns | undefined {
    const catalogue = this.#catalogue();
    const facts = catalogue?.functions(name) ?? [];
    const columns = facts.map(({ outputs, result }): FunctionColumns | undefined => {
      if (outputs.length > 0) {
        return outputs.map(({ name: output, type }) => ({
          name: output,
          type: catalogue?.type(type)?.shown,
        }));
      }
      return result === 'record' || result === 'void' || mayBeRow(result) ? undefined : 'value';
    });
    return new Set(columns.map((each) => JSON.stringify(each))).size === 1 ? columns[0] : undefined;
  }

  /** Returns the kinds that the argument accepts; undefined if it accepts every kind, or the function is unknown. */
  kindsOfArgument(name: string, argument: number): ReadonlySet<TypeKind> | undefined {
    const kinds = this.overloads(name).flatMap((overload) =>
      argument < overload.args.length || overload.isVariadic ? [argumentOf(overload, argument)] : [],
    );
    const own = kinds.filter((kind) => kind !== undefined && kind !== 'any');
    return own.length === 0 || kinds.includes('any') ? undefined : new Set(own);
  }

  /** Returns whether an overload returns one of the kinds. */
  returns(name: string, wanted: ReadonlySet<TypeKind>): boolean {
    return this.overloads(name).some(({ result }) => isKind(result, wanted));
  }

  /** Returns whether an overload both accepts and returns one of the kinds, as `date_trunc` does. */
  keeps(name: string, wanted: ReadonlySet<TypeKind>): boolean {
    return this.overloads(name).some(
      ({ args, result }) => isKind(result, wanted) && args.some((arg) => arg === result),
    );
  }

  /** Returns whether an overload accepts these arguments. An undefined kind matches every parameter. */
  takesAll(name: string, kinds: readonly (TypeKind | undefined)[]): boolean {
    return this.overloads(name).some((overload) => takes(overload, kinds));
  }

  /** Returns the result type; undefined if the overloads for these arguments return different kinds. */
  resultOf(name: string, args: () => readonly (string | undefined)[]): string | undefined {
    const all = this.overloads(name);
    const [only] = all;
    if (all.length === 1 && only?.result !== 'any') return only?.resultType;
    const given = args().map((type) => this.shown(type));
    const kinds = given.map(kindOfType);
    const fitting = all
      .filter((overload) => takes(overload, kinds))
      .map(({ args: taken, types, result, resultType }) => ({
        type: result === 'any' ? given[taken.indexOf('any')] : resultType,
        same: given.filter((type, index) => type !== undefined && type === types[index]).length,
      }));
    const most = fitting.reduce((best, { same }) => Math.max(best, same), 0);
    const types = [...new Set(fitting.filter(({ same }) => same === most).map(({ type }) => type))];
    return new Set(types.map(kindOfType)).size === 1 ? types[0] : undefined;
  }

  /** Returns the type that a function of the list returns, with `…` if its overloads return other types too. */
  resultShown(name: string): string | undefined {
    if (!this.#results.has(name)) {
      const result = knownFunctions.find((each) => each.name === name)?.result;
      const own = result?.replace(/^SETOF /, '');
      const isOnly = this.overloads(name).every(
        (each) => each.resultType === own || isPseudoType(each.resultType),
      );
      this.#results.set(name, result === undefined || isOnly ? result : `${result}, …`);
    }
    return this.#results.get(name);
  }

  /** Returns a type's name as PostgreSQL displays it: `int4` becomes `integer`. */
  shown(type: string | undefined): string | undefined {
    const catalogue = this.#catalogue();
    const own = type === undefined || catalogue === undefined ? undefined : typeWritten(catalogue, type);
    return (own === undefined ? undefined : catalogue?.type(own)?.shown) ?? type;
  }

  /** Returns whether the type is PostgreSQL's preferred type in its category. */
  isPreferred(shown: string): boolean {
    const catalogue = this.#catalogue();
    const own = catalogue?.typeShownAs(shown);
    return own !== undefined && catalogue?.type(own)?.isPreferred === true;
  }

  /** Returns the functions that accept a value of the kind; those that accept only this kind come first. */
  taking(kind: TypeKind): readonly TakingFunction[] {
    const found = knownFunctions.flatMap((known): readonly TakingFunction[] => {
      // No comma separates its arguments.
      if (known.name === 'extract') return [];
      const fitting = this.overloads(known.name).flatMap(({ args, required, isWindow }) => {
        const own = args.indexOf(kind);
        const argument = own < 0 ? args.indexOf('any') : own;
        return argument < 0 || isWindow
          ? []
          : [{ known, argument, required: Math.max(required, argument + 1), isAny: own < 0 }];
      });
      return fitting
        .toSorted((a, b) => Number(a.isAny) - Number(b.isAny) || a.required - b.required)
        .slice(0, 1);
    });
    return found.toSorted((a, b) => Number(a.isAny) - Number(b.isAny));
  }
}

/** The argument decides the type, which may be a row's: its columns are then not known here. */
const mayBeRow = (result: string): boolean => result === 'anyelement' || result === 'anycompatible';

const isKind = (kind: OverloadKind, wanted: ReadonlySet<TypeKind>): boolean =>
  kind !== undefined && kind !== 'any' && wanted.has(kind);

function takes(overload: Overload, kinds: readonly (TypeKind | undefined)[]): boolean {
  const { args, isVariadic, required } = overload;
  return (
    kinds.length >= required &&
    (kinds.length <= args.length || isVariadic) &&
    kinds.every((kind, index) => {
      const taken = argumentOf(overload, index);
      return kind === undefined || taken === 'any' || taken === kind;
    })
  );
}

/** The last parameter of a variadic function repeats, and accepts every kind here. */
const argumentOf = ({ args, isVariadic }: Overload, index: number): OverloadKind =>
  isVariadic && index >= args.length - 1 ? 'any' : args[index];

function overloadOf(
  { args, defaults, isVariadic, result, kind }: FunctionFact,
  catalogue: TypeCatalogue,
): Overload {
  const shown = (type: string): string => catalogue.type(type)?.shown ?? type;
  return {
    args: args.map((type) => overloadKind(shown(type))),
    isVariadic,
    required: args.length - defaults - Number(isVariadic),
    result: overloadKind(shown(result)),
    isWindow: kind === 'window',
    types: args.map(shown),
    resultType: shown(result),
  };
}

/** Parses a signature such as `(target jsonb, silent boolean DEFAULT false)`. */
function overloadWritten({ signature, result }: KnownFunction): Overload {
  const written = signature.slice(1, -1);
  const args = written.split(', ').filter((arg) => arg !== '' && !arg.startsWith('OUT '));
  const isVariadic = written.includes('VARIADIC');
  return {
    args: args.map((arg) => overloadKind(arg) ?? overloadKind(arg.slice(arg.indexOf(' ') + 1))),
    isVariadic,
    required: args.filter((arg) => !arg.includes(' DEFAULT ')).length - Number(isVariadic),
    result: overloadKind(result.replace(/^SETOF /, '')),
    isWindow: false,
    types: args,
    resultType: result,
  };
}

const isPseudoType = (shown: string): boolean => shown.startsWith('any') || shown === 'record';

const overloadKind = (shown: string): OverloadKind =>
  /^"?any(?:element|nonarray|compatible|compatiblenonarray)?"?$/.test(shown) ? 'any' : kindOfType(shown);
