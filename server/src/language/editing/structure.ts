/** A document's structure: outline, folding ranges and selection ranges. */
import { type OutlineCommonTable, type OutlineQuery, firstSelect } from '../names/over-tokens/outline.ts';
import { readOutline } from '../names/over-tokens/read-outline.ts';
import { findConflictMarkers } from '../text/conflict-markers.ts';
import { nameAt } from '../text/identifiers.ts';
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';
import type { Place } from './rename.ts';

export type StructureKind = 'statement' | 'common-table' | 'column';

export interface StructureNode {
  readonly kind: StructureKind;
  readonly name: string;
  readonly detail: string;
  /** The whole range, in UTF-16 offsets. */
  readonly range: Place;
  readonly nameRange: Place;
  readonly children: readonly StructureNode[];
}

const between = (code: TokenList, first: number, last: number): Place => ({
  start: code.start(first),
  end: Math.max(code.end(last), code.end(first)),
});

export function structureOf(lexed: LexedText): readonly StructureNode[] {
  const { code } = lexed;
  // Both versions of the marked lines together are no statement.
  if (findConflictMarkers(lexed) !== undefined) return [];
  return splitStatements(lexed).map(({ firstToken, lastToken }) => {
    const { query } = readOutline(code, firstToken, lastToken);
    const word = code.textOf(firstToken).toUpperCase();
    const from = query === undefined ? '' : tablesOf(query);
    return {
      kind: 'statement',
      name: from === '' ? word : `${word} ${from}`,
      detail: '',
      range: between(code, firstToken, lastToken),
      nameRange: between(code, firstToken, firstToken),
      children: query === undefined ? [] : childrenOf(code, query),
    };
  });
}

/** Returns the names of the query's first tables, which help tell statements apart. */
function tablesOf(query: OutlineQuery): string {
  return [...new Set(namesIn(query))].slice(0, 3).join(', ');
}

/** Returns the tables, CTEs and functions that the query reads, also in subqueries of FROM. */
function namesIn(query: OutlineQuery): readonly string[] {
  const { relations = [] } = firstSelect(query) ?? {};
  return relations.flatMap((relation) =>
    relation.query === undefined
      ? (relation.table?.name ?? relation.commonTable?.definition.name ?? relation.functionName ?? [])
      : namesIn(relation.query),
  );
}

function childrenOf(code: TokenList, query: OutlineQuery): readonly StructureNode[] {
  return [
    ...query.commonTables.map((table) => commonTableNode(code, table)),
    ...(firstSelect(query)?.outputs ?? []).flatMap(({ first, last, definition }): readonly StructureNode[] =>
      definition === undefined
        ? []
        : [
            {
              kind: 'column',
              name: definition.name,
              detail: '',
              range: between(code, first, last),
              nameRange: between(code, definition.token, definition.token),
              children: [],
            },
          ],
    ),
  ];
}

function commonTableNode(code: TokenList, { definition, last, query }: OutlineCommonTable): StructureNode {
  const end = code.is(last + 1, ')') ? last + 1 : last;
  return {
    kind: 'common-table',
    name: definition.name,
    detail: 'WITH',
    range: between(code, definition.token, end),
    nameRange: between(code, definition.token, definition.token),
    children: query === undefined ? [] : childrenOf(code, query),
  };
}

export interface Fold extends Place {
  readonly kind: 'region' | 'comment';
}

