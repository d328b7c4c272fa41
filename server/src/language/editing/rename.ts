/**
 * Definition, references and rename for names defined in the text: CTEs, aliases, output columns and parameters. A
 * rename is verified first: apart from the renamed names, the new text must have the same tokens, and every name must
 * keep its meaning.
 */
import { t } from '#base/texts.ts';
import { readParameters } from '../checks/parameters/parameters.ts';
import { openingAround } from '../checks/syntax/parentheses.ts';
import type { NameContext } from '../names/name-context.ts';
import { bindStatement, type Bindings, type BoundColumn } from '../names/over-tokens/bindings.ts';
import type { Definition, DefinitionKind } from '../names/over-tokens/outline.ts';
import { columnWordsOf, populationPlaceholders, readControlDirectives } from '../text/control-directives.ts';
import { readDirectives } from '../text/directives.ts';
import { isPlainName, nameAt, quoteName, systemColumns } from '../text/identifiers.ts';
import { keywords, needsAs } from '../text/keywords.ts';
import { lex } from '../text/lexer/lex.ts';
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';

/** A range of UTF-16 offsets. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface TextChange extends Place {
  readonly newText: string;
}

export interface SymbolAt {
  readonly kind: DefinitionKind | 'parameter';
  readonly name: string;
  /** The occurrence under the cursor. */
  readonly place: Place;
  /** Undefined for an undeclared parameter. */
  readonly definition: Place | undefined;
  /** All occurrences, including the definition. */
  readonly places: readonly Place[];
}

export type RenameResult =
  | { readonly kind: 'changes'; readonly changes: readonly TextChange[] }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): RenameResult => ({ kind: 'refused', reason });

interface Found {
  readonly bindings: Bindings;
  readonly definition: Definition;
  readonly token: number;
  readonly tokens: readonly number[];
}

/** Returns the token at or before the offset. */
function tokenAt(code: TokenList, offset: number): number {
  const touched = code.at(offset);
  return code.start(touched) <= offset || code.end(touched - 1) !== offset || touched === 0
    ? preferName(code, touched, offset)
    : touched - 1;
}

/** Between a name and the next token, prefers the name. */
function preferName(code: TokenList, touched: number, offset: number): number {
  const isBehindName = touched > 0 && code.end(touched - 1) === offset && isNamed(code, touched - 1);
  return isBehindName && !isNamed(code, touched) ? touched - 1 : touched;
}

const isNamed = (code: TokenList, index: number): boolean =>
  nameAt(code, index) !== undefined || code.kind(index) === TokenKind.placeholder;

const placeOf = (code: TokenList, token: number): Place => ({
  start: code.start(token),
  end: code.end(token),
});

export function symbolAt(lexed: LexedText, offset: number, context: NameContext): SymbolAt | undefined {
  const parameter = parameterAt(lexed, offset);
  if (parameter !== undefined) return parameter;
  const found = findDefinition(lexed, offset, context);
  if (found === undefined) return undefined;
  const { definition, token, tokens } = found;
  return {
    kind: definition.kind,
    name: definition.name,
    place: placeOf(lexed.code, token),
    definition: placeOf(lexed.code, definition.token),
    places: tokens.map((each) => placeOf(lexed.code, each)),
  };
}

function findDefinition(lexed: LexedText, offset: number, context: NameContext): Found | undefined {
  const { code } = lexed;
  const token = tokenAt(code, offset);
  if (nameAt(code, token) === undefined || offset < code.start(token) || offset > code.end(token))
    return undefined;
  const bindings = bindStatement(lexed, token, context);
  const definition = bindings?.references.get(token) ?? bindings?.definitions.get(token);
  const isCall = definition?.token === token && bindings?.outline.others.has(token) === true;
  if (bindings === undefined || definition === undefined || isCall) return undefined;
  return { bindings, definition, token, tokens: tokensOf(bindings, definition) };
}

function tokensOf({ references }: Bindings, definition: Definition): readonly number[] {
  const tokens = new Set([definition.token]);
  for (const [token, target] of references) {
    if (target.token === definition.token) tokens.add(token);
  }
  return [...tokens].toSorted((a, b) => a - b);
}

