/**
 * Finds the parts of a statement that a syntax error leaves intact: without the clause that holds the error, the rest
 * may parse, and its names can be checked.
 */
import { isJoinWord } from '#server/language/names/over-tokens/words.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';

export interface IntactPart {
  /** The statement with spaces in place of the clause. */
  readonly text: string;
  /** Whether a finding about the token at the offset is about an intact part. */
  readonly holds: (start: number) => boolean;
}

/** Longer statements would be parsed several times while somebody types. */
const lengthMax = 4_000;

/** Clauses that can be left out without a change of what the names in the others mean. */
const removable: ReadonlySet<string> = new Set('where group having order limit offset'.split(' '));
const clauseWords: ReadonlySet<string> = new Set([
  ...removable,
  ...'select from window fetch for union intersect except with values into'.split(' '),
]);

/** A range of tokens. */
interface Piece {
  readonly first: number;
  readonly last: number;
}

/** What is left out, what stands there instead, and about which tokens a finding may still be. */
interface Cut extends Piece {
  readonly holds: (token: number) => boolean;
  /** Words that become a comma. */
  readonly comma?: Piece;
}

/**
 * @param text the statement as it was parsed
 * @param offset where PostgreSQL found the error, from the statement's start
 * @returns the statement without an item, a condition or a whole clause, the smallest first
 */
export function intactParts(
  code: TokenList,
  span: StatementSpan,
  text: string,
  offset: number | undefined,
): readonly IntactPart[] {
  if (offset === undefined || text.length > lengthMax) return [];
  const at = Math.min(code.at(span.start + offset), span.lastToken + 1);
  const reading = new Reading(code, span);
  // PostgreSQL finds most errors one token late.
  const cuts = [at - 1, at]
    .flatMap((token) => reading.cutsAround(token))
    .toSorted((one, other) => one.last - one.first - (other.last - other.first));
  const blank = (part: string, { first, last }: Piece, filler = ''): string => {
    const [from, to] = [code.start(first) - span.start, code.end(last) - span.start];
    return part.slice(0, from) + filler.padEnd(to - from) + part.slice(to);
  };
  const parts = cuts.map((cut): IntactPart => {
    const rest = blank(text, cut);
    return {
      text: cut.comma === undefined ? rest : blank(rest, cut.comma, ','),
      holds: (start) => {
        const token = code.at(start);
        return (token < cut.first || token > cut.last) && !isTorn(code, cut, token) && cut.holds(token);
      },
    };
  });
  return parts.filter((part, index) => parts.findIndex((other) => other.text === part.text) === index);
}

/** Returns whether the name may have gone on where the cut is, as in `sum,, (a)`. */
function isTorn(code: TokenList, { first, last }: Piece, token: number): boolean {
  const separates = (index: number): boolean => commas(code, index) || conditionWords(code, index);
  let [before, after] = [first - 1, last + 1];
  while (separates(before)) before--;
  while (separates(after)) after++;
  const goesOn = [first, first + 1, after].some((index) => code.is(index, '(') || code.is(index, '.'));
  return (token === before && goesOn) || (token === after && code.is(before, '.'));
}

interface Level {
  /** Tokens of the words that begin clauses. */
  readonly clauses: readonly number[];
  readonly last: number;
}

class Reading {
  readonly #code: TokenList;
  readonly #span: StatementSpan;
  /** Brackets that nothing closes or opens. */
  readonly #unmatched: ReadonlySet<number>;
  readonly #isTooOpen: boolean;

  constructor(code: TokenList, span: StatementSpan) {
    this.#code = code;
    this.#span = span;
    const open: number[] = [];
    const unmatched = new Set<number>();
    let hasSubquery = false;
    for (let index = span.firstToken; index <= span.lastToken; index++) {
      hasSubquery ||= code.is(index, '(') && isQueryAt(code, index + 1);
      if (code.is(index, '(') || code.is(index, '[')) open.push(index);
      else if ((code.is(index, ')') || code.is(index, ']')) && open.pop() === undefined) unmatched.add(index);
    }
    // A bracket too much may have ended a query early, so that others look like it.
    this.#isTooOpen = unmatched.size > 0 && hasSubquery;
    for (const index of open) unmatched.add(index);
    this.#unmatched = unmatched;
  }

