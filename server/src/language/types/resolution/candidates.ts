/** Resolves overloaded functions and operators (manual, "Type Conversion"; parse_func.c, parse_oper.c). */
import type { FunctionFact, OperatorFact, TypeName } from '../catalogue/catalogue.ts';
import { isPolymorphic, type Coercion } from './coercion.ts';
import { bindPolymorphic } from './polymorphic.ts';

/** A function or operator with its argument types. */
interface Candidate {
  readonly args: readonly TypeName[];
}

/** Returns the candidates that accept the arguments, including polymorphic ones. */
function matching<T extends Candidate>(
  coercion: Coercion,
  given: readonly TypeName[],
  candidates: readonly T[],
): readonly T[] {
  return candidates.filter(
    ({ args }) =>
      args.length === given.length &&
      args.every((type, index) => coercion.can(given[index] ?? '', type)) &&
      (!args.some(isPolymorphic) || bindPolymorphic(coercion, args, given) !== undefined),
  );
}

/** Returns the best match, or undefined if the call is ambiguous. All candidates must accept the arguments. */
function best<T extends Candidate>(
  coercion: Coercion,
  given: readonly TypeName[],
  candidates: readonly T[],
): T | undefined {
  const isUnknown = given.map((type) => type === 'unknown');
  const score = (count: (type: TypeName, index: number) => boolean) => (candidate: T) =>
    candidate.args.filter((type, index) => isUnknown[index] !== true && count(type, index)).length;
  let left = highest(
    candidates,
    score((type, index) => type === given[index]),
  );
  if (left.length === 1) return left[0];
  left = highest(
    left,
    score(
      (type, index) =>
        type === given[index] ||
        (coercion.isPreferred(type) && coercion.category(type) === coercion.category(given[index] ?? '')),
    ),
  );
  if (left.length === 1 || !isUnknown.includes(true)) return left.length === 1 ? left[0] : undefined;
  left = byUnknown(coercion, isUnknown, left);
  if (left.length === 1) return left[0];
  // If all known types are equal, the unknown ones are assumed to be the same type.
  const known = new Set(given.filter((type) => type !== 'unknown'));
  const [type] = known;
  if (known.size !== 1 || type === undefined) return undefined;
  const same = matching(
    coercion,
    given.map(() => type),
    left,
  );
  return same.length === 1 ? same[0] : undefined;
}

function highest<T>(candidates: readonly T[], score: (candidate: T) => number): readonly T[] {
  const scores = candidates.map(score);
  const most = scores.reduce((best, own) => Math.max(best, own), 0);
  return candidates.filter((_, index) => scores[index] === most);
}

/**
 * Filters by the category of untyped literals: string if any candidate accepts it, otherwise the one that all
 * candidates share.
 */
function byUnknown<T extends Candidate>(
  coercion: Coercion,
  isUnknown: readonly boolean[],
  candidates: readonly T[],
): readonly T[] {
  const wanted = new Map<number, { category: string; hasPreferred: boolean }>();
  for (const [index, unknown] of isUnknown.entries()) {
    if (!unknown) continue;
    let slot: { category: string; hasPreferred: boolean } | undefined;
    let isConflict = false;
    for (const { args } of candidates) {
      const type = args[index] ?? '';
      const category = coercion.category(type);
      const isPreferred = coercion.isPreferred(type);
      if (slot === undefined) {
        slot = { category, hasPreferred: isPreferred };
      } else if (slot.category === category) {
        slot.hasPreferred ||= isPreferred;
      } else if (category === 'S') {
        slot = { category, hasPreferred: isPreferred };
      } else {
        isConflict = true;
      }
    }
    if (slot === undefined || (isConflict && slot.category !== 'S')) return candidates;
    wanted.set(index, slot);
  }
  const fitting = candidates.filter(({ args }) =>
    [...wanted].every(
      ([index, { category, hasPreferred }]) =>
        coercion.category(args[index] ?? '') === category &&
        (!hasPreferred || coercion.isPreferred(args[index] ?? '')),
    ),
  );
  return fitting.length === 0 ? candidates : fitting;
}

export interface CalledFunction {
  readonly fact: FunctionFact;
  /** Declared types, one for each given argument. */
  readonly args: readonly TypeName[];
}

export interface GivenArguments {
  readonly types: readonly TypeName[];
  /** Names of the trailing named arguments. */
  readonly names: readonly string[];
  /** Whether the last argument is an array of all variadic ones: `VARIADIC array`. */
  readonly isVariadic: boolean;
}

/** Caches choices by candidate list, since queries repeat many calls. */
class Choices<T> {
  readonly #made = new WeakMap<object, Map<string, T>>();

  of(facts: object, key: string, choose: () => T): T {
    let made = this.#made.get(facts);
    if (made === undefined) {
      made = new Map();
      this.#made.set(facts, made);
    }
    const before = made.get(key);
    if (before !== undefined || made.has(key)) {
      return before as T; // stored as T below
    }
    const choice = choose();
    if (made.size >= choicesMax) made.clear();
    made.set(key, choice);
    return choice;
  }
}

