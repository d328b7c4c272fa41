/** Completion at a position. Uses only tokens, so it is fast and works in incomplete text. */
import { quoteText } from '#base/sql-names.ts';
import { t } from '#base/texts.ts';
import type { CatalogueModel, CatalogueTable } from '#server/protocol.ts';
import { readParameters } from '../checks/parameters/parameters.ts';
import { findModel, findTable } from '../names/catalogue.ts';
import type { NameContext } from '../names/name-context.ts';
import { readColumns } from '../names/over-tokens/bindings.ts';
import { selectAround, type Outline } from '../names/over-tokens/outline.ts';
import { mergedAt, visibleAt, visibleIn, type VisibleRelation } from '../names/over-tokens/visible.ts';
import { endsOperand, setWords } from '../names/over-tokens/words.ts';
import { readDirectives } from '../text/directives.ts';
import { nameAt, quoteName } from '../text/identifiers.ts';
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';
import { splitStatements, type StatementSpan } from '../text/statements.ts';
import { allowedSuggestions, type GrammarProbe } from './allowed-suggestions.ts';
import {
  clauseWords,
  frameBounds,
  inTextCase,
  isFrameBound,
  openAround,
  usesLowerCase,
} from './clause-words.ts';
import { clearColumns, isReadable } from './clear-columns.ts';
import { completeDirective } from './directive-completion.ts';
import { FunctionKinds } from './function-kinds.ts';
import { functionsTaking, functionSuggestions } from './function-suggestions.ts';
import { areRelated, joinConditions, type JoinCondition, type JoinSide } from './join-conditions.ts';
import { knownValues, type KnownValues } from './known-values.ts';
import { columnSuggestions, isPlain, suggestion, tableSuggestions } from './name-suggestions.ts';
import { selectedColumns } from './selected-columns.ts';
import type { Suggestion, SuggestionKind } from './suggestion.ts';
import { TokenTypes } from './token-types.ts';
import { kindOfType, type TypeKind } from './type-kinds.ts';

export interface CompletionContext extends NameContext {
  /** If undefined, completion uses its own list of functions. */
  readonly functions?: FunctionKinds;
  /** If undefined, some suggestions may be refused by the grammar. */
  readonly probe?: GrammarProbe | undefined;
}

export interface Completion {
  /** UTF-16 offsets of the range to replace. */
  readonly start: number;
  readonly end: number;
  readonly suggestions: readonly Suggestion[];
  /** Whether the next letter may bring suggestions that are left out here. */
  readonly isPartial?: boolean;
}

const nothing = (offset: number): Completion => ({ start: offset, end: offset, suggestions: [] });

export function complete(lexed: LexedText, offset: number, given: CompletionContext): Completion {
  const functions = given.functions ?? ownFunctions;
  const context = { ...given, functionColumns: (name: string) => functions.columnsOf(name) };
  const { all, code } = lexed;
  const before = all.at(offset - 1);
  const kind = offset > 0 ? all.kind(before) : TokenKind.whitespace;
  if (kind === TokenKind.comment)
    return completeDirective(lexed.text.slice(all.start(before), offset), offset, { lexed, context });
  const isInside = all.start(before) < offset && offset < all.end(before);
  if ((kind === TokenKind.string || kind === TokenKind.invalid) && all.textOf(before).startsWith("'"))
    return isInside || kind === TokenKind.invalid ? completeText(lexed, offset, context) : nothing(offset);
  if ((kind === TokenKind.string || kind === TokenKind.invalid) && isInside) return nothing(offset);
  const isWord = kind === TokenKind.word || kind === TokenKind.placeholder || kind === TokenKind.quotedName;
  const start = isWord ? all.start(before) : offset;
  const end = isWord ? all.end(before) : offset;
  const at = code.at(start);
  if (kind === TokenKind.number || kind === TokenKind.string || kind === TokenKind.positional)
    return nothing(offset);
  if (kind === TokenKind.placeholder || (all.is(before, ':') && offset === all.end(before))) {
    const token = kind === TokenKind.placeholder ? at : code.at(offset - 1);
    return {
      start: kind === TokenKind.placeholder ? start : offset - 1,
      end,
      suggestions: parameters(lexed, start, typesAt(lexed, token, context).wantedAt(token)),
    };
  }
  const taking = functionsAt(lexed, at, context);
  if (taking !== undefined) return { ...taking, end };
  const allowed = allowedAt(lexed, start, context);
  const isName =
    allowed.every((each) => each.kind === 'keyword') && isNewName(lexed, { start, offset }, allowed, context);
  const found = isName ? allowed.filter(({ label }) => label.toLowerCase() === 'from') : allowed;
  const suggestions =
    lexed.text.charAt(end) === '.' ? found.filter(({ kind }) => qualifyingKinds.has(kind)) : found;
  const typed = lexed.text.slice(start, end);
  return {
    start,
    end,
    ...(isName ? { isPartial: true } : {}),
    suggestions:
      kind === TokenKind.quotedName
        ? inQuotes(suggestions, typed.charAt(0), context)
        : suggestions.map((each) => asTyped(inOwnQuotes(each, context), typed)),
  };
}