  cutsAround(token: number): readonly Cut[] {
    const code = this.#code;
    if (this.#isTooOpen || token <= this.#span.firstToken || token > this.#span.lastToken) return [];
    const { clauses, last } = this.#levelAround(token);
    if (!areInOrder(clauses.map((clause) => code.word(clause)))) return [];
    const index = clauses.findLastIndex((clause) => clause <= token);
    const clause = clauses[index];
    if (clause === undefined) return [];
    const end = (clauses[index + 1] ?? last + 1) - 1;
    const word = code.word(clause);
    const own = { first: clause, last: end };
    if (removable.has(word)) {
      // With a table or its alias in it, the word is one too much.
      const isTooMuch = this.#between(clause, end).some((index) => isJoinWord(code, index));
      if (isTooMuch || code.word(clause + 1) === 'as') return [];
      const separators = word === 'where' || word === 'having' ? conditionWords : commas;
      return [...this.#items(own, token, separators), own].map((piece) => ({ ...piece, holds: () => true }));
    }
    const query = {
      clauses: clauses.slice(
        clauses.findLastIndex((each, at) => at <= index && code.word(each) === 'select'),
      ),
      last,
    };
    if (word === 'select') return this.#listCuts(query, own, token);
    return word === 'from' ? this.#tableCuts(query, own, token) : [];
  }

  /** What a list names may be missed by the clauses behind it, and by the queries around it. */
  #listCuts({ clauses, last }: Level, { first, last: end }: Piece, token: number): readonly Cut[] {
    const code = this.#code;
    // Without its tables, nothing is known about the names of a query.
    if (code.word(end + 1) !== 'from' || first === end) return [];
    const ownEnd =
      clauses.find((each) => each > first && !['from', 'where'].includes(code.word(each))) ?? last + 1;
    const list = { first: first + 1, last: end };
    return [...this.#items({ first, last: end }, token, commas), list].map((piece) => ({
      ...piece,
      holds: (place) => place > first && place < ownEnd,
    }));
  }

  /** Leaves out a condition of a join, or a join as a whole: then any bare name may be one of its table's. */
  #tableCuts({ clauses, last }: Level, { first, last: end }: Piece, token: number): readonly Cut[] {
    const code = this.#code;
    const starts = this.#between(first + 1, end).filter((index) => this.#startsItem(index));
    const start = starts.findLast((index) => index <= token);
    if (start === undefined) return [];
    const item = { first: start, last: (starts.find((index) => index > start) ?? end + 1) - 1 };
    const on = this.#between(start, item.last).find((index) => code.word(index) === 'on');
    const table = this.#between(start, item.last).find(
      (index) => !isOfJoin(code, index) && !code.is(index, ','),
    );
    if (on !== undefined && !isJoinWord(code, start)) return [];
    const condition =
      on === undefined || token < on
        ? []
        : this.#items({ first: on, last: item.last }, token, conditionWords);
    const cuts: Cut[] = condition.map((piece) => ({ ...piece, holds: () => true }));
    if (on !== undefined && token >= on && table !== undefined && table < on)
      cuts.push({
        first: on,
        last: item.last,
        comma: { first: start, last: table - 1 },
        holds: (place) => place < start || place > end,
      });
    const [select = first] = clauses;
    const hasStar = this.#between(select + 1, first - 1).some(
      (index) =>
        code.is(index, '*') && (index === select + 1 || code.is(index - 1, ',') || code.is(index - 1, '.')),
    );
    cuts.push({
      ...item,
      holds: (place) => {
        if (place < select || place > last) return !hasStar;
        return (place > first && place < start) || (code.is(place - 1, '.') && !this.#isOf(item, place - 2));
      },
    });
    return cuts;
  }

  /** Returns whether the name at a token also stands in the piece, which may define it. */
  #isOf({ first, last }: Piece, name: number): boolean {
    const word = this.#code.textOf(name).toLowerCase();
    return this.#between(first, last).some((index) => this.#code.textOf(index).toLowerCase() === word);
  }

  /** Returns the separator at the token, or the item around it with a separator. */
  #items({ first, last }: Piece, token: number, separators: Separators): readonly Piece[] {
    const code = this.#code;
    const found = this.#between(first + 1, last).filter(
      (index) =>
        separators(code, index) && !(code.word(index) === 'and' && code.word(index - 2) === 'between'),
    );
    const before = found.findLast((index) => index <= token);
    const after = found.find((index) => index > token);
    const pieces: Piece[] = before === token ? [{ first: token, last: token }] : [];
    if (before !== undefined) pieces.push({ first: before, last: (after ?? last + 1) - 1 });
    else if (after !== undefined)
      pieces.push({ first: first + (code.word(first + 1) === 'by' ? 2 : 1), last: after });
    return pieces;
  }

  /** Returns the tokens of a range that are in no bracket of their own. */
  #between(first: number, last: number): readonly number[] {
    const found: number[] = [];
    let depth = 0;
    for (let index = first; index <= last; index++) {
      const change = this.#change(index);
      if (change < 0) depth--;
      if (depth === 0) found.push(index);
      if (change > 0) depth++;
    }
    return found;
  }

  #startsItem(index: number): boolean {
    const code = this.#code;
    return code.is(index, ',') || (isOfJoin(code, index) && !isOfJoin(code, index - 1));
  }

  /** Returns the clauses of the innermost query around the token that is whole. */
  #levelAround(token: number): Level {
    const code = this.#code;
    let open = token;
    do open = this.#openingBefore(open);
    while (open >= this.#span.firstToken && (!isQueryAt(code, open + 1) || this.#unmatched.has(open)));
    const clauses: number[] = [];
    let depth = 0;
    let index = open + 1;
    for (; index <= this.#span.lastToken; index++) {
      depth += this.#change(index);
      if (depth < 0) break;
      // All that follows belongs to a query that nothing ends.
      if (depth === 0 && this.#unmatched.has(index) && isQueryAt(code, index + 1))
        return { clauses, last: this.#span.lastToken };
      if (depth === 0 && isClause(code, index)) clauses.push(index);
    }
    return { clauses, last: index - 1 };
  }

  /** Returns 1 for a bracket that opens and -1 for one that closes; one without its partner changes nothing. */
  #change(index: number): number {
    const code = this.#code;
    if (this.#unmatched.has(index)) return 0;
    if (code.is(index, '(') || code.is(index, '[')) return 1;
    return code.is(index, ')') || code.is(index, ']') ? -1 : 0;
  }

  /** Returns the bracket that is open before the token, or an index before the first token. */
  #openingBefore(token: number): number {
    const first = this.#span.firstToken;
    let closed = 0;
    let index = token - 1;
    for (; index >= first; index--) {
      if (this.#unmatched.has(index) && isQueryAt(this.#code, index + 1) && closed === 0) break;
      const change = this.#change(index);
      if (change < 0) closed++;
      else if (change > 0 && closed-- === 0) break;
    }
    return index < first ? first - 1 : index;
  }
}

const clauseOrder = 'with select into from where group having window order limit offset fetch for'.split(' ');

/** Returns whether each query of a level has each clause once and in its place, but for the last ones. */
function areInOrder(words: readonly string[]): boolean {
  const last = clauseOrder.indexOf('order');
  let before = -1;
  for (const word of words) {
    const place = clauseOrder.indexOf(word);
    if (place < 0) before = -1;
    else if (place <= before && !(place > last && before > last)) return false;
    else before = place;
  }
  return true;
}

type Separators = (code: TokenList, index: number) => boolean;

const commas: Separators = (code, index) => code.is(index, ',');
const conditionWords: Separators = (code, index) => ['and', 'or'].includes(code.word(index));
const isOfJoin = (code: TokenList, index: number): boolean =>
  isJoinWord(code, index) || code.word(index) === 'outer';

const isQueryAt = (code: TokenList, index: number): boolean => ['select', 'with'].includes(code.word(index));

function isClause(code: TokenList, index: number): boolean {
  if (!clauseWords.has(code.word(index)) || code.is(index - 1, '.')) return false;
  const before = code.word(index - 1);
  if (code.word(index) === 'from')
    return (
      before !== 'distinct' || code.kind(index - 2) !== TokenKind.word || code.word(index - 2) === 'select'
    );
  return before !== 'as' && before !== 'within';
}