const choicesMax = 200;
const functionChoices = new Choices<CalledFunction | 'several' | undefined>();
const operatorChoices = new Choices<OperatorFact | 'several' | undefined>();

/**
 * Returns `several` if PostgreSQL would report an ambiguous call, or undefined if no candidate accepts the arguments.
 */
export function chooseFunction(
  coercion: Coercion,
  facts: readonly FunctionFact[],
  given: GivenArguments,
): CalledFunction | 'several' | undefined {
  const key = `${given.types.join(' ')}|${given.names.join(' ')}|${given.isVariadic ? 'v' : ''}`;
  return functionChoices.of(facts, key, () => choiceOfFunctions(coercion, facts, given));
}

function choiceOfFunctions(
  coercion: Coercion,
  facts: readonly FunctionFact[],
  given: GivenArguments,
): CalledFunction | 'several' | undefined {
  const candidates = withoutRepeats(facts.flatMap((fact) => callable(fact, given)));
  const exact = candidates.find(({ args }) => args.every((type, index) => type === given.types[index]));
  if (exact !== undefined) return exact;
  const fitting = matching(coercion, given.types, candidates);
  return fitting.length <= 1 ? fitting[0] : (best(coercion, given.types, fitting) ?? 'several');
}

/**
 * Expands variadic arguments and drops unused defaults. Returns nothing if the function does not accept that many
 * arguments.
 */
function callable(
  fact: FunctionFact,
  { types, names, isVariadic }: GivenArguments,
): readonly CalledFunction[] {
  const count = types.length;
  const { args, defaults } = fact;
  if (names.length > 0) return byName(fact, count, names);
  if (fact.isVariadic && (!isVariadic || args.at(-1) === 'any') && count >= args.length) {
    const last = args.at(-1) ?? '';
    const element = variadicElement(last);
    const fixed = args.slice(0, -1);
    return [{ fact, args: [...fixed, ...Array.from({ length: count - fixed.length }, () => element)] }];
  }
  if (isVariadic && !fact.isVariadic) return [];
  return count <= args.length && count >= args.length - defaults
    ? [{ fact, args: args.slice(0, count) }]
    : [];
}

function variadicElement(type: TypeName): TypeName {
  switch (type) {
    case 'anyarray':
      return 'anyelement';
    case 'anycompatiblearray':
      return 'anycompatible';
    default:
      return type.startsWith('_') ? type.slice(1) : type;
  }
}

function byName(fact: FunctionFact, count: number, names: readonly string[]): readonly CalledFunction[] {
  const positional = count - names.length;
  const places = names.map((name) => fact.argNames.indexOf(name));
  if (
    fact.argNames.length < fact.args.length ||
    places.some((place) => place < positional) ||
    new Set(places).size < places.length
  ) {
    return [];
  }
  const given = new Set(places);
  const isComplete = fact.args.every(
    (_, index) => index < positional || given.has(index) || index >= fact.args.length - fact.defaults,
  );
  return isComplete
    ? [
        {
          fact,
          args: [...fact.args.slice(0, positional), ...places.map((place) => fact.args[place] ?? '')],
        },
      ]
    : [];
}

/** Keeps one candidate for each signature: non-variadic ones win, then those with fewer defaults. */
function withoutRepeats(candidates: readonly CalledFunction[]): readonly CalledFunction[] {
  const bySignature = new Map<string, CalledFunction>();
  for (const candidate of candidates) {
    const key = candidate.args.join(' ');
    const other = bySignature.get(key);
    if (other === undefined || isSimpler(candidate.fact, other.fact)) bySignature.set(key, candidate);
  }
  return [...bySignature.values()];
}

const isSimpler = (one: FunctionFact, other: FunctionFact): boolean =>
  one.isVariadic === other.isVariadic ? one.args.length < other.args.length : !one.isVariadic;

/** @param left undefined for a prefix operator */
export function chooseOperator(
  coercion: Coercion,
  facts: readonly OperatorFact[],
  left: TypeName | undefined,
  right: TypeName,
): OperatorFact | 'several' | undefined {
  const key = `${left ?? ''} ${right}`;
  return operatorChoices.of(facts, key, () => choiceOfOperators(coercion, facts, left, right));
}

function choiceOfOperators(
  coercion: Coercion,
  facts: readonly OperatorFact[],
  left: TypeName | undefined,
  right: TypeName,
): OperatorFact | 'several' | undefined {
  const one = left === 'unknown' ? right : left;
  const two = right === 'unknown' && left !== undefined ? left : right;
  const exact = facts.find((fact) => fact.left === one && fact.right === two);
  if (exact !== undefined) return exact;
  const given = left === undefined ? [right] : [left, right];
  const candidates = facts
    .filter((fact) => (fact.left === undefined) === (left === undefined))
    .map((fact) => ({ fact, args: fact.left === undefined ? [fact.right] : [fact.left, fact.right] }));
  const fitting = matching(coercion, given, candidates);
  return fitting.length <= 1 ? fitting[0]?.fact : (best(coercion, given, fitting)?.fact ?? 'several');
}