function allowedAt(lexed: LexedText, offset: number, context: CompletionContext): readonly Suggestion[] {
  const { code } = lexed;
  const at = code.at(offset);
  const span = spanAt(lexed, at);
  const using = usingAround(code, span.firstToken, at);
  // USING takes names, not the values that a column is elsewhere.
  if (using !== undefined) return sharedColumns(code, span, { using, at }, context);
  const suggestions = suggestAt(lexed, at, context);
  return context.probe === undefined
    ? suggestions
    : allowedSuggestions(lexed, span, offset, { suggestions, probe: context.probe });
}

/**
 * Returns whether what is typed is rather a new name than the start of a key word, as in `FROM accounts a`: Enter, which
 * begins the next line, would write the key word. FROM itself is what follows most lists.
 */
function isNewName(
  lexed: LexedText,
  { start, offset }: { readonly start: number; readonly offset: number },
  words: readonly Suggestion[],
  context: CompletionContext,
): boolean {
  const { code, text } = lexed;
  const typed = text.slice(start, offset).toLowerCase();
  const at = code.at(start);
  const span = spanAt(lexed, at);
  if (typed === '' || at <= span.firstToken || text.slice(code.end(at - 1), start).includes('\n'))
    return false;
  const table = tableBefore(code, span.firstToken, at);
  // A table may begin like a key word: `FROM orders order`.
  const isKeyWord = words.some(({ insertText }) => `${insertText.toLowerCase()} `.startsWith(`${typed} `));
  const isOfTable = table !== undefined && !isKeyWord && nameAt(code, at - 1)?.startsWith(typed) === true;
  if (typed.length > newNameMax && !isOfTable) return false;
  const asName = { label: '', kind: 'common-table', insertText: 'x', rank: 0 } as const;
  const asOperand = { ...asName, kind: 'column' } as const;
  const { probe } = context;
  const suggestions: readonly Suggestion[] = [asName, asOperand];
  const taken =
    probe === undefined ? suggestions : allowedSuggestions(lexed, span, start, { suggestions, probe });
  // Where the grammar takes a name and no operand, the name is a new one. Otherwise, nothing may be known.
  return taken.includes(asOperand)
    ? table === at - 1 || (table !== undefined && code.is(at - 2, '.'))
    : taken.includes(asName);
}

/** Maximum length of a name that is taken for a new one. */
const newNameMax = 2;

/** What a dot may follow. */
const qualifyingKinds: ReadonlySet<SuggestionKind> = new Set<SuggestionKind>(['alias', 'table', 'model']);

/** Keeps the case of a key word that is complete, so that accepting it changes nothing and Enter starts a new line. */
const asTyped = (suggested: Suggestion, typed: string): Suggestion =>
  suggested.kind === 'keyword' && suggested.insertText.toLowerCase() === typed.toLowerCase()
    ? { ...suggested, label: typed, insertText: typed }
    : suggested;

/** Inside quotes, only names fit, and the editor compares them with the text from the opening quote on. */
const inQuotes = (
  suggestions: readonly Suggestion[],
  quote: string,
  context: NameContext,
): readonly Suggestion[] =>
  suggestions
    .filter(({ kind }) => namingKinds.has(kind))
    .map((each) => ({ ...inOwnQuotes(each, context), filterText: `${quote}${each.label}` }));

const namingKinds: ReadonlySet<SuggestionKind> = new Set<SuggestionKind>([
  'column',
  'table',
  'model',
  'alias',
  'common-table',
  'window',
]);

/** Quotes names as the dialect requires. */
const inOwnQuotes = (suggested: Suggestion, { nameQuotes }: NameContext): Suggestion =>
  nameQuotes !== undefined && namingKinds.has(suggested.kind)
    ? {
        ...suggested,
        insertText: [...(suggested.qualifier === undefined ? [] : [suggested.qualifier]), suggested.label]
          .map((name) => quoteName(name, isPlain, nameQuotes))
          .join('.'),
      }
    : suggested;

/** Completes a string, including its closing quote, with the known values of the compared column. */
function completeText(lexed: LexedText, offset: number, context: NameContext): Completion {
  const { code } = lexed;
  const text = code.at(offset - 1);
  const end = code.kind(text) === TokenKind.string ? code.end(text) : offset;
  const { values = [], ...known } = knownValues(code, spanAt(lexed, text), text, context) ?? {};
  return {
    start: code.start(text) + 1,
    // A completion can replace only text on a single line. A string that goes on may lack its own closing quote.
    end: lexed.text.slice(offset, end).includes('\n') ? offset : end,
    suggestions: values.map((label, order) => ({
      label,
      kind: 'value' as const,
      insertText: `${label.replaceAll("'", "''")}'`,
      ...ofColumn(known),
      rank: 0,
      order,
    })),
  };
}

