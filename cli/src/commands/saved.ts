/** `saved`: lists the service's saved queries, and prints their texts and stored versions. */
import path from 'node:path';
import { Command } from 'commander';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { removeLeftOvers } from '#base/files/left-overs.ts';
import { forTerminal, linesForTerminal } from '#base/shown-text/for-terminal.ts';
import { missingWords, listSavedQueries, noListWords } from '#core/saved-queries/list-saved-queries.ts';
import { mergeVersions, type KnownVersion } from '#core/saved-queries/version-store.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, isTerminal, write, writeJson } from '../output.ts';
import { plainFailureLines } from '../run/failure-text.ts';
import { positiveInteger } from '../run/numbers.ts';
import { findSavedQuery, versionStoreOf } from '../run/read-query.ts';
import { withConnectionOptions, withService, type ConnectionOptions, type Service } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';

interface SavedOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly version?: number;
}

export function savedCommand(context: CliContext): Command {
  const command = new Command('saved')
    .summary('list saved queries, show one, list its versions')
    .description('Lists the saved queries of the service, shows one, or lists its versions.');
  const subcommand = (name: string, summary: string) =>
    withConnectionOptions(command.command(name).summary(summary).description(`${summary}.`));
  const end = () => context.end(exitCodes.clean);

  subcommand('list', 'List the saved queries')
    .option('--json', 'print JSON')
    .action(async (options: SavedOptions) => {
      await withService(context, options, (service) => list(context, service, options));
      end();
    });
  subcommand('show', 'Print the text of a saved query, byte for byte')
    .argument('<name>', 'the name or ID of the saved query')
    .option('--json', 'print the whole record as JSON')
    .option(
      '--version <number>',
      'an earlier version that the service lists, or that was seen on this machine',
      positiveInteger,
    )
    .action(async (name: string, options: SavedOptions) => {
      await withService(context, options, (service) => show(context, service, name, options));
      end();
    });
  subcommand(
    'versions',
    'List the versions of a saved query: of the service, if it lists them, and those seen on this machine',
  )
    .argument('<name>', 'the name or ID of the saved query')
    .option('--json', 'print JSON, with the text of each version')
    .action(async (name: string, options: SavedOptions) => {
      await withService(context, options, (service) => versions(context, service, name, options));
      end();
    });
  return command;
}

async function list(
  { environment, stdout, stderr, signal }: CliContext,
  { client, profile }: Service,
  options: SavedOptions,
): Promise<void> {
  const knownIds = () => versionStoreOf(environment, profile).queryIds(profile.name);
  const listing = await listSavedQueries(client, { signal, knownIds });
  const { isListed } = listing;
  const missing = missingWords(listing);
  if (!isListed && listing.queries.length === 0) throw new CliError(noListWords());
  if (!isListed)
    await write(
      stderr,
      'This service does not list saved queries: these are the ones seen on this machine.\n',
    );
  if (missing !== undefined) await write(stderr, `${forTerminal(missing)}\n`);
  const queries = [...listing.queries];
  queries.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  if (options.json === true) {
    await writeJson(stdout, { savedQueries: queries, ...(isListed ? {} : { isListed }) });
    return;
  }
  const table = new TextTable([
    { name: 'name' },
    { name: 'version', isNumber: true },
    { name: 'model' },
    { name: 'changed' },
    { name: 'id' },
  ]);
  await write(
    stdout,
    table.rows(
      queries.map(({ name, version, model, last_modified_at, query_id }) => [
        name,
        String(version),
        model,
        last_modified_at ?? '',
        query_id,
      ]),
    ),
  );
}

async function show(
  context: CliContext,
  service: Service,
  name: string,
  { version, json }: SavedOptions,
): Promise<void> {
  const newest = await findSavedQuery(context, service, name, context.signal);
  const kept = await versionsOf(context, service, newest);
  const record =
    version === undefined || version === newest.version
      ? newest
      : kept.find((each) => each.record.version === version)?.record;
  if (record === undefined)
    throw new CliError(
      `Version ${version ?? ''} of "${newest.name}" is not listed and was not seen on this machine.`,
      [`Known: ${kept.map((each) => each.record.version).join(', ')}`],
    );
  if (json === true) await writeJson(context.stdout, record);
  // Only a terminal would interpret escape sequences; files and pipes get every byte.
  else if (isTerminal(context.stdout)) await write(context.stdout, linesForTerminal(record.query_string));
  else await write(context.stdout, record.query_string);
}

async function versions(
  context: CliContext,
  service: Service,
  name: string,
  { json }: SavedOptions,
): Promise<void> {
  const newest = await findSavedQuery(context, service, name, context.signal);
  const kept = await versionsOf(context, service, newest);
  if (json === true) {
    await writeJson(context.stdout, { versions: kept.map(({ record }) => record) });
    return;
  }
  const table = new TextTable([{ name: 'version', isNumber: true }, { name: 'changed' }, { name: 'by' }]);
  await write(
    context.stdout,
    table.rows(
      kept.map(({ record }) => [
        String(record.version),
        record.last_modified_at ?? '',
        (record.last_modified_by ?? record.created_by)?.id ?? '',
      ]),
    ),
  );
}

/**
 * Returns the versions that the service lists and those that this machine has kept, newest first, including the current
 * one. A service may keep no earlier versions, so each version that is read is stored on this machine.
 */
async function versionsOf(
  { environment, stderr, signal }: CliContext,
  { client, profile }: Service,
  newest: SavedQuery,
): Promise<readonly KnownVersion[]> {
  const folder = path.join(dataFolder(environment), 'versions');
  // A failed cleanup must not prevent listing.
  await removeLeftOvers([{ folder, isDeep: true }]).catch(() => 0);
  const store = versionStoreOf(environment, profile);
  store.note(profile.name, newest);
  const listed = await client.savedQueries
    .versions(newest.query_id, { signal })
    .catch(async (error: unknown) => {
      signal.throwIfAborted();
      const [why = ''] = plainFailureLines(error);
      await write(stderr, `The versions of the service could not be listed: ${forTerminal(why)}\n`);
      return undefined;
    });
  if (listed?.isComplete === false)
    await write(stderr, 'The service has more versions than are listed here.\n');
  return mergeVersions(listed?.items ?? [], await store.versions(profile.name, newest.query_id));
}
