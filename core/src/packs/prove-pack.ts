/** Checks that every query of a pack is read-only before anything is installed. */
import { t } from '#base/texts.ts';
import type { StatementsResult } from '#server/protocol.ts';
import type { Pack, PackProblem, PackQuery } from './read-pack.ts';

/** Finds the statements of a query, each with its verdict. */
export type FindStatements = (
  query: Pick<PackQuery, 'text' | 'model'>,
) => Promise<Pick<StatementsResult, 'statements'> | null | undefined>;

/** Returns the first query that is not a single, provably read-only statement; undefined if all are. */
export async function unprovenQuery(pack: Pack, find: FindStatements): Promise<PackProblem | undefined> {
  for (const query of pack.queries) {
    const because = await unprovenBecause(query, find);
    if (because !== undefined) return { kind: 'notReadOnly', file: query.file, because };
  }
  return undefined;
}

async function unprovenBecause(query: PackQuery, find: FindStatements): Promise<string | undefined> {
  const found = await find(query);
  const [statement, ...others] = found?.statements ?? [];
  if (statement === undefined) return t('it contains no statement.');
  if (others.length > 0) return t('it contains more than one statement.');
  switch (statement.verdict) {
    case 'read-only':
      return undefined;
    case 'not-read-only':
      return t('it changes data.');
    case 'side-effects':
      return t('it calls a function with side effects.');
    case 'unknown-function':
      return t('it calls an unknown function.');
    case 'syntax-error':
      return t('it has a syntax error.');
    case 'unverified':
      return t('it could not be verified.');
    default:
      statement.verdict satisfies never;
      return t('it could not be verified.');
  }
}