/** A value comes from the specification's examples, so the list is not complete. */
const ofColumn = ({
  column,
  type,
}: Partial<KnownValues>): Pick<Suggestion, 'detail' | 'type' | 'documentation'> => ({
  ...(column === undefined
    ? {}
    : {
        detail: t('example of {0}', column),
        documentation: t('From the specification; the service may have others.'),
      }),
  ...(type === undefined ? {} : { type }),
});

/** Returns the statement that contains the token, or at least the part up to it. */
function spanAt(lexed: LexedText, at: number): StatementSpan {
  const { code } = lexed;
  const span = splitStatements(lexed).findLast(({ firstToken }) => firstToken <= at);
  const lastToken = Math.min(Math.max(span?.lastToken ?? -1, at), code.length - 1);
  return { ...(span ?? { firstToken: 0, start: 0, end: 0 }), lastToken };
}

const ownFunctions = new FunctionKinds(() => undefined);

const typesAt = (lexed: LexedText, at: number, context: CompletionContext): TokenTypes =>
  new TokenTypes(lexed.code, spanAt(lexed, at), at, {
    names: context,
    functions: context.functions ?? ownFunctions,
  });

/** After `column.`, suggests functions that accept the column. Returns undefined elsewhere. */
function functionsAt(
  lexed: LexedText,
  at: number,
  context: CompletionContext,
): Omit<Completion, 'end'> | undefined {
  const { code } = lexed;
  const column = at - 2;
  const name = code.is(at - 1, '.') ? nameAt(code, column) : undefined;
  const isQualified = code.is(column - 1, '.');
  const first = isQualified ? column - 2 : column;
  if (name === undefined || expectsTable(code, spanAt(lexed, at).firstToken, first)) return undefined;
  const relations = isQualified ? [] : visibleAt(code, spanAt(lexed, at), at, context).scopes.flat();
  const isRelation =
    relations.some(({ alias }) => alias === name) ||
    (!isQualified && context.catalogue !== undefined && findModel(context.catalogue, name) !== undefined);
  const kind = isRelation ? undefined : typesAt(lexed, at, context).kindBefore(at - 1);
  if (kind === undefined) return undefined;
  const start = code.start(first);
  const operand = lexed.text.slice(start, code.end(column));
  // A completion can replace only text on a single line.
  if (lexed.text.slice(start, code.start(at - 1)).includes('\n')) return undefined;
  return { start, suggestions: functionsTaking(kind, operand, context.functions ?? ownFunctions) };
}

