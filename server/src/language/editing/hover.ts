/** Describes the name under the cursor: a column, table, model, parameter or function. Uses only tokens. */
import { locale, t } from '#base/texts.ts';
import type { CatalogueColumn, CatalogueModel, CatalogueTable, ColumnTarget } from '#server/protocol.ts';
import { hiddenCharacterAt } from '../checks/hidden-characters.ts';
import { readParameters } from '../checks/parameters/parameters.ts';
import { closingOf } from '../checks/syntax/parentheses.ts';
import { findColumn, findModel, findTable } from '../names/catalogue.ts';
import { isTargetIn } from '../names/declared-references.ts';
import { columnsMax } from '../names/expansion-limit.ts';
import type { NameContext } from '../names/name-context.ts';
import { bindStatement, type Bindings, type Columns } from '../names/over-tokens/bindings.ts';
import type { Definition, DefinitionKind, OutlineRelation } from '../names/over-tokens/outline.ts';
import { visibleAt, visibleIn, type Visible } from '../names/over-tokens/visible.ts';
import { readDirectives } from '../text/directives.ts';
import { nameAt } from '../text/identifiers.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import type { TypeCatalogue } from '../types/catalogue/catalogue.ts';
import { hoverOfDirective } from './directive-completion.ts';
import { knownFunctions, type KnownFunction } from './functions.ts';
import { firstOverloads, overloadsWritten } from './overloads.ts';

export interface Hover {
  /** UTF-16 offsets of the token. */
  readonly start: number;
  readonly end: number;
  /** A line of code shown as the title. */
  readonly title: string;
  /** Lines of code below the title: the other overloads of a function. */
  readonly overloads?: readonly string[];
  readonly description?: string;
  /** For a table: its relations, as a sentence each. */
  readonly relations?: readonly string[];
  /** For a table: its columns with their types, as a sentence. */
  readonly columns?: string;
  /**
   * The kind of name whose type is missing from the title and must come from the check: a call, a column defined in the
   * text, or an undeclared parameter.
   */
  readonly untyped?: 'call' | 'column' | 'parameter';
}

export interface HoverContext extends NameContext {
  /** Returns PostgreSQL's functions; if undefined, only one overload of each is known. */
  readonly functions?: () => TypeCatalogue | undefined;
}

/** Returns undefined if there is nothing to show. */
export function hoverAt(lexed: LexedText, offset: number, context: HoverContext): Hover | undefined {
  const hidden = hiddenCharacterAt(lexed.text, offset);
  if (hidden !== undefined) {
    const { start, end, codePoint, name } = hidden;
    return { start, end, title: `${t('(invisible character)')} ${codePoint} ${name}` };
  }
  const directive = hoverOfDirective(lexed, offset);
  if (directive !== undefined) return directive;
  const { code } = lexed;
  const touched = code.at(offset);
  const isBehind =
    touched === code.length ||
    offset < code.start(touched) ||
    (code.is(touched, '.') && offset === code.start(touched));
  const at = isBehind ? touched - 1 : touched;
  if (offset < code.start(at) || offset > code.end(at)) return undefined;
  const meaning =
    code.kind(at) === TokenKind.placeholder
      ? describeParameter(lexed, code.textOf(at).slice(1))
      : describeNamed(lexed, at, context);
  return meaning === undefined ? undefined : { start: code.start(at), end: code.end(at), ...meaning };
}

type Meaning = Omit<Hover, 'start' | 'end'>;

const meaningOf = (title: string, description: string | undefined): Meaning =>
  description === undefined || description === '' ? { title } : { title, description };

function describeParameter(lexed: LexedText, name: string): Meaning {
  const declared = readParameters(readDirectives(lexed)).find((parameter) => parameter.name === name);
  const defaultValue = declared?.defaultValue === undefined ? '' : ` = ${declared.defaultValue}`;
  const { type } = declared ?? {};
  const meaning = meaningOf(
    `${t('(parameter)')} ${name}: ${type ?? t('type not declared')}${defaultValue}`,
    declared?.description,
  );
  return type === undefined ? { ...meaning, untyped: 'parameter' } : meaning;
}

function describeNamed(lexed: LexedText, at: number, context: HoverContext): Meaning | undefined {
  const bindings = nameAt(lexed.code, at) === undefined ? undefined : bindStatement(lexed, at, context);
  if (bindings === undefined) return undefined;
  const isWindow = bindings.outline.selects.some(({ mentions }) =>
    mentions.some(({ clause, tokens }) => clause === 'window' && tokens[0] === at),
  );
  const own = describeOwn(lexed, at, bindings, context);
  return isWindow ? own : (own ?? describeName(lexed, at, bindings, context));
}

const ownKinds: ReadonlySet<DefinitionKind> = new Set(['common-table', 'alias', 'window']);

