/** Writes the overloads of PostgreSQL's functions for hover, signature help and completion. */
import { t } from '#base/texts.ts';
import type { FunctionFact, TypeCatalogue } from '../types/catalogue/catalogue.ts';
import { knownFunctions } from './functions.ts';

/** Enough for nearly every function; a longer list hides what it describes. */
const shownMax = 6;

/** Returns the first lines of a list of overloads, and how many more there are. */
export function firstOverloads(written: readonly string[]): readonly string[] {
  const rest = written.length - shownMax;
  return [...written.slice(0, shownMax), ...(rest > 0 ? [t('... {0} more', rest)] : [])];
}

/**
 * Returns each overload as `(text, integer) → text`, the one that completion offers first; empty if the function is
 * unknown.
 */
export function overloadsWritten(name: string, catalogue: TypeCatalogue | undefined): readonly string[] {
  const known = knownFunctions.find((each) => each.name === name);
  const facts = catalogue?.functions(name) ?? [];
  return [
    ...new Set([
      ...(known === undefined ? [] : [`${known.signature} → ${known.result}`]),
      ...facts.map((fact) => writtenFact(fact, catalogue)),
    ]),
  ];
}

function writtenFact(
  { args, argNames, isVariadic, result, givesSet }: FunctionFact,
  catalogue: TypeCatalogue | undefined,
): string {
  const shown = (type: string): string => catalogue?.type(type)?.shown ?? type;
  const parts = args.map((type, index) => {
    const name = argNames[index];
    const own = `${name === undefined || name === '' ? '' : `${name} `}${shown(type)}`;
    return isVariadic && index === args.length - 1 ? `VARIADIC ${own}` : own;
  });
  return `(${parts.join(', ')}) → ${givesSet ? 'SETOF ' : ''}${shown(result)}`;
}