function suggestAt(lexed: LexedText, at: number, context: CompletionContext): readonly Suggestion[] {
  const { code } = lexed;
  const previous = code.word(at - 1);
  const span = spanAt(lexed, at);
  const { firstToken } = span;
  if (code.is(at - 1, '::') || (previous === 'as' && typing.has(callAround(code, firstToken, at))))
    return typeSuggestions();
  if ((previous === 'as' && !isCommonTable(code, at - 1)) || namesOther.has(previous)) return [];
  if (isInType(code, firstToken, at)) return [];
  if (previous === 'limit' || previous === 'offset') return parameters(lexed, 0, numbers);
  if (code.word(at - 2) === 'fetch' && (previous === 'first' || previous === 'next'))
    return [...parameters(lexed, 0, numbers), ...someKeywords(code, fetched)];
  if (code.is(at - 1, '(') && code.word(at - 2) === 'extract')
    return parts.map((label, order) => ({ label, kind: 'keyword', insertText: label, rank: 0, order }));
  const behind = tableBefore(code, firstToken, at);
  if (behind !== undefined)
    return someKeywords(code, code.word(behind - 1) === 'join' ? followsJoined : followsTable);
  if (isInRowsFrom(code, firstToken, at))
    return functionSuggestions(context.functions ?? ownFunctions, { wanted: undefined, args: undefined });
  if (code.is(at - 1, '(') && code.word(at - 2) === 'lateral') return someKeywords(code, opensLateral);
  const read = readColumns(code, span, at, context);
  const { scopes, commonTables } = visibleIn(read, code, at);
  const relations = scopes.flat().filter(isReadable);
  if (code.is(at - 1, '.')) {
    const found = code.is(at - 2, ')')
      ? afterBracket(code, firstToken, at - 2, { relations, context })
      : afterDot(nameAt(code, at - 2) ?? '', relations, context);
    return fittingFirst(found, wantedAround(typesAt(lexed, at, context), at - 2, at));
  }
  const isBracket = code.is(at - 1, '(') && expectsTable(code, firstToken, openBehind(code, at));
  if (isBracket || expectsTable(code, firstToken, at)) {
    const own = findModel(context.catalogue ?? { models: [] }, context.model);
    return [
      ...commonTables.map((name) => suggestion(name, 'common-table', 0, { detail: 'WITH' })),
      ...(previous === 'join'
        ? [
            ...joinSuggestions(code, span, at, context),
            ...relatedFirst(own, sidesBefore(code, { span, token: at - 1, joins: 1 }, context)),
          ]
        : tableSuggestions(own, 1)),
      ...modelSuggestions(context, 2),
      ...(isBracket ? someKeywords(code, opensQuery) : []),
    ];
  }
  if (isNamedInWith(code, read.outline, at)) return previous === 'with' ? someKeywords(code, recursive) : [];
  if (previous === 'lateral')
    return functionSuggestions(context.functions ?? ownFunctions, { wanted: undefined, args: undefined });
  const ofWindow = windowPlace(code, read.outline, at);
  if (ofWindow !== undefined) {
    const names = (selectAround(read.outline.selects, at)?.windows ?? []).filter(
      ({ token }) => ofWindow === 'over' || token < at - 3,
    );
    return [
      ...names.map((each) => suggestion(each.name, 'window', 0, { detail: 'WINDOW' })),
      ...(code.is(at - 1, '(') ? someKeywords(code, opensWindow) : []),
    ];
  }
  if (isFrameBound(code, firstToken, at))
    return [...parameters(lexed, 0, numbers), ...frameBounds(code, previous)];
  if (isFrameBound(code, firstToken, at - 1))
    return inTextCase(code, previous === 'current' ? ['ROW'] : ['PRECEDING', 'FOLLOWING']);
  const types = typesAt(lexed, at, context);
  const bare = scopes.map((scope) => scope.filter(({ isOnlyQualified }) => isOnlyQualified !== true));
  const wanted = wantedAround(types, at, at);
  const selected = selectedColumns(code, at, read);
  const { values = [], ...known } = knownValues(code, span, at, context) ?? {};
  const columnNames = new Set(relations.flatMap(({ columns }) => columns().map((column) => column.name)));
  const selectedTexts = new Set(selected.map(({ text }) => text));
  return [
    ...(previous === 'on' ? conditionSuggestions(code, span, at, context) : []),
    ...values.map((value, order) => {
      const text = quoteText(value);
      return {
        label: text,
        kind: 'value' as const,
        insertText: text,
        filterText: value,
        ...ofColumn(known),
        rank: 0,
        order,
      };
    }),
    ...selected.map(({ text, type }, order) => ({
      label: text,
      kind: 'column' as const,
      insertText: text,
      detail: t('selected'),
      ...(type === undefined ? {} : { type }),
      rank: 0,
      order,
    })),
    ...fittingFirst(
      relations.length === 0 && isBeforeFrom(read.outline, at)
        ? columnsOfModel(context)
        : clearColumns(code, { span, at, read }, bare),
      wanted,
    ).filter(({ insertText }) => !selectedTexts.has(insertText)),
    // A bare name is a column if any table has one of it.
    ...relations.flatMap(({ alias, name }) =>
      alias === undefined || columnNames.has(alias)
        ? []
        : suggestion(alias, 'alias', 1, { detail: name === alias || name === undefined ? 'FROM' : name }),
    ),
    ...parameters(lexed, 0, wanted),
    // What has the form of a call behind a table in brackets would be its alias.
    ...(code.is(at - 1, ')') && !isDistinctOn(code, openAround(code, firstToken, at - 1))
      ? []
      : functionSuggestions(context.functions ?? ownFunctions, {
          wanted,
          args: code.is(at + 1, '(') ? types.argumentsOf(at + 1).map(kindOfType) : undefined,
        })),
    ...keywordSuggestions(code).filter(({ label }) => mayFollow(code, at, label.toLowerCase())),
    ...(context.probe === undefined ? [] : clauseWords(code, firstToken, at)),
    // Only the grammar tells a column's definition, as in `AS t(a `, from a name with something behind it.
    ...(context.probe !== undefined && mayDefine(code, firstToken, at) ? typeSuggestions() : []),
  ];
}

/** Returns whether the token is where OVER or a definition of WINDOW names an earlier window. */
function windowPlace(code: TokenList, { selects }: Outline, at: number): 'over' | 'window' | undefined {
  const isOpen = code.is(at - 1, '(');
  const over = isOpen ? at - 2 : at - 1;
  if (code.word(over) === 'over' && code.is(over - 1, ')')) return 'over';
  const clause = selectAround(selects, at)?.clauses.findLast(({ first }) => first < at);
  return isOpen && code.word(at - 2) === 'as' && clause?.word === 'window' ? 'window' : undefined;
}

/** Returns whether the token is the name of a CTE, which is a new one. */
function isNamedInWith(code: TokenList, { queries }: Outline, at: number): boolean {
  return queries.some(({ first, commonTables }) => {
    const start = code.word(first + 1) === 'recursive' ? first + 2 : first + 1;
    const isFirst = code.word(first) === 'with' && at === start;
    return isFirst || (code.is(at - 1, ',') && commonTables.some(({ last }) => last + 2 === at - 1));
  });
}

/** Returns whether the token is behind a name in brackets, or behind RETURNING. */
const mayDefine = (code: TokenList, first: number, at: number): boolean =>
  code.word(at - 1) === 'returning' ||
  (nameAt(code, at - 1) !== undefined &&
    isPlain(code.word(at - 1)) &&
    (code.is(at - 2, '(') || code.is(at - 2, ',') || code.word(at - 2) === 'columns') &&
    openAround(code, first, at) !== undefined);