/** Describes names defined in the statement, such as CTEs, their columns and aliases. */
function describeOwn(
  lexed: LexedText,
  at: number,
  bindings: Bindings,
  context: NameContext,
): Meaning | undefined {
  const { code } = lexed;
  const own = bindings.definitions.get(at);
  const definition =
    bindings.references.get(at) ?? (own !== undefined && ownKinds.has(own.kind) ? own : undefined);
  if (definition === undefined) return undefined;
  const { selects, queries } = bindings.outline;
  if (definition.kind === 'window') {
    const open = definition.token + 2;
    const written = lexed.text.slice(code.start(open), code.end(closingOf(code, open)));
    return meaningOf(`${t('(window)')} ${definition.name}`, shorten(written));
  }
  if (definition.kind === 'column') {
    const output = selects
      .flatMap(({ outputs }) => outputs)
      .find((each) => each.definition?.token === definition.token);
    const written =
      output === undefined ? undefined : lexed.text.slice(code.start(output.first), code.end(output.last));
    return {
      ...meaningOf(`${t('(column)')} ${definition.name}`, written && shorten(written)),
      untyped: 'column',
    };
  }
  const common = queries
    .flatMap(({ commonTables }) => commonTables)
    .find((table) => table.definition.token === definition.token);
  const relation = selects
    .flatMap(({ relations }) => relations)
    .find((each) => each.definition?.token === definition.token);
  if (relation?.table !== undefined) return describeTable(definition, relation.table, context);
  const { functionName } = relation ?? {};
  if (functionName !== undefined) {
    // The type of a value says more than the name of the function.
    const isValue = definition.token !== at && !code.is(at + 1, '.');
    return isValue ? undefined : { title: aliasTitle(definition.name, `${functionName}()`) };
  }
  if (common !== undefined) {
    return common.query === undefined
      ? undefined
      : { title: `${t('(common table)')} ${definition.name}${listed(bindings.outputsOf(common.query))}` };
  }
  if (relation?.commonTable !== undefined) {
    const { name } = relation.commonTable.definition;
    return { title: aliasTitle(definition.name, `${name}${listed(bindings.columnsOf(relation))}`) };
  }
  return relation?.query === undefined
    ? undefined
    : { title: `${t('(subquery)')} ${definition.name}${listed(bindings.columnsOf(relation))}` };
}

const aliasTitle = (alias: string, meant: string): string => `${t('(alias)')} ${alias}: ${meant}`;

/** Describes a table by the alias or the name that FROM gives it. */
function describeTable(
  { kind, name: own }: Definition,
  { schema, name }: NonNullable<OutlineRelation['table']>,
  { catalogue, model }: NameContext,
): Meaning | undefined {
  const owner = schema ?? model;
  const known = catalogue && findModel(catalogue, owner);
  const table = known && findTable(known, name);
  if (kind !== 'alias') return known && table && tableMeaning(known, table);
  return known !== undefined && table !== undefined
    ? { ...tableMeaning(known, table), title: aliasTitle(own, `${owner}.${name}`) }
    : { title: aliasTitle(own, schema === undefined ? name : `${schema}.${name}`) };
}

const tableMeaning = (owner: CatalogueModel, table: CatalogueTable): Meaning => ({
  ...meaningOf(`${t('(table)')} ${owner.name}.${table.name}`, table.description),
  relations: relationsOf(owner, table),
  ...columnsOf(table),
});

const tableColumnsMax = 30;

/** Lists the columns with their types. */
function columnsOf({ columns = [] }: CatalogueTable): Pick<Hover, 'columns'> {
  if (columns.length === 0) return {};
  const list = columns
    .slice(0, tableColumnsMax)
    .map(({ name, type }) => `${name} ${type}`)
    .join(', ');
  return { columns: t('Columns: {0}.', columns.length > tableColumnsMax ? `${list}, …` : list) };
}

/** Lists the columns that refer to other tables, then the columns of other tables that refer to this one. */
function relationsOf(owner: CatalogueModel, { name, columns = [] }: CatalogueTable): readonly string[] {
  const own = columns.map((column) => ({
    rank: rankOf(column.refersTo),
    text: `${column.name} → ${targetsOf(column)}`,
  }));
  const others = (owner.tables ?? [])
    .filter((table) => table.name !== name)
    .flatMap((table) =>
      (table.columns ?? []).map((column) => ({
        rank: rankOf(
          column.refersTo?.filter((target) =>
            isTargetIn(target, owner.name, { model: owner.name, table: name }),
          ),
        ),
        text: `${table.name}.${column.name}`,
      })),
    );
  return [
    ...shownRelations(own).map((list) => t('Relations: {0}.', list)),
    ...shownRelations(others).map((list) => t('Referred to by {0}.', list)),
  ];
}

