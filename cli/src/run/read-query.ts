/** Reads a command's query from a file, standard input, or a saved query on the service. */
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { CliError, type CliContext } from '../context.ts';
import type { Service } from '../service.ts';
import { readText } from '../text-file.ts';
import type { QueryText } from './statement.ts';
import { advice } from '../advice.ts';
import { typedLine, typedText } from '#base/advice.ts';

export interface QuerySource {
  readonly file: string | undefined;
  readonly saved: string | undefined;
  readonly model: string | undefined;
}

/** @throws CliError unless exactly one file or saved query is named and exists. */
export async function readQuery(
  context: CliContext,
  service: Service,
  { file, saved, model }: QuerySource,
): Promise<QueryText & { readonly saved?: SavedQuery }> {
  if (file !== undefined && saved !== undefined)
    throw new CliError('Name a file or a saved query, not both.');
  if (saved !== undefined) {
    const query = await findSavedQuery(service, saved, context.signal);
    return {
      text: query.query_string,
      title: `"${query.name}"`,
      model: model ?? query.model,
      saved: query,
    };
  }
  if (file === undefined)
    throw new CliError('Name the file with the query, or a saved query with --saved.', [
      typedLine(advice.runFile('query.identity.sql')),
      typedLine(advice.runSaved('Access reviews/Admins without MFA')),
    ]);
  const text = await readText(file, context);
  return { text, title: file === '-' ? 'The query' : file, model };
}

/** Finds a saved query by name, ignoring case and surrounding whitespace; if there is none, by ID. @throws CliError */
export async function findSavedQuery(
  { client }: Service,
  nameOrId: string,
  signal: AbortSignal,
): Promise<SavedQuery> {
  const wanted = folded(nameOrId);
  for await (const query of client.savedQueries.listSummaries({ signal }))
    if (folded(query.name) === wanted) return await client.savedQueries.get(query.query_id, { signal });
  try {
    return await client.savedQueries.get(nameOrId, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CliError(
      `There is no saved query "${nameOrId}". List them with: ${typedText(advice.listSaved())}`,
      [],
      { cause: error },
    );
  }
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