type Kinds = ReadonlySet<TypeKind>;

/** Returns the kinds of values expected in place of the tokens, from a comparison or a call's parameter. */
const wantedAround = (types: TokenTypes, first: number, last: number): Kinds | undefined =>
  types.wantedAt(first) ?? types.wantedBefore(last + 1);

const isWanted = (type: string | undefined, wanted: Kinds): boolean => {
  const kind = kindOfType(type);
  return kind !== undefined && wanted.has(kind);
};

/** Ranks columns of the expected kinds first. */
function fittingFirst(columns: readonly Suggestion[], wanted: Kinds | undefined): readonly Suggestion[] {
  return wanted === undefined
    ? columns
    : columns.map((column) => (isWanted(column.type, wanted) ? { ...column, order: 0 } : column));
}

/** Returns whether the token is in the list of a SELECT that has no FROM. */
function isBeforeFrom({ selects }: Outline, at: number): boolean {
  const { clauses = [] } = selectAround(selects, at) ?? {};
  const isInList = clauses.findLast(({ first }) => first < at)?.word === 'select';
  return isInList && clauses.every(({ word }) => word !== 'from');
}

/** Enough for any search by hand; a longer list would slow down typing. */
const columnsOfModelMax = 1_000;

/** Suggests the columns of all tables, each name once, before FROM names the tables. */
function columnsOfModel({ catalogue, model }: NameContext): readonly Suggestion[] {
  const { tables = [] } = findModel(catalogue ?? { models: [] }, model) ?? {};
  const found = new Map<string, { readonly detail: string; readonly type: string }>();
  for (const table of tables) {
    for (const { name, type } of table.columns ?? []) {
      const known = found.get(name);
      if (known === undefined) {
        if (found.size < columnsOfModelMax) found.set(name, { detail: table.name, type });
      } else if (!known.detail.endsWith(', …')) {
        found.set(name, { ...known, detail: `${known.detail}, …` });
      }
    }
  }
  return [...found].map(([name, { detail, type }]) => suggestion(name, 'column', 0, { detail, type }));
}

/** Suggests the fields of a row in brackets, `(alias).`, or of what a function returns, `(f(a)).`. */
function afterBracket(
  code: TokenList,
  first: number,
  close: number,
  { relations, context }: { readonly relations: readonly VisibleRelation[]; readonly context: NameContext },
): readonly Suggestion[] {
  let open = close;
  for (let depth = 0; open >= first; open--) {
    if (code.is(open, ')')) depth++;
    else if (code.is(open, '(') && --depth === 0) break;
  }
  const isCall = nameAt(code, open - 1) !== undefined && isPlain(code.word(open - 1));
  if (open < first || isCall) return [];
  if (open + 2 === close) {
    const relation = relations.find(({ alias }) => alias === nameAt(code, open + 1));
    return relation === undefined ? [] : columnSuggestions(relation);
  }
  if (code.is(open + 1, '(') && code.is(close - 1, ')'))
    return afterBracket(code, first, close - 1, { relations, context });
  const called = code.is(open + 2, '(') ? nameAt(code, open + 1) : undefined;
  const columns = called === undefined ? undefined : context.functionColumns?.(called);
  return columns === undefined || columns === 'value' || columns.length < 2
    ? []
    : columns.map(({ name, type }) =>
        suggestion(name, 'column', 0, { detail: called ?? '', ...(type === undefined ? {} : { type }) }),
      );
}

function afterDot(
  name: string,
  relations: readonly VisibleRelation[],
  context: NameContext,
): readonly Suggestion[] {
  const relation = relations.find(({ alias }) => alias === name);
  if (relation !== undefined) return columnSuggestions(relation);
  return context.catalogue === undefined ? [] : tableSuggestions(findModel(context.catalogue, name), 0);
}

/** Suggests JOIN conditions between the table before ON and each earlier table. */
function conditionSuggestions(
  code: TokenList,
  span: StatementSpan,
  at: number,
  context: NameContext,
): readonly Suggestion[] {
  const sides = sidesBefore(code, { span, token: at - 1, joins: 2 }, context);
  const joined = sides.at(-1);
  return joined === undefined
    ? []
    : joinConditions(joined, sides.slice(0, -1)).map((condition, order) => {
        const text = writtenCondition(condition, context);
        const detail = condition.isGuess === true ? t('guess by name') : 'ON';
        return { label: text, kind: 'condition' as const, insertText: text, detail, rank: 0, order };
      });
}

function writtenCondition({ left, right }: JoinCondition, { nameQuotes }: NameContext): string {
  const write = ({ alias, column }: { readonly alias: string; readonly column: string }): string =>
    `${quoteName(alias, isPlain, nameQuotes)}.${quoteName(column, isPlain, nameQuotes)}`;
  if (left.isList === true) return `${write(right)} = ANY (${write(left)})`;
  return right.isList === true
    ? `${write(left)} = ANY (${write(right)})`
    : `${write(left)} = ${write(right)}`;
}

