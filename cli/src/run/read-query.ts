/** Reads a command's query from a file, standard input, or a saved query on the service. */
import path from 'node:path';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { typedLine, typedText } from '#base/advice.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { silentLogger } from '#base/logger.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { findSavedQuery as findQuery } from '#core/saved-queries/list-saved-queries.ts';
import { VersionStore } from '#core/saved-queries/version-store.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import type { Service } from '../service.ts';
import { readText } from '../text-file.ts';
import type { QueryText } from './statement.ts';

export interface QuerySource {
  readonly file: string | undefined;
  readonly saved: string | undefined;
  readonly model: string | undefined;
}

export interface QueryOfSource extends QueryText {
  readonly saved?: SavedQuery;
  /** The file as it was named; `-` for standard input. */
  readonly file?: string;
}

/** @throws CliError unless exactly one file or saved query is named and exists. */
export async function readQuery(
  context: CliContext,
  service: Service,
  { file, saved, model }: QuerySource,
): Promise<QueryOfSource> {
  if (file !== undefined && saved !== undefined)
    throw new CliError('Name a file or a saved query, not both.');
  if (saved !== undefined) {
    const query = await findSavedQuery(context, service, saved, context.signal);
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
  return { text, title: file === '-' ? 'The query' : file, model, file };
}

/** Finds a saved query by ID or name. @throws CliError */
export async function findSavedQuery(
  { environment }: Pick<CliContext, 'environment'>,
  { client, profile }: Service,
  nameOrId: string,
  signal: AbortSignal,
): Promise<SavedQuery> {
  const knownIds = () => versionStoreOf(environment, profile).queryIds(profile.name);
  const found = await findQuery(client, nameOrId, { signal, knownIds });
  if (found !== undefined) return found;
  throw new CliError(
    `There is no saved query "${nameOrId}". List them with: ${typedText(advice.listSaved())}`,
  );
}

/** The versions of saved queries that were seen on this machine. */
export function versionStoreOf(environment: NodeJS.ProcessEnv, profile: ConnectionProfile): VersionStore {
  const key = connectionKeyOf(profile);
  const folder = path.join(dataFolder(environment), 'versions');
  return new VersionStore({ folder, log: silentLogger, keyOf: () => key });
}