/** Returns the lowest rank, or infinity without targets. */
const rankOf = (targets: readonly ColumnTarget[] = []): number =>
  targets.reduce((least, { rank }) => Math.min(least, rank), Infinity);

/** Returns the likeliest relations, or nothing if there are none. */
function shownRelations(all: readonly { readonly rank: number; readonly text: string }[]): readonly string[] {
  const found = all.filter(({ rank }) => rank < Infinity).sort((a, b) => a.rank - b.rank);
  const shown = found.slice(0, shownRelationsMax).map(({ text }) => text);
  const rest = found.length - shown.length;
  return shown.length === 0 ? [] : [[...shown, ...(rest > 0 ? [t('... {0} more', rest)] : [])].join(', ')];
}

const shownRelationsMax = 6;

function listed({ list, isOpen, isTooLong }: Columns): string {
  const isCut = isOpen || list.length > shownColumnsMax;
  const shown = list.slice(0, shownColumnsMax).map(({ name }) => name);
  const rest = isTooLong === true ? t('more than {0} columns', columnsMax.toLocaleString(locale())) : '...';
  return `(${[...shown, ...(isCut ? [rest] : [])].join(', ')})`;
}

const shownColumnsMax = 200;
const descriptionMax = 200;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= descriptionMax ? line : `${line.slice(0, descriptionMax)}...`;
}

function describeName(
  { code }: LexedText,
  at: number,
  bindings: Bindings,
  context: HoverContext,
): Meaning | undefined {
  const name = nameAt(code, at);
  if (name === undefined) return undefined;
  const qualifier = code.is(at - 1, '.') ? nameAt(code, at - 2) : undefined;
  if (code.is(at + 1, '(') && qualifier === undefined) {
    const known = knownFunctions.find((entry) => entry.name === name);
    return known && { ...describeFunction(known, context.functions?.()), untyped: 'call' };
  }
  const { catalogue, model } = context;
  if (catalogue === undefined) return undefined;
  const visible = (): Visible =>
    bindings.outline.query === undefined
      ? visibleAt(code, bindings.span, at, context)
      : visibleIn(bindings, code, at);
  const columnOf = (alias: string | undefined): Meaning | undefined => {
    const found: (readonly [string, CatalogueColumn])[] = [];
    for (const relation of visible().scopes.flat()) {
      const { table } = relation;
      const column =
        table && findColumn(catalogue, { model: table.schema ?? model, table: table.name, column: name });
      if (table !== undefined && column !== undefined && (alias === undefined || relation.alias === alias))
        found.push([table.name, column]);
    }
    const [first] = found;
    return (
      first && meaningOf(`${t('(column)')} ${first[0]}.${name}: ${first[1].type}`, aboutColumn(first[1]))
    );
  };
  const tableOf = (owner: string): Meaning | undefined => {
    const found = findModel(catalogue, owner);
    const table = found && findTable(found, name);
    return found && table && tableMeaning(found, table);
  };
  if (qualifier !== undefined) return columnOf(qualifier) ?? tableOf(qualifier);
  const known = findModel(catalogue, name);
  if (known !== undefined && code.is(at + 1, '.'))
    return meaningOf(`${t('(model)')} ${name}`, known.description);
  const previous = code.word(at - 1);
  const isTable = previous === 'from' || previous === 'join' || code.is(at + 1, '.');
  return isTable ? tableOf(model) : (columnOf(undefined) ?? tableOf(model));
}

function describeFunction(
  { name, description }: KnownFunction,
  catalogue: TypeCatalogue | undefined,
): Meaning {
  const [title = '', ...others] = overloadsWritten(name, catalogue).map(
    (each) => `${t('(function)')} ${name}${each}`,
  );
  const overloads = firstOverloads(others);
  return { ...meaningOf(title, description), ...(overloads.length === 0 ? {} : { overloads }) };
}

/** Returns the column's description, references and known values. */
function aboutColumn(column: CatalogueColumn): string {
  const { description, isOwnId, values = [] } = column;
  const targets = targetsOf(column);
  return [
    description ?? '',
    isOwnId === true ? t('The ID of the record itself.') : '',
    targets === '' ? '' : t('Refers to {0}.', targets),
    values.length === 0 || description?.includes(values[0] ?? '') === true
      ? ''
      : t('Known values: {0}.', values.join(', ')),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Returns the columns that a column refers to, likeliest first. */
function targetsOf({ refersTo = [] }: CatalogueColumn): string {
  return [...refersTo]
    .sort((a, b) => a.rank - b.rank)
    .map(({ model, table, column }) => [...(model === undefined ? [] : [model]), table, column].join('.'))
    .join(' or ');
}