/** Enough to choose from before the tables themselves. */
const wholeJoinsMax = 8;

/**
 * Suggests tables of the model, and of others where a reference is declared, with their likeliest condition, where
 * nothing else of the join is written yet.
 */
function joinSuggestions(
  code: TokenList,
  span: StatementSpan,
  at: number,
  context: NameContext,
): readonly Suggestion[] {
  let first = at - 2;
  while (['left', 'right', 'full', 'inner', 'outer'].includes(code.word(first))) first--;
  const hasNoCondition = code.word(first) === 'cross' || code.word(first) === 'natural';
  const typed = code.word(at);
  const next = nameAt(code, at) !== undefined && !followsTable.has(typed) ? at + 1 : at;
  const isWritten =
    ['on', 'using', 'as'].includes(code.word(next)) || code.is(next, '.') || code.is(next, '(');
  const own = findModel(context.catalogue ?? { models: [] }, context.model);
  if (hasNoCondition || isWritten || own === undefined) return [];
  const sides = sidesBefore(code, { span, token: at - 1, joins: 1 }, context);
  const [relations = []] = visibleAt(code, { ...span, lastToken: at - 2 }, at - 1, context).scopes;
  const taken = new Set(relations.map(({ alias }) => alias));
  const found = (context.catalogue?.models ?? []).flatMap((model) =>
    (model.tables ?? []).flatMap((table) => {
      let alias = table.name;
      for (let number = 2; taken.has(alias); number++) alias = `${table.name}_${number}`;
      const side = { alias, table, model: model.name };
      if (model !== own && !sides.some((each) => areRelated(each, side))) return [];
      const [condition] = joinConditions(side, sides);
      return condition === undefined || condition.isGuess === true
        ? []
        : [{ table, alias, condition, prefix: model === own ? [] : [model.name] }];
    }),
  );
  /** The table joined last comes first. */
  const recency = ({ condition }: (typeof found)[number]): number =>
    -sides.findIndex(({ alias }) => alias === condition.left.alias);
  return found
    .toSorted((a, b) => recency(a) - recency(b))
    .slice(0, wholeJoinsMax)
    .map(({ table, alias, condition, prefix }, order) => {
      const name = [...prefix, table.name]
        .map((part) => quoteName(part, isPlain, context.nameQuotes))
        .join('.');
      const as = alias === table.name ? '' : ` ${quoteName(alias, isPlain, context.nameQuotes)}`;
      const text = `${name}${as} ON ${writtenCondition(condition, context)}`;
      return { label: text, kind: 'condition' as const, insertText: text, detail: 'JOIN', rank: 0, order };
    });
}

/** Returns the tables in FROM before a token that a condition sees which joins the last `joins` ones that have none. */
function sidesBefore(
  code: TokenList,
  { span, token, joins }: { readonly span: StatementSpan; readonly token: number; readonly joins: 1 | 2 },
  context: NameContext,
): readonly JoinSide[] {
  const read = readColumns(code, { ...span, lastToken: token - 1 }, token, context);
  const waiting = selectAround(read.outline.selects, token)?.waiting.slice(-joins) ?? [];
  const relations = (visibleIn(read, code, token).scopes[0] ?? []).filter(
    ({ first }) => first === undefined || first >= (waiting[0] ?? 0),
  );
  return relations.flatMap(({ alias, table }): readonly JoinSide[] => {
    const known = table && tableOf(table, context);
    const model = table?.schema ?? context.model;
    return known === undefined || alias === undefined ? [] : [{ alias, table: known, model }];
  });
}

/** Suggests the tables of a model; those that it relates to one in FROM come first. */
function relatedFirst(model: CatalogueModel | undefined, sides: readonly JoinSide[]): readonly Suggestion[] {
  const related = new Set(
    (model?.tables ?? [])
      .filter((table) => {
        const own = { alias: table.name, table, model: model?.name ?? '' };
        return sides.some((side) => areRelated(side, own));
      })
      .map(({ name }) => name),
  );
  return tableSuggestions(model, 1).map((each) => (related.has(each.label) ? { ...each, order: 0 } : each));
}

/** Returns whether the token directly follows FROM, JOIN or a comma in FROM. */
function expectsTable(code: TokenList, first: number, at: number): boolean {
  const previous = code.word(at - 1);
  if (previous === 'from' && code.word(at - 2) === 'distinct') return false;
  if (previous === 'only') return expectsTable(code, first, at - 1);
  if (previous === 'table') {
    const before = code.word(at - 2);
    return at - 1 === first || code.is(at - 2, '(') || before === 'all' || setWords.has(before);
  }
  if (previous === 'join' || previous === 'from')
    return !['extract', 'substring', 'trim', 'overlay'].includes(callAround(code, first, at));
  if (!code.is(at - 1, ',')) return false;
  let depth = 0;
  for (let index = at - 1; index >= first; index--) {
    const word = code.word(index);
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(') && depth-- === 0) {
      return false;
    } else if (depth === 0 && word !== '' && /^(from|select|where|by|having|limit|values)$/.test(word)) {
      return word === 'from';
    }
  }
  return false;
}