function parameterAt(lexed: LexedText, offset: number): SymbolAt | undefined {
  const { code } = lexed;
  const directives = readDirectives(lexed);
  const declared = readParameters(directives);
  const isHere = ({ start, end }: Place): boolean => start <= offset && offset <= end;
  const inPopulation = populationPlaceholders(lexed.text, directives);
  const inComment = declared.find(isHere) ?? inPopulation.find(isHere);
  const token = tokenAt(code, offset);
  const isPlaceholder = code.kind(token) === TokenKind.placeholder && code.start(token) <= offset;
  const name = inComment?.name ?? (isPlaceholder ? code.textOf(token).slice(1) : undefined);
  if (name === undefined) return undefined;
  const definitions = declared.filter((each) => each.name === name).map(({ start, end }) => ({ start, end }));
  const used = inPopulation.filter((each) => each.name === name);
  const places: Place[] = [...definitions, ...used.map(({ start, end }) => ({ start: start + 1, end }))];
  for (let index = 0; index < code.length; index++) {
    if (code.kind(index) === TokenKind.placeholder && code.textOf(index) === `:${name}`)
      places.push({ start: code.start(index) + 1, end: code.end(index) });
  }
  const place = places.find(({ start, end }) => start - 1 <= offset && offset <= end);
  return place && { kind: 'parameter', name, place, definition: definitions[0], places };
}

/** Returns why the symbol cannot be renamed, or undefined if it can. */
export function renameObstacle(symbol: Pick<SymbolAt, 'kind' | 'name'> | undefined): string | undefined {
  if (symbol === undefined) {
    return t(
      'Nothing here can be renamed. Only a WITH table, an alias, an output column or a parameter can.',
    );
  }
  return symbol.kind === 'table'
    ? t('"{0}" is a table of the model: the query cannot rename it. Give it an alias instead.', symbol.name)
    : undefined;
}

export function rename(
  lexed: LexedText,
  offset: number,
  newName: string,
  context: NameContext,
): RenameResult {
  const parameter = parameterAt(lexed, offset);
  if (parameter !== undefined) return renameParameter(lexed, parameter, newName);
  const found = findDefinition(lexed, offset, context);
  const obstacle = renameObstacle(found?.definition);
  if (found === undefined || obstacle !== undefined) return refused(obstacle ?? '');
  const written = readNewName(newName, found.definition.kind);
  return written.name === undefined
    ? refused(written.reason)
    : renameFound(lexed, found, newName.trim(), written.name, context);
}

function renameParameter(lexed: LexedText, { name, places }: SymbolAt, given: string): RenameResult {
  const newName = given.trim().replace(/^:/, '');
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(newName)) {
    return refused(
      t('A parameter name consists of letters, digits and underscores, and does not start with a digit.'),
    );
  }
  const { code } = lexed;
  const directives = readDirectives(lexed);
  const isTaken =
    [...readParameters(directives), ...populationPlaceholders(lexed.text, directives)].some(
      (each) => each.name === newName,
    ) ||
    indexes(code).some(
      (index) => code.kind(index) === TokenKind.placeholder && code.textOf(index) === `:${newName}`,
    );
  if (isTaken && newName !== name) return refused(t('A parameter "{0}" already exists.', newName));
  const changes = places.map((place) => ({ ...place, newText: newName }));
  const after = lex(applyChanges(lexed.text, changes));
  const isSame =
    after.code.length === code.length &&
    indexes(code).every((index) => {
      const text = code.textOf(index);
      const isRenamed = code.kind(index) === TokenKind.placeholder && text === `:${name}`;
      return (
        after.code.kind(index) === code.kind(index) &&
        after.code.textOf(index) === (isRenamed ? `:${newName}` : text)
      );
    }) &&
    readDirectives(after).length === directives.length;
  return isSame
    ? { kind: 'changes', changes }
    : refused(t('The name "{0}" would change the meaning of the text.', newName));
}

const indexes = (code: TokenList, first = 0, last = code.length - 1): readonly number[] =>
  Array.from({ length: Math.max(last - first + 1, 0) }, (_, nth) => first + nth);

function readNewName(
  given: string,
  kind: DefinitionKind,
): { readonly name: string } | { readonly name: undefined; readonly reason: string } {
  const text = given.trim();
  const { code, problems } = lex(text);
  const name = nameAt(code, 0);
  const isOne =
    code.length === 1 && problems.length === 0 && code.start(0) === 0 && code.end(0) === text.length;
  if (!isOne || name === undefined || name === '') {
    return {
      name: undefined,
      reason: t(
        'This is not a valid name. Use letters, digits and underscores without a leading digit, or put the name in double quotes.',
      ),
    };
  }
  const category = keywords.get(code.word(0));
  const isFree =
    category === undefined || category === 'unreserved' || (category === 'columnName' && kind === 'column');
  if (!isFree) {
    return {
      name: undefined,
      reason: t('"{0}" is an SQL keyword. To use it as a name, put it in double quotes.', text),
    };
  }
  if (utf8Length(name) > 63)
    return { name: undefined, reason: t('PostgreSQL truncates names to 63 bytes, and this one is longer.') };
  return { name };
}

