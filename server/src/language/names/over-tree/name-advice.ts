/** Messages about unresolved and ambiguous names. */
import type { CatalogueModel } from '../../../protocol.ts';
import { closestName, findTable, type Catalogue } from '../catalogue.ts';
import type { Scope, Unseen } from './scopes.ts';

/** The probably intended name. */
export interface Guess {
  /** Follow-up sentence; empty if no name is close. */
  readonly question: string;
  /** The parts of the dotted name. */
  readonly meant?: readonly string[] | undefined;
}

export function guess(name: string, known: readonly string[]): Guess {
  const meant = closestName(name, known);
  return meant === undefined ? { question: '' } : { question: ` Did you mean ${meant}?`, meant: [meant] };
}

/** Message about a column that no table has. `behind` follows it: where one exists, or which one is close. */
export function describeColumn(column: string, behind: string): string {
  return /[‘’“”]/.test(column)
    ? `${column} is read as a name. Put text in straight single quotes: 'text'.`
    : `There is no column ${column} here.${behind}`;
}

export function describeAmbiguous(column: string, owner: string, owners: readonly string[]): string {
  const names = [...new Set(owners)];
  return names.length === 1
    ? `${owner} has several columns ${column}. Give them names of their own where they come from.`
    : `${column} is a column of ${names.join(', ')}. Write which one: ${owner}.${column}`;
}

const reasons: Readonly<Record<Unseen['reason'], string>> = {
  condition: 'a condition after ON sees only the tables of its own JOIN and of those chained before it',
  lateral: 'a subquery in FROM does not see the tables beside it, unless LATERAL is written before it',
};

/** Follow-up sentence: which relation has the column, although it is not visible here. */
export function unseenColumn(column: string, unseen: Unseen | undefined): string | undefined {
  const owner = unseen?.relations.find(({ columns }) => columns?.names.includes(column));
  return unseen === undefined || owner === undefined
    ? undefined
    : ` ${owner.name ?? 'A subquery'} has one, but ${reasons[unseen.reason]}.`;
}

export interface QualifiedName {
  readonly schema: string | undefined;
  readonly first: string;
  readonly column: string;
}

/** Message about a qualifier that is neither table nor alias. */
export function describeQualifier(
  { schema, first, column }: QualifiedName,
  scope: Scope,
): { readonly message: string; readonly meant?: readonly string[] | undefined } {
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const { relations, unseen } = at;
    const renamed = relations.find(({ aliasOf }) => aliasOf === first);
    if (renamed?.name !== undefined) {
      const { name } = renamed;
      return { message: `${first} is called ${name} in this query. Write ${name}.${column}`, meant: [name] };
    }
    if (schema === undefined && unseen?.names.has(first) === true) {
      return { message: `${first} cannot be named here: ${reasons[unseen.reason]}.` };
    }
    if (schema === undefined && relations.some(({ columns }) => columns?.names.includes(first))) {
      return {
        message: `${first} is a column here, not a table. For a field inside it write (${first}).${column}; out of JSON, ${first} ->> '${column}'`,
      };
    }
    if (
      schema !== undefined &&
      relations.some(({ name, columns }) => name === schema && columns?.names.includes(first))
    ) {
      return {
        message: `${schema}.${first} is a column, not a table. For a field inside it write (${schema}.${first}).${column}; out of JSON, ${schema}.${first} ->> '${column}'`,
      };
    }
    for (const { name } of relations) {
      if (name !== undefined) {
        names.push(name);
      }
    }
  }
  const written = schema === undefined ? first : `${schema}.${first}`;
  const { question, meant } = guess(first, names);
  return {
    message: `${written} is no table or alias in this query.${question}`,
    ...(schema === undefined ? { meant } : {}),
  };
}

/** Message about a table that its model lacks. */
export function describeTable(
  catalogue: Catalogue,
  { name: model, tables = [] }: CatalogueModel,
  name: string,
): { readonly message: string; readonly meant?: readonly string[] | undefined } {
  const elsewhere = ownerOf(catalogue, name);
  if (elsewhere !== undefined) {
    return {
      message: `There is no table ${name} in ${model}. There is one in another model: ${elsewhere.name}.${name}`,
      meant: [elsewhere.name, name],
    };
  }
  const { question, meant } = guess(
    name,
    tables.map((table) => table.name),
  );
  return { message: `There is no table ${name} in ${model}.${question}`, meant };
}

const ownerOf = ({ models }: Catalogue, table: string): CatalogueModel | undefined =>
  models.find((model) => findTable(model, table) !== undefined);