const numbers: Kinds = new Set<TypeKind>(['number']);
const opensQuery = new Set(['select', 'with', 'values', 'lateral']);
const recursive = new Set(['recursive']);
const opensStatement = new Set(['select', 'with', 'values']);
/** Words that the name of a collation or of a method follows, which are not offered. */
const namesOther = new Set(['collate', 'tablesample']);
const opensLateral = new Set(['select', 'with', 'values']);
const opensWindow = new Set(['partition', 'order', 'rows', 'range']);
const fetched = new Set(['rows']);
/** Calls that name a type behind AS. */
const typing = new Set(['cast', 'xmlserialize']);
/** What `extract` takes out of a date. */
const parts =
  `year month day hour minute second epoch dow doy week quarter isodow isoyear century decade millennium microseconds
   milliseconds julian timezone timezone_hour timezone_minute`.split(/\s+/);
const followsTable = new Set(
  'as join left right inner full cross natural where group having order limit offset fetch union intersect except'.split(
    ' ',
  ),
);
const followsJoined = new Set([...followsTable, 'on', 'using']);

/** Returns the first of the brackets that open right before the token. */
function openBehind(code: TokenList, at: number): number {
  let open = at;
  while (code.is(open - 1, '(')) open--;
  return open;
}

/** Returns the first token of the table in FROM that the token directly follows, with or without its alias. */
function tableBefore(code: TokenList, first: number, at: number): number | undefined {
  const isName = (index: number): boolean =>
    nameAt(code, index) !== undefined && isPlain(code.word(index)) && index >= first;
  const startOf = (index: number): number => (code.is(index - 1, '.') ? index - 2 : index);
  let end = at - 1;
  if (!isName(end)) return undefined;
  if (!expectsTable(code, first, startOf(end))) end -= code.word(end - 1) === 'as' ? 2 : 1;
  return isName(end) && expectsTable(code, first, startOf(end)) ? startOf(end) : undefined;
}

/** Returns the word USING whose list of columns contains the token. */
function usingAround(code: TokenList, first: number, at: number): number | undefined {
  let open = at - 1;
  while (open > first && (code.is(open, ',') || nameAt(code, open) !== undefined)) open--;
  const isAtName = code.is(at - 1, '(') || code.is(at - 1, ',');
  return isAtName && code.is(open, '(') && code.word(open - 1) === 'using' ? open - 1 : undefined;
}

/** USING names columns, each once, that the joined table and one before it have: two before it would be ambiguous. */
function sharedColumns(
  code: TokenList,
  span: StatementSpan,
  { using, at }: { readonly using: number; readonly at: number },
  context: NameContext,
): readonly Suggestion[] {
  const read = readColumns(code, { ...span, lastToken: using - 1 }, using, context);
  const [relations = []] = visibleIn(read, code, using).scopes;
  const select = selectAround(read.outline.selects, using);
  const from = select?.waiting.at(-2) ?? 0;
  const columns = relations.filter(
    ({ isOnlyQualified, first }) => isOnlyQualified !== true && (first === undefined || first >= from),
  );
  const joined = columns.pop();
  const merged = select === undefined ? [] : mergedAt(code, select, using, from);
  const counts = new Map([...merged].map(([name, count]) => [name, -count]));
  for (const { name } of columns.flatMap((each) => each.columns()))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = new Set(Array.from({ length: at - using }, (_, index) => nameAt(code, using + index)));
  return joined === undefined
    ? []
    : columnSuggestions(joined).filter(({ label }) => counts.get(label) === 1 && !named.has(label));
}

const typeSuggestions = (): readonly Suggestion[] =>
  castTypes.map((name, order) => ({ label: name, kind: 'type', insertText: name, rank: 0, order }));

/** The types of a cast, the usual ones first. */
const castTypes =
  `text integer bigint numeric date timestamp timestamptz boolean jsonb uuid interval json real smallint time timetz
   varchar char bytea inet cidr macaddr xml regclass tsvector tsquery int4range int8range numrange daterange tsrange
   tstzrange point box name oid money bit`
    .split(/\s+/)
    .concat('double precision', 'text[]', 'integer[]', 'uuid[]', 'timestamp with time zone');

const isDistinctOn = (code: TokenList, open = -1): boolean =>
  code.word(open - 1) === 'on' && code.word(open - 2) === 'distinct';

/** Returns whether a function begins at the token: `FROM ROWS FROM (f(1), g(2))`. */
function isInRowsFrom(code: TokenList, first: number, at: number): boolean {
  const open = code.is(at - 1, '(') || code.is(at - 1, ',') ? openAround(code, first, at) : undefined;
  return (
    open !== undefined &&
    code.word(open - 1) === 'from' &&
    code.word(open - 2) === 'rows' &&
    ['from', 'join', 'lateral'].includes(code.word(open - 3))
  );
}

