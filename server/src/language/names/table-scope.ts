/**
 * Which tables a place in a text can speak of, from its tokens alone: unlike a parser this also works while the text
 * is broken, which it is while somebody types. It may miss a table; it is never used to report anything.
 */
import { keywords } from '../text/keywords.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { nameAt } from '../text/identifiers.ts';

export interface TableReference {
  readonly schema?: string;
  readonly name: string;
  /** The alias, or the name where there is none. */
  readonly alias: string;
}

const clauseEnds = new Set(
  'where group having window order limit offset fetch union intersect except select'.split(' '),
);

/** Tables of the SELECT around the token and of those around it, the innermost first. */
export function tablesInScope(
  code: TokenList,
  first: number,
  last: number,
  at: number,
): readonly TableReference[] {
  const references: TableReference[] = [];
  let [open, close] = enclosing(code, first, last, at);
  for (;;) {
    for (const reference of tablesBetween(code, open + 1, close - 1)) {
      references.push(reference);
    }
    if (open < first) {
      return references;
    }
    [open, close] = enclosing(code, first, last, open);
  }
}

/** The indexes of the parentheses around the token; one before and one behind the statement where there are none. */
function enclosing(code: TokenList, first: number, last: number, at: number): readonly [number, number] {
  let depth = 0;
  let open = at - 1;
  for (; open >= first; open--) {
    if (code.is(open, ')')) {
      depth++;
    } else if (code.is(open, '(') && depth-- === 0) {
      break;
    }
  }
  depth = 0;
  let close = at;
  for (; close <= last; close++) {
    if (code.is(close, '(')) {
      depth++;
    } else if (code.is(close, ')') && depth-- === 0) {
      break;
    }
  }
  return [open, close];
}

/** Tables of the FROM lists directly between the indexes, not inside further parentheses. */
function tablesBetween(code: TokenList, first: number, last: number): readonly TableReference[] {
  const references: TableReference[] = [];
  let depth = 0;
  let expectsTable = false;
  let isInFrom = false;
  for (let index = first; index <= last; index++) {
    const word = code.word(index);
    if (code.is(index, '(')) {
      depth++;
    } else if (code.is(index, ')')) {
      depth--;
      const alias = depth === 0 && isInFrom ? aliasAt(code, index + 1) : undefined;
      if (alias !== undefined) {
        references.push({ name: '', alias });
      }
    } else if (depth === 0 && (word === 'from' || word === 'join')) {
      isInFrom = true;
      expectsTable = true;
      continue;
    } else if (depth === 0 && clauseEnds.has(word)) {
      isInFrom = false;
    } else if (depth === 0 && isInFrom && code.is(index, ',')) {
      expectsTable = true;
      continue;
    }
    if (expectsTable && word !== 'only' && word !== 'lateral') {
      expectsTable = false;
      const reference = tableAt(code, index);
      if (reference !== undefined) {
        references.push(reference);
      }
    }
  }
  return references;
}

function tableAt(code: TokenList, index: number): TableReference | undefined {
  const isReserved = keywords.get(code.word(index)) === 'reserved';
  const first = isReserved ? undefined : nameAt(code, index);
  if (first === undefined) {
    return undefined;
  }
  const isQualified = code.is(index + 1, '.');
  const second = isQualified ? nameAt(code, index + 2) : undefined;
  if (isQualified && second === undefined) {
    return undefined;
  }
  const next = index + (second === undefined ? 1 : 3);
  const name = second ?? first;
  return { name, alias: aliasAt(code, next) ?? name, ...(second === undefined ? {} : { schema: first }) };
}

function aliasAt(code: TokenList, index: number): string | undefined {
  const at = code.word(index) === 'as' ? index + 1 : index;
  const category = keywords.get(code.word(at));
  return category === 'reserved' || category === 'typeOrFunctionName' ? undefined : nameAt(code, at);
}

/** Names that WITH gives to queries of the statement. */
export function commonTableNames(code: TokenList, first: number, last: number): readonly string[] {
  const names: string[] = [];
  for (let index = first; index <= last; index++) {
    const isBefore =
      code.word(index - 1) === 'with' || code.word(index - 1) === 'recursive' || code.is(index - 1, ',');
    const isDefinition =
      code.word(index + 1) === 'as' && (code.is(index + 2, '(') || code.word(index + 2) === 'materialized');
    const name = isBefore && isDefinition ? nameAt(code, index) : undefined;
    if (name !== undefined) {
      names.push(name);
    }
  }
  return names;
}
