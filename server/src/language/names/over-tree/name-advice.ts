/** Messages about unresolved and ambiguous names. */
import { t } from '#base/texts.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { closestName, findTable, namesWithWords, type Catalogue } from '../catalogue.ts';
import { positionOf } from '../relations/columns-by-name.ts';
import type { Columns } from './columns.ts';
import type { Scope, Unseen } from './scopes.ts';

/** The name that was probably intended. */
export interface Guess {
  /** A follow-up sentence; empty if no name is close enough. */
  readonly question: string;
  /** The parts of the intended dotted name. */
  readonly meant?: readonly string[] | undefined;
}

export function guess(name: string, known: readonly string[]): Guess {
  const meant = closestName(name, known);
  return meant === undefined
    ? { question: '' }
    : { question: ` ${t('Did you mean "{0}"?', meant)}`, meant: [meant] };
}

/** Like guess, but if no name is close, returns the columns that contain the words of this one. */
export function guessColumn(
  name: string,
  known: readonly string[],
): Guess & { readonly choices?: readonly (readonly string[])[] | undefined } {
  const close = guess(name, known);
  return close.meant === undefined
    ? { ...close, choices: namesWithWords(name, known).map((each) => [each]) }
    : close;
}

/**
 * Returns the message for a column that no visible table has.
 * @param behind a follow-up about the relation that has the column, or a similar name
 */
export function describeColumn(column: string, behind: string): string {
  return /[‘’“”]/.test(column)
    ? t("{0} is read as a name. Put text in straight single quotes: 'text'.", column)
    : `${t('There is no column "{0}" here.', column)}${behind}`;
}

export function describeAmbiguous(column: string, owner: string, owners: readonly string[]): string {
  const names = [...new Set(owners)];
  return names.length === 1
    ? t(
        '"{0}" has several columns named "{1}". Give them different names where they are defined.',
        owner,
        column,
      )
    : t('"{0}" is a column of {1}. Qualify it: {2}.{0}', column, names.join(', '), owner);
}

const has = (columns: Columns, name: string): boolean => positionOf(columns ?? [], name) >= 0;

const reasons: Readonly<Record<Unseen['reason'], () => string>> = {
  condition: () =>
    t('a condition after ON sees only the tables of its own JOIN and of those chained before it'),
  lateral: () =>
    t('a subquery in FROM does not see the tables beside it, unless LATERAL is written before it'),
};

/** Returns a follow-up about a relation that has the column but is not visible here. */
export function unseenColumn(column: string, unseen: Unseen | undefined): string | undefined {
  const owner = unseen?.relations.find(({ columns }) => has(columns, column));
  if (unseen === undefined || owner === undefined) return undefined;
  const reason = reasons[unseen.reason]();
  return owner.name === undefined
    ? ` ${t('A subquery has one, but {0}.', reason)}`
    : ` ${t('"{0}" has one, but {1}.', owner.name, reason)}`;
}

export interface QualifiedName {
  readonly schema: string | undefined;
  readonly first: string;
  readonly column: string;
}

/** Returns the message for a qualifier that is neither a table nor an alias. */
export function describeQualifier(
  { schema, first, column }: QualifiedName,
  scope: Scope,
): { readonly message: string; readonly meant?: readonly string[] | undefined } {
  const names: string[] = [];
  const owners: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const { relations, unseen } = at;
    const renamed = relations.find(({ aliasOf }) => aliasOf === first);
    if (renamed?.name !== undefined) {
      const { name } = renamed;
      return {
        message: t('"{0}" is called "{1}" in this query. Write {1}.{2}', first, name, column),
        ...(schema === undefined ? { meant: [name] } : {}),
      };
    }
    if (schema === undefined && unseen?.names.has(first) === true)
      return { message: t('"{0}" cannot be named here: {1}.', first, reasons[unseen.reason]()) };
    if (schema === undefined && relations.some(({ columns }) => has(columns, first))) {
      return {
        message: t(
          '"{0}" is a column here, not a table. For a field inside it, write ({0}).{1}, or for JSON, {0} ->> \'{1}\'',
          first,
          column,
        ),
      };
    }
    if (
      schema !== undefined &&
      relations.some(({ name, columns }) => name === schema && has(columns, first))
    ) {
      return {
        message: t(
          "{0}.{1} is a column, not a table. For a field inside it, write ({0}.{1}).{2}, or for JSON, {0}.{1} ->> '{2}'",
          schema,
          first,
          column,
        ),
      };
    }
    for (const { name, columns } of relations) {
      if (name === undefined) continue;
      names.push(name);
      if (columns === undefined || column === '*' || has(columns, column)) owners.push(name);
    }
  }
  const written = schema === undefined ? first : `${schema}.${first}`;
  // Any short name is close to any other, so one without the column is not meant.
  const owner = guess(first, owners);
  const { question, meant } = owner.meant === undefined && first.length > 3 ? guess(first, names) : owner;
  return {
    message: `${t('"{0}" is not a table or an alias in this query.', written)}${question}`,
    ...(schema === undefined ? { meant } : {}),
  };
}

/** Returns the message for a table that is not in its model. */
export function describeTable(
  catalogue: Catalogue,
  { name: model, tables = [] }: CatalogueModel,
  name: string,
): { readonly message: string; readonly meant?: readonly string[] | undefined } {
  const elsewhere = ownerOf(catalogue, name);
  if (elsewhere !== undefined) {
    return {
      message: t(
        'There is no table "{0}" in "{1}". There is one in another model: {2}.{0}',
        name,
        model,
        elsewhere.name,
      ),
      meant: [elsewhere.name, name],
    };
  }
  const { question, meant } = guess(
    name,
    tables.map((table) => table.name),
  );
  return { message: `${t('There is no table "{0}" in "{1}".', name, model)}${question}`, meant };
}

const ownerOf = ({ models }: Catalogue, table: string): CatalogueModel | undefined =>
  models.find((model) => findTable(model, table) !== undefined);
