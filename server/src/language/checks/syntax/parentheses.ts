/**
 * Finds the parentheses around a token, and its clause. Read once for a text: thousands of findings may ask, each of
 * which would otherwise read its statement back to the start.
 */
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import { clauseStarts } from './clauses.ts';

/** Indexes of tokens by the index of a token; -1 for none. */
interface Nesting {
  /** The parenthesis that directly encloses the token. */
  readonly openings: Int32Array;
  /** The last closing parenthesis before the token. */
  readonly closings: Int32Array;
  /** The last SELECT or first word of a clause before the token, within the same parentheses. */
  readonly clauses: Int32Array;
}

const known = new WeakMap<TokenList, Nesting>();

function nestingOf(code: TokenList): Nesting {
  const read = known.get(code) ?? readNesting(code);
  known.set(code, read);
  return read;
}

function readNesting(code: TokenList): Nesting {
  const create = () => new Int32Array(code.length + 1).fill(-1);
  const nesting = { openings: create(), closings: create(), clauses: create() };
  const open: number[] = [];
  /** The last clause at each depth. */
  const clauses = [-1];
  let closing = -1;
  for (let index = 0; index <= code.length; index++) {
    nesting.openings[index] = open.at(-1) ?? -1;
    nesting.closings[index] = closing;
    nesting.clauses[index] = clauses.at(-1) ?? -1;
    if (code.is(index, ';')) {
      open.length = 0;
      clauses.splice(0, clauses.length, -1);
      closing = -1;
    } else if (code.is(index, '(')) {
      open.push(index);
      clauses.push(-1);
    } else if (code.is(index, ')')) {
      closing = index;
      open.pop();
      clauses.pop();
      // One that closes nothing separates all that is before it.
      if (clauses.length === 0) clauses.push(-1);
    } else {
      const word = code.word(index);
      if (word === 'select' || clauseStarts.has(word)) clauses[clauses.length - 1] = index;
    }
  }
  return nesting;
}

/**
 * Returns the parenthesis of the same statement that directly encloses the token; undefined if there is none.
 *
 * @param isPlain whether it must be the opening one of plain values, with no other parentheses before the token
 */
export function openingAround(code: TokenList, at: number, isPlain = false): number | undefined {
  const { openings, closings } = nestingOf(code);
  const opening = openings[Math.min(at, code.length)] ?? -1;
  if (opening < 0) return undefined;
  return isPlain && (closings[Math.min(at, code.length)] ?? -1) > opening ? undefined : opening;
}

/** Returns the clause that contains the token at the same parenthesis depth. */
export function clauseBefore(code: TokenList, at: number): string | undefined {
  const clause = nestingOf(code).clauses[Math.min(at, code.length)] ?? -1;
  return clause < 0 ? undefined : code.word(clause);
}

/** Returns the token that closes the parenthesis, or the number of tokens if none does. */
export function closingOf(code: TokenList, open: number): number {
  let depth = 0;
  let at = open;
  for (; at < code.length; at++) {
    depth += code.is(at, '(') ? 1 : code.is(at, ')') ? -1 : 0;
    if (depth === 0) break;
  }
  return at;
}