/** Returns statements, parentheses and comment blocks. The caller drops single-line ranges. */
export function foldsOf(lexed: LexedText): readonly Fold[] {
  const { all, code } = lexed;
  const folds: Fold[] = splitStatements(lexed).map(({ start, end }) => ({ start, end, kind: 'region' }));
  const open: number[] = [];
  for (let index = 0; index < code.length; index++) {
    if (code.is(index, '(')) {
      open.push(index);
    } else if (code.is(index, ')')) {
      const start = open.pop();
      if (start !== undefined) {
        // Ends before the closing parenthesis, so that it stays visible.
        folds.push({ start: code.start(start), end: code.end(index - 1), kind: 'region' });
      }
    } else if (code.is(index, ';')) {
      open.length = 0;
    }
  }
  let first: number | undefined;
  for (let index = 0; index <= all.length; index++) {
    const kind = index < all.length ? all.kind(index) : TokenKind.invalid;
    if (kind === TokenKind.comment) {
      first ??= index;
    } else if (kind !== TokenKind.whitespace && first !== undefined) {
      const last = all.kind(index - 1) === TokenKind.comment ? index - 1 : index - 2;
      folds.push({ start: all.start(first), end: all.end(last), kind: 'comment' });
      first = undefined;
    }
  }
  return folds;
}

/** Returns the ranges around the offset, smallest first, each containing the one before it. */
export function selectionsAt(lexed: LexedText, offset: number): readonly Place[] {
  const { text, all, code } = lexed;
  const places: Place[] = [{ start: 0, end: text.length }];
  const add = (start: number, end: number): void => {
    if (start <= offset && offset <= end && start < end) places.push({ start, end });
  };
  const touching = [all.at(offset) - 1, all.at(offset)].filter(
    (index) => index >= 0 && index < all.length && all.kind(index) !== TokenKind.whitespace,
  );
  // Between a symbol and a name or value, prefer the name or value.
  const meant = touching.filter((index) => !isSymbol(all.kind(index)));
  for (const { firstToken, lastToken, start, end } of splitStatements(lexed)) {
    if (offset < start || offset > end) continue;
    add(start, end);
    const outline = readOutline(code, firstToken, lastToken);
    for (const query of outline.queries) add(code.start(query.first), code.end(query.last));
    for (const select of outline.selects) {
      add(code.start(select.first), code.end(select.last));
      for (const part of [...select.clauses, ...select.outputs])
        add(code.start(part.first), code.end(part.last));
    }
    const open: number[] = [];
    for (let index = firstToken; index <= lastToken; index++) {
      if (code.is(index, '(') || code.is(index, '[')) {
        open.push(index);
      } else if (code.is(index, ')') || code.is(index, ']')) {
        const from = open.pop();
        if (from !== undefined) {
          add(code.end(from), code.start(index));
          // Next to a name, the brackets are not selected.
          if (meant.length === 0 || (code.start(from) < offset && offset < code.end(index)))
            add(code.start(from), code.end(index));
        }
      }
    }
  }
  for (const index of meant.length > 0 ? meant : touching) {
    add(all.start(index), all.end(index));
    const [start, end] = dottedName(code, code.at(all.start(index)));
    add(code.start(start), code.end(end));
  }
  return nested(places);
}

const isSymbol = (kind: TokenKind): boolean =>
  kind === TokenKind.punctuation || kind === TokenKind.operator || kind === TokenKind.invalid;

/** Returns the first and last token of a dotted name such as `a.b.c`, or the token itself. */
function dottedName(code: TokenList, token: number): readonly [number, number] {
  let first = token;
  let last = token;
  while (
    nameAt(code, first) !== undefined &&
    code.is(first - 1, '.') &&
    nameAt(code, first - 2) !== undefined
  ) {
    first -= 2;
  }
  while (nameAt(code, last) !== undefined && code.is(last + 1, '.') && nameAt(code, last + 2) !== undefined)
    last += 2;
  return [first, last];
}

/** Sorts the ranges, smallest first, and drops overlapping and duplicate ones. */
function nested(places: readonly Place[]): readonly Place[] {
  const result: Place[] = [];
  for (const place of places.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const inner = result.at(-1);
    const isNew = inner === undefined || place.start < inner.start || place.end > inner.end;
    if (isNew && (inner === undefined || (place.start <= inner.start && place.end >= inner.end)))
      result.push(place);
  }
  return result;
}
