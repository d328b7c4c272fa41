/** Which function's arguments the cursor is in, and which of them. */
import { knownFunctions } from './functions.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { nameAt } from '../text/identifiers.ts';
import type { Place } from './rename.ts';

export interface Signature {
  readonly label: string;
  readonly documentation: string;
  /** Where each parameter is in the label. */
  readonly parameters: readonly Place[];
  readonly activeParameter: number;
}

export function signatureAt(lexed: LexedText, offset: number): Signature | undefined {
  const { code } = lexed;
  let index = code.at(offset);
  // A parenthesis or comma counts once the cursor is behind it.
  index--;
  let depth = 0;
  let argument = 0;
  for (; index >= 0; index--) {
    if (code.is(index, ';')) {
      return undefined;
    }
    if (code.is(index, ')') || code.is(index, ']')) {
      depth++;
    } else if (code.is(index, '(') || code.is(index, '[')) {
      if (depth > 0) {
        depth--;
      } else {
        return code.is(index, '[') ? undefined : signatureOf(nameAt(code, index - 1), argument);
      }
    } else if (depth === 0 && code.is(index, ',')) {
      argument++;
    }
  }
  return undefined;
}

function signatureOf(name: string | undefined, argument: number): Signature | undefined {
  const known = knownFunctions.find((each) => each.name === name);
  if (known === undefined) {
    return undefined;
  }
  const parameters = parametersOf(known.signature).map(({ start, end }) => ({
    start: start + known.name.length,
    end: end + known.name.length,
  }));
  const last = parameters.at(-1);
  const label = `${known.name}${known.signature} → ${known.result}`;
  const isVariadic = last !== undefined && label.startsWith('VARIADIC', last.start);
  return {
    label,
    documentation: known.description,
    parameters,
    activeParameter: isVariadic ? Math.min(argument, parameters.length - 1) : argument,
  };
}

/** The arguments between the outer parentheses. */
function parametersOf(signature: string): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  let start = 1;
  for (let index = 0; index < signature.length; index++) {
    const character = signature[index];
    if (character === '(') {
      depth++;
    } else if (character === ')') {
      depth--;
    }
    const isEnd = depth === 0 || (depth === 1 && character === ',');
    if (isEnd && index > start) {
      places.push({ start, end: index });
      start = index + 2;
    }
  }
  return places;
}