function renameFound(
  lexed: LexedText,
  { bindings, definition, tokens }: Found,
  newText: string,
  newName: string,
  context: NameContext,
): RenameResult {
  const { code } = lexed;
  if (newName === definition.name && newText === code.textOf(definition.token))
    return { kind: 'changes', changes: [] };
  if (bindings.isIncomplete)
    return refused(t('The statement has too many names and columns to find every use of this one.'));
  const doubt = findDoubt(code, bindings, definition, tokens);
  if (doubt !== undefined) return refused(doubt);
  if (isJoinedByName(bindings, definition, newName)) {
    return refused(
      t('NATURAL JOIN compares columns of the same name, so the new name would change the rows.'),
    );
  }
  const clash = bindings.groups.some(
    (group) =>
      group.some(({ token }) => token === definition.token) &&
      group.some(({ token, name }) => token !== definition.token && name === newName),
  );
  const isTaken =
    clash ||
    (definition.kind === 'column' && systemColumns.has(newName)) ||
    isInList(code, bindings, definition, newName) ||
    isInRelation(code, bindings, definition, newName) ||
    isSortedBy(code, bindings, tokens, newName) ||
    isMerged(code, bindings, definition, newName);
  if (isTaken) return refused(t('The name "{0}" is already used in the same scope.', newName));
  if (isKey(code, bindings, definition))
    return refused(t('The name of this column is also the key of its value, so it cannot be renamed.'));
  if (isKeyOfRow(code, bindings, definition, tokens)) {
    return refused(
      t('The whole row is used as a value, in which the name is a key, so it cannot be renamed.'),
    );
  }
  const changes: TextChange[] = [...changesOfControl(lexed, bindings, definition, newName)];
  /** Number of tokens inserted after each token. */
  const inserted = new Map<number, number>();
  const append = (behind: number, name: string): void => {
    changes.push({ start: code.end(behind), end: code.end(behind), newText: ` AS ${name}` });
    inserted.set(behind, 2);
  };
  for (const token of tokens) {
    const own = bindings.definitions.get(token);
    if (token === definition.token && definition.aliasBehind !== undefined) {
      append(definition.aliasBehind, newText);
      continue;
    }
    const isBareOutput =
      token === definition.token && code.word(token - 1) !== 'as' && isOutput(bindings, definition);
    const as = isBareOutput && needsAs.has(newText.toLowerCase()) ? 'AS ' : '';
    if (as !== '') inserted.set(token - 1, 1);
    changes.push({ ...placeOf(code, token), newText: as + newText });
    // An output that takes its name from the renamed symbol keeps that name.
    if (token !== definition.token && own?.aliasBehind !== undefined)
      append(own.aliasBehind, code.textOf(token));
  }
  const problem = prove(lexed, bindings, { changes, inserted, definition, tokens, newText }, context);
  return problem === undefined
    ? { kind: 'changes', changes: changes.toSorted((a, b) => a.start - b.start) }
    : refused(problem);
}

/** Returns the changes of a control's comments, if they name a column of its result by the name. */
function changesOfControl(
  lexed: LexedText,
  bindings: Bindings,
  { name, token }: Definition,
  newName: string,
): readonly TextChange[] {
  const control = readControlDirectives(readDirectives(lexed), []);
  const { query } = bindings.outline;
  const outputs = control && query && bindings.outputsOf(query).list;
  if (control === undefined || outputs?.some(({ definition }) => definition?.token === token) !== true)
    return [];
  return columnWordsOf(control)
    .filter((word) => word.name.toLowerCase() === name.toLowerCase())
    .map(({ start, end }) => ({ start, end, newText: quoteName(newName, isPlainName) }));
}

const isOutput = ({ outline }: Bindings, { token }: Definition): boolean =>
  outline.selects.some(({ outputs }) => outputs.some(({ definition }) => definition?.token === token));

/** The name of an output without an alias: PostgreSQL takes it from a word in it, such as a field or a function. */
const wordsIn = (code: TokenList, first: number, last: number): readonly string[] =>
  indexes(code, first, last).flatMap((at) => nameAt(code, at) ?? []);

