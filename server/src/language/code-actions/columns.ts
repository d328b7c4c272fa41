/** Writes out what a star stands for, and which table a column is of. Only where every table in reach is known. */
import { findModel, findTable } from '../catalogue.ts';
import { TokenKind } from '../lexer/tokens.ts';
import { isPlainName, nameAt, quoteName } from '../names.ts';
import { commonTableNames, tablesInScope } from '../table-scope.ts';
import type { Action, ActionPlace } from './action.ts';

interface KnownTable {
  readonly alias: string;
  readonly columns: readonly string[];
}

const write = (name: string): string => quoteName(name, isPlainName);

/** The tables of the SELECT at the top of the statement; undefined where one is not known, or its columns may change. */
function knownTables({ analysis, names, first, last, at }: ActionPlace): readonly KnownTable[] | undefined {
  const { code } = analysis.lexed;
  const words = new Set<string>();
  let depth = 0;
  for (let index = first; index <= last; index++) {
    depth += code.is(index, '(') ? 1 : code.is(index, ')') ? -1 : 0;
    words.add(code.word(index));
    if (index === at && depth > 0) {
      return undefined;
    }
  }
  if ('with using natural union intersect except lateral'.split(' ').some((word) => words.has(word))) {
    return undefined;
  }
  const references = tablesInScope(code, first, last, at);
  const tables = references.map(({ schema, name, alias }) => {
    const model =
      names.catalogue === undefined ? undefined : findModel(names.catalogue, schema ?? names.model);
    const columns = model === undefined ? undefined : findTable(model, name)?.columns;
    return columns === undefined ? undefined : { alias, columns: columns.map((column) => column.name) };
  });
  const isRenamed = references.some(({ alias }) => {
    for (let index = first; index < last; index++) {
      if (nameAt(code, index) === alias && code.is(index + 1, '(')) {
        return true;
      }
    }
    return false;
  });
  const isSimple = !isRenamed && commonTableNames(code, first, last).length === 0;
  return isSimple && tables.every((table) => table !== undefined) ? tables : undefined;
}

export function expandStar(place: ActionPlace): readonly Action[] {
  const { analysis, at } = place;
  const { code } = analysis.lexed;
  const isQualified = code.is(at - 1, '.');
  const before = isQualified ? at - 3 : at - 1;
  const isOutput = ['select', 'distinct', 'all'].includes(code.word(before)) || code.is(before, ',');
  const isEnd = code.word(at + 1) === 'from' || code.is(at + 1, ',');
  if (!code.is(at, '*') || !isOutput || !isEnd) {
    return [];
  }
  const tables = knownTables(place) ?? [];
  const qualifier = isQualified ? nameAt(code, at - 2) : undefined;
  const wanted = qualifier === undefined ? tables : tables.filter(({ alias }) => alias === qualifier);
  const needsQualifier = isQualified || tables.length > 1;
  const columns = wanted.flatMap((table) =>
    table.columns.map((column) => (needsQualifier ? `${write(table.alias)}.` : '') + write(column)),
  );
  const start = code.start(isQualified ? at - 2 : at);
  const action: Action = {
    title: 'Write out the columns of *',
    kind: 'refactor.rewrite',
    edits: [{ start, end: code.end(at), newText: columns.join(', ') }],
  };
  return columns.length === 0 ? [] : [action];
}

export function qualifyColumn(place: ActionPlace): readonly Action[] {
  const { analysis, first, at } = place;
  const { code } = analysis.lexed;
  const column = nameAt(code, at);
  const kind = code.kind(at);
  const isName = kind === TokenKind.word || kind === TokenKind.quotedName;
  const isBare =
    isName &&
    ![code.is(at - 1, '.'), code.is(at + 1, '.'), code.is(at + 1, '(')].includes(true) &&
    code.word(at - 1) !== 'as';
  if (column === undefined || !isBare || isInFrom()) {
    return [];
  }
  const owners = (knownTables(place) ?? []).filter(({ columns }) => columns.includes(column));
  const finding = analysis.findings.find(
    (found) => found.code === 'AMBIGUOUS_COLUMN' && found.start === code.start(at),
  );
  return owners.map(({ alias }) => ({
    title: `Write ${write(alias)}.${write(column)}`,
    kind: finding === undefined ? 'refactor.rewrite' : 'quickfix',
    edits: [{ start: code.start(at), end: code.start(at), newText: `${write(alias)}.` }],
    ...(finding === undefined ? {} : { finding }),
  }));

  /** There a name is a table's or an alias; an alias may also follow an output without AS. */
  function isInFrom(): boolean {
    const previous = code.kind(at - 1);
    const followsValue =
      previous === TokenKind.quotedName || previous === TokenKind.number || previous === TokenKind.string;
    const followsName = previous === TokenKind.word && !clauseWords.has(code.word(at - 1));
    if (followsValue || followsName || code.is(at - 1, ')')) {
      return true;
    }
    for (let index = at - 1; index >= first; index--) {
      const word = code.word(index);
      if (word === 'from' || word === 'join') {
        return true;
      }
      if (clauseWords.has(word)) {
        return false;
      }
    }
    return true;
  }
}

const clauseWords = new Set(
  'select distinct where on by having and or not when then else in between like ilike is case'.split(' '),
);
