/** Suggests functions by their argument and return types, at any position or for an existing expression. */
import type { FunctionKinds } from './function-kinds.ts';
import { knownFunctions } from './functions.ts';
import type { Suggestion } from './suggestion.ts';
import type { TypeKind } from './type-kinds.ts';

/**
 * Ranks functions that return an expected kind right after the columns; those that also accept it come first. If
 * arguments are already written, functions that accept them come before everything else.
 */
export function functionSuggestions(
  functions: FunctionKinds,
  {
    wanted,
    args,
  }: {
    readonly wanted: ReadonlySet<TypeKind> | undefined;
    readonly args: readonly (TypeKind | undefined)[] | undefined;
  },
): readonly Suggestion[] {
  const isTold = args?.some((kind) => kind !== undefined) === true;
  return knownFunctions.map(({ name, signature, result, description }) => {
    const place =
      isTold && functions.takesAll(name, args)
        ? { rank: 0, order: 0 }
        : wanted === undefined || !functions.returns(name, wanted)
          ? { rank: 3 }
          : functions.keeps(name, wanted)
            ? { rank: 2, order: 1 }
            : { rank: 2 };
    return {
      label: name,
      kind: 'function' as const,
      insertText: name,
      detail: `${name}${signature} → ${result}`,
      result: functions.resultShown(name) ?? result,
      documentation: description,
      ...place,
    };
  });
}

/** @param operand the expression to wrap as an argument: `born` becomes `date_trunc(, born)` */
export function functionsTaking(
  kind: TypeKind,
  operand: string,
  functions: FunctionKinds,
): readonly Suggestion[] {
  const escaped = operand.replaceAll(/[$}\\]/g, String.raw`\$&`);
  return functions.taking(kind).map(({ known, argument, required, isAny }) => {
    const written = Array.from({ length: required }, (_, index) =>
      index === argument ? escaped : undefined,
    );
    let place = 0;
    const snippet = written.map((each) => each ?? `$${++place}`).join(', ');
    return {
      label: known.name,
      kind: 'function',
      insertText: `${known.name}(${operand})`,
      detail: `${known.name}${known.signature} → ${known.result}`,
      result: functions.resultShown(known.name) ?? known.result,
      documentation: known.description,
      rank: isAny ? 1 : 0,
      filterText: `${operand}.${known.name}`,
      ...(required === 1 ? {} : { snippet: `${known.name}(${snippet})` }),
    };
  });
}