/** Returns whether the token is in the parentheses of a type, which hold only numbers: `a::numeric(5, 2)`. */
function isInType(code: TokenList, first: number, at: number): boolean {
  const open = openAround(code, first, at);
  if (open === undefined || open - 2 < first) return false;
  return (
    code.is(open - 2, '::') || (code.word(open - 2) === 'as' && typing.has(callAround(code, first, open)))
  );
}

/** Returns the name of the call that contains the token, or an empty string. */
function callAround(code: TokenList, first: number, at: number): string {
  const open = openAround(code, first, at);
  return open === undefined ? '' : code.word(open - 1);
}

/** `WITH name AS` is followed by a query rather than a name. */
function isCommonTable(code: TokenList, as: number): boolean {
  const before = code.word(as - 2);
  const isOrdinality = code.word(as - 1) === 'ordinality' && code.is(as - 3, ')');
  return (before === 'with' && !isOrdinality) || before === 'recursive';
}

function tableOf(
  { schema, name }: NonNullable<VisibleRelation['table']>,
  { catalogue, model }: NameContext,
): CatalogueTable | undefined {
  const owner = catalogue === undefined ? undefined : findModel(catalogue, schema ?? model);
  return owner === undefined ? undefined : findTable(owner, name);
}

function modelSuggestions({ catalogue }: NameContext, rank: number): readonly Suggestion[] {
  return (catalogue?.models ?? []).map(({ name, description }) =>
    suggestion(name, 'model', rank, {
      detail: t('model'),
      ...(description === undefined ? {} : { documentation: description }),
    }),
  );
}

/**
 * Suggests declared parameters, and parameters used elsewhere in the text except the one being typed. Parameters of a
 * matching type come first.
 */
function parameters(lexed: LexedText, typedAt: number, wanted: Kinds | undefined): readonly Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const { name, type, description } of readParameters(readDirectives(lexed))) {
    found.set(name, {
      label: `:${name}`,
      kind: 'parameter',
      insertText: `:${name}`,
      rank: 2,
      detail: type ?? t('parameter'),
      ...(wanted !== undefined && isWanted(type, wanted) ? { order: 0 } : {}),
      ...(description === undefined ? {} : { documentation: description }),
    });
  }
  const { code } = lexed;
  for (let index = 0; index < code.length; index++) {
    const name = code.kind(index) === TokenKind.placeholder ? code.textOf(index).slice(1) : undefined;
    if (name !== undefined && code.start(index) !== typedAt && !found.has(name)) {
      found.set(name, {
        label: `:${name}`,
        kind: 'parameter',
        insertText: `:${name}`,
        detail: t('parameter'),
        rank: 2,
      });
    }
  }
  return [...found.values()];
}

const offeredKeywords =
  `select from where group by having order limit offset fetch join left right inner full cross natural on using
  as and or not in is null like ilike between exists case when then else end distinct union intersect except all any some
  with recursive lateral values asc desc nulls first last over partition filter rows range true false cast interval
  current_date current_timestamp`.split(/\s+/);

/** Suggests keywords in the letter case of the text. */
function keywordSuggestions(code: TokenList): readonly Suggestion[] {
  const isLower = usesLowerCase(code);
  return offeredKeywords.map((word) => {
    const label = isLower ? word : word.toUpperCase();
    return { label, kind: 'keyword', insertText: label, rank: 4 };
  });
}

const someKeywords = (code: TokenList, words: ReadonlySet<string>): readonly Suggestion[] =>
  keywordSuggestions(code).filter(({ label }) => words.has(label.toLowerCase()));

/** Words that start an operand, which none can follow directly. */
const operandStarts = new Set(
  'exists case distinct null all any some recursive lateral values true false cast interval current_date current_timestamp'.split(
    ' ',
  ),
);
/** What an operator or a word such as WHERE expects. */
const operands = new Set([...operandStarts, 'not']);
const expectsOperand = new Set('where and or on having when then else by'.split(' '));
/** What a bracket may also start with. */
const opensBracket = new Set('select with values partition order rows range where distinct not'.split(' '));

/** Returns false for key words that surely cannot stand at the token. */
function mayFollow(code: TokenList, at: number, word: string): boolean {
  const before = code.word(at - 1);
  const kind = code.kind(at - 1);
  if (at === 0 || code.is(at - 1, ';')) return opensStatement.has(word);
  if (code.is(at - 1, '*')) return true;
  if (code.is(at - 1, '(')) return operands.has(word) || opensBracket.has(word);
  if (kind === TokenKind.operator || code.is(at - 1, ',') || expectsOperand.has(before))
    return operands.has(word);
  if (!endsOperand(code, at - 1)) return true;
  if (word === 'select' || word === 'with') return code.is(at - 1, ')');
  if (word === 'over' || word === 'filter') return code.is(at - 1, ')');
  return word === 'by' ? before === 'partition' : !operandStarts.has(word);
}