/** Returns whether ORDER BY or GROUP BY would read the new name as that of another output. */
function isSortedBy(
  code: TokenList,
  { outline }: Bindings,
  tokens: readonly number[],
  newName: string,
): boolean {
  const own = new Set(tokens);
  return outline.selects.some(
    ({ mentions, outputs }) =>
      mentions.some(
        ({ clause, tokens: [only = -1, ...others] }) =>
          (clause === 'order' || clause === 'group') && others.length === 0 && own.has(only),
      ) &&
      outputs.some(
        ({ definition, star, first, last }) =>
          star === undefined &&
          (definition === undefined
            ? wordsIn(code, first, last).includes(newName)
            : definition.name === newName && !own.has(definition.token)),
      ),
  );
}

/** Returns whether a list with the column, perhaps by a star, has another one of the new name: ORDER BY could mean both. */
const isInList = (code: TokenList, bindings: Bindings, { token }: Definition, newName: string): boolean =>
  bindings.outline.selects.some(({ outputs, relations }) => {
    const listed = outputs.flatMap(({ first, last, definition, star }): readonly BoundColumn[] =>
      star === undefined
        ? definition === undefined
          ? wordsIn(code, first, last).map((name) => ({ name }))
          : [{ name: definition.name, definition }]
        : relations
            .filter((relation) => star.length === 0 || star[0] === relation.definition?.name)
            .flatMap((relation) => bindings.columnsOf(relation).list),
    );
    return (
      listed.some(({ definition }) => definition?.token === token) &&
      listed.some(({ name, definition }) => name === newName && definition?.token !== token)
    );
  });

/** Returns whether a table with the column has, or may have, another one of the new name. */
const isInRelation = (code: TokenList, bindings: Bindings, { token }: Definition, newName: string): boolean =>
  bindings.outline.selects.some(({ relations }) =>
    relations.some((relation) => {
      const { list, isOpen } = bindings.columnsOf(relation);
      const query = relation.query ?? relation.commonTable?.query;
      const isOwn = list.some(({ definition }) => definition?.token === token);
      const mayHave = (): boolean =>
        isOpen &&
        query !== undefined &&
        indexes(code, query.first, query.last).some((at) => nameAt(code, at) === newName);
      return (
        isOwn &&
        (list.some(({ name, definition }) => name === newName && definition?.token !== token) || mayHave())
      );
    }),
  );

/** Returns whether USING merges columns of the new name in a query that has the column, so that both would be meant. */
const isMerged = (code: TokenList, bindings: Bindings, { token }: Definition, newName: string): boolean =>
  bindings.outline.selects.some(
    ({ mentions, relations }) =>
      mentions.some(({ clause, tokens: [at = -1] }) => clause === 'using' && nameAt(code, at) === newName) &&
      relations.some((relation) =>
        bindings.columnsOf(relation).list.some(({ definition }) => definition?.token === token),
      ),
  );

/** Returns whether a NATURAL JOIN has the column, and another of its tables has the old or the new name. */
function isJoinedByName(bindings: Bindings, { name, token }: Definition, newName: string): boolean {
  return bindings.outline.selects.some(({ isNatural, relations }) => {
    const tables = isNatural ? relations.map((relation) => bindings.columnsOf(relation)) : [];
    const own = tables.filter(({ list }) => list.some(({ definition }) => definition?.token === token));
    const others = tables.filter((table) => !own.includes(table));
    return (
      own.length > 1 ||
      (own.length === 1 &&
        others.some(
          ({ list, isOpen }) => isOpen || list.some((each) => each.name === name || each.name === newName),
        ))
    );
  });
}

/** Returns whether a function looks its values up by the column's name, as in `jsonb_to_record(...) AS t(a int)`. */
const isKey = (code: TokenList, { outline }: Bindings, { token }: Definition): boolean =>
  !code.is(token + 1, ',') &&
  !code.is(token + 1, ')') &&
  outline.selects.some(({ relations }) =>
    relations.some(
      ({ functionName, columnAliases }) =>
        functionName !== undefined && columnAliases.some((column) => column.token === token),
    ),
  );

/** Returns whether a row with the column is a value, such as in `to_jsonb(t)`, or XML takes its tag from the name. */
function isKeyOfRow(
  code: TokenList,
  bindings: Bindings,
  definition: Definition,
  tokens: readonly number[],
): boolean {
  const { outline, references } = bindings;
  const rows = new Set<number>();
  for (const { mentions, outputs } of outline.selects) {
    const stars = new Set(outputs.flatMap(({ star, first }) => (star === undefined ? [] : first)));
    for (const { tokens: named, hasStar, target } of mentions) {
      const [first = -1] = named;
      const isRow = target === undefined && named.length === 1 && (!hasStar || !stars.has(first));
      const row = isRow ? references.get(first) : undefined;
      if (row !== undefined && code.word(first + 1) !== 'is') rows.add(row.token);
    }
  }
  const isOfRow = outline.selects.some(({ relations }) =>
    relations.some(
      (relation) =>
        rows.has(relation.definition?.token ?? -1) &&
        bindings
          .columnsOf(relation)
          .list.some(
            (column) =>
              column.definition?.token === definition.token &&
              definition.token !== relation.definition?.token,
          ),
    ),
  );
  const hasTags = indexes(code).some((at) => takesTags(code, at));
  return isOfRow || (hasTags && tokens.some((token) => isTag(code, token)));
}

