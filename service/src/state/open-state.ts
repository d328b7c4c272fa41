/** Opens the service's state by the name that its operator gives it: a folder, or the address of a database. */
import { isPostgresUrl, parseTarget, type Target } from '#base/postgres-address.ts';
import { passwordSource } from '../own-data/password.ts';
import { UsageError } from '../process.ts';
import { openSqliteState } from './sqlite-state.ts';
import type { StateDatabase } from './state-database.ts';

/** The variable with the password of the state's login. */
export const statePasswordVariable = 'IDENTITY_QUERIES_STATE_PASSWORD';

export type StatePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'database'; readonly target: Target };

/** @throws UsageError */
export function statePlace(
  text: string | undefined,
  option = '--state',
  resolve = (folder: string): string => folder,
): StatePlace {
  if (text === undefined) return { kind: 'memory' };
  // As a folder, it would keep for this process alone what was meant for all.
  if (/^\s*[a-z][\w+.-]*:\/\//i.test(text) && !isPostgresUrl(text.trim()))
    throw new UsageError(`${option} must be a folder, or an address that begins with postgres://.`);
  if (!isPostgresUrl(text.trim())) return { kind: 'folder', folder: resolve(text) };
  const parsed = parseTarget(text);
  if (parsed.kind === 'problem') throw new UsageError(`${option}: ${parsed.problem}`);
  if (parsed.password !== undefined)
    throw new UsageError(
      `${option}: the address has a password in it, which other programs on this machine can read. Leave it out (${parsed.target.shown}): it comes from a password file (PGPASSFILE) or from the variable ${statePasswordVariable}. Change it if others use this machine.`,
    );
  return { kind: 'database', target: parsed.target };
}

/** @throws UsageError, StateError or Error, with a plain-language message */
export async function openState(
  place: StatePlace,
  warn: (line: string) => void,
  password?: string,
): Promise<StateDatabase> {
  if (place.kind !== 'database')
    return await openSqliteState(place.kind === 'folder' ? place.folder : undefined);
  // Loaded on demand: a state in a folder does not need it.
  const { openPostgresState } = await import('./postgres-state.ts');
  return await openPostgresState(place.target, statePassword(place.target, warn, password));
}

/** Makes or changes the tables. Returns what was done, as a sentence. */
export async function migrateState(place: StatePlace, warn: (line: string) => void): Promise<string> {
  if (place.kind === 'memory')
    throw new UsageError('serve migrate needs --state, with the address of a database.');
  if (place.kind === 'folder') {
    await (await openSqliteState(place.folder)).close();
    return `The state ${place.folder} is up to date. A folder is brought up to date at each start, too.`;
  }
  const { migratePostgres } = await import('./postgres-state.ts');
  return await migratePostgres(place.target, statePassword(place.target, warn));
}

function statePassword(
  target: Target,
  warn: (line: string) => void,
  password?: string,
): () => Promise<string> {
  // PGPASSWORD is for the database that is read.
  const { PGPASSWORD: _, ...environment } = process.env;
  return passwordSource({
    target,
    given: password ?? process.env[statePasswordVariable],
    environment,
    ask: undefined,
    otherPlace: `set the variable ${statePasswordVariable}`,
    warn,
  });
}