/** Returns whether `xmlforest` or `xmlattributes` takes its tag from the token. */
const isTag = (code: TokenList, token: number): boolean =>
  takesTags(code, (openingAround(code, token) ?? 0) - 1) && code.word(token + 1) !== 'as';

const takesTags = (code: TokenList, index: number): boolean =>
  ['xmlforest', 'xmlattributes'].includes(code.word(index));

/** Returns a message about a token with the same name whose meaning is uncertain. */
function findDoubt(
  code: TokenList,
  { span, references, definitions, mentioned, unsure, outline }: Bindings,
  definition: Definition,
  tokens: readonly number[],
): string | undefined {
  const own = new Set(tokens);
  for (let index = span.firstToken; index <= span.lastToken; index++) {
    if (nameAt(code, index) !== definition.name) continue;
    const isKnown = mentioned.has(index) || references.has(index) || definitions.has(index);
    const isOther = outline.others.has(index) || isReservedWord(code, index) || code.is(index - 1, '.');
    const isUsing = unsure.has(index) && !references.has(index);
    if (isUsing || (unsure.has(index) && own.has(index)) || (!isKnown && !isOther)) {
      return t(
        'It is unclear whether the "{0}" at character {1} of the statement refers to the same name. Qualify it with its table, or rename it manually.',
        definition.name,
        code.start(index) - span.start + 1,
      );
    }
  }
  return undefined;
}

const isReservedWord = (code: TokenList, index: number): boolean =>
  keywords.get(code.word(index)) === 'reserved';

interface PlannedRename {
  readonly changes: readonly TextChange[];
  readonly inserted: ReadonlyMap<number, number>;
  readonly definition: Definition;
  readonly tokens: readonly number[];
  readonly newText: string;
}

/** Returns a message if the rename would change anything else, or undefined if it is safe. */
function prove(
  lexed: LexedText,
  before: Bindings,
  { changes, inserted, definition, tokens, newText }: PlannedRename,
  context: NameContext,
): string | undefined {
  const { code } = lexed;
  const renamed = lex(applyChanges(lexed.text, changes));
  const reads = t('The name "{0}" would change the meaning of the query', newText);
  const moved: number[] = [];
  let next = 0;
  for (let index = 0; index < code.length; index++) {
    moved.push(next);
    next += 1 + (inserted.get(index) ?? 0);
  }
  if (renamed.code.length !== next || renamed.problems.length !== lexed.problems.length) return `${reads}.`;
  const isWritten = new Set(
    tokens.filter((token) => !(token === definition.token && definition.aliasBehind !== undefined)),
  );
  for (const [index, at] of moved.entries()) {
    const expected = isWritten.has(index) ? newText : code.textOf(index);
    if (renamed.code.textOf(at) !== expected) return `${reads}.`;
  }
  const after = bindStatement(renamed, moved[definition.token] ?? -1, context);
  if (after === undefined) return `${reads}.`;
  /** Returns the new index of a definition's token: after AS, if AS was inserted. */
  const movedDefinition = (target: Definition): number => {
    const behind = target.aliasBehind;
    const count = behind === undefined ? 0 : (inserted.get(behind) ?? 0);
    return count > 0 ? (moved[behind ?? -1] ?? -1) + count : (moved[target.token] ?? -1);
  };
  for (let index = before.span.firstToken; index <= before.span.lastToken; index++) {
    const at = moved[index] ?? -1;
    const was = before.references.get(index);
    const is = after.references.get(at);
    const isUnclear = after.unsure.has(at) && !before.unsure.has(index);
    if (isUnclear || (was === undefined ? -1 : movedDefinition(was)) !== (is?.token ?? -1)) {
      const line = code.textOf(index);
      return t(
        '{0}: {1} at character {2} of the statement would mean something else.',
        reads,
        line,
        code.start(index) - before.span.start + 1,
      );
    }
  }
  return undefined;
}

const utf8Length = (text: string): number =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/%../g, '.').length;

export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let copied = 0;
  for (const { start, end, newText } of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(copied, start) + newText;
    copied = end;
  }
  return result + text.slice(copied);
}
