/** `records`: writes a collection of the service as a table, a stream or a file. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { limits } from '#api/contract/limits.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { targetPath } from '#base/files/target-file.ts';
import { isUuid } from '#base/values/uuid.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import {
  defaultWindow,
  parseMoment,
  windowProblem,
  type ActivityWindow,
} from '#core/records/activity-window.ts';
import { collectionOrder, collectionWords } from '#core/records/collections.ts';
import type { KeptPages } from '#core/records/kept-pages.ts';
import { CliError, type CliContext } from '../context.ts';
import { requireOwnTargets } from '../report-files.ts';
import { requireFolder } from '../require-folder.ts';
import { keepingPages } from '../run/keep-pages.ts';
import { readRecords } from '../run/read-records.ts';
import { formatHelp, requireFormat, sendRows, withRowsOptions, type RowsOptions } from '../run/send-rows.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';

interface RecordsOptions extends ConnectionOptions, RowsOptions {
  readonly applicationInstance?: string;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly fresh?: boolean;
}

interface Moment {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export function recordsCommand(context: CliContext): Command {
  const command = new Command('records')
    .summary('print a collection of records, or write it to a file')
    .description('Prints the records of a collection, or writes them to a file.')
    .addArgument(new Argument('<collection>', 'the collection').choices(collectionOrder))
    .option('--application-instance <id>', 'only records of this application instance', uuid)
    .option(
      '--from <time>',
      `activities from this time on (default: ${limits.activityWindowDefaultDays}d)`,
      moment,
    )
    .option('--to <time>', 'activities before this time (default: now)', moment)
    .option('--fresh', 'start again, even if an earlier --out could be resumed')
    .addHelpText(
      'after',
      `
${formatHelp}
A time is a date such as 2026-11-01, optionally with a time, "today", "now", or "7d" for seven days ago.
An interrupted --out keeps its rows beside the file for a day: run the same command again to resume it.

Examples:
  identity-queries records accounts --limit 20
  identity-queries records activities --from 7d --out activities.parquet`,
    );
  return withConnectionOptions(withRowsOptions(command)).action(
    async (collection: CollectionId, options: RecordsOptions) => {
      context.end(await records(context, collection, options));
    },
  );
}

async function records(
  context: CliContext,
  collection: CollectionId,
  options: RecordsOptions,
): Promise<number> {
  requireFormat(context, options);
  const filter = {
    applicationInstanceId: options.applicationInstance,
    window: windowOf(collection, options, Date.now()),
  };
  return await withService(context, options, async (service) => {
    const send = (kept?: KeptPages) =>
      sendRows(context, options, {
        subject: `The collection ${collectionWords(collection).many}`,
        send: (target, isSilent) =>
          readRecords(context, service, {
            collection,
            filter: kept?.filter ?? filter,
            kept,
            limit: options.limit,
            target,
            isSilent,
          }),
      });
    if (options.out === undefined) return await send();
    await requireOwnTargets([options.out], [], context.cwd);
    const place = await requireFolder(targetPath(context.cwd, options.out));
    // A device or a pipe has no folder to keep pages in.
    if (place.kind !== 'file') return await send();
    const target = place.path;
    const { applicationInstance, from, to, fresh: isFresh = false } = options;
    const asked = [connectionKeyOf(service.profile), collection, applicationInstance, from?.text, to?.text];
    return await keepingPages(context, { target, asked, filter, isFresh }, send);
  });
}

/** Returns the time window; undefined if no option sets it, since the service has a default. @throws CliError */
function windowOf(
  collection: CollectionId,
  { from, to }: RecordsOptions,
  now: number,
): ActivityWindow | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (collection !== 'activities') throw new CliError('--from and --to are for activities only.');
  const end = to?.at ?? now;
  const window = { from: from?.at ?? defaultWindow(end).from, to: end };
  const problem = windowProblem(window);
  switch (problem) {
    case undefined:
      return window;
    case 'empty':
      throw new CliError('The time window ends before it starts. Change --from or --to.');
    case 'too-long':
      throw new CliError(
        `A time window can span at most ${limits.activityWindowMaxDays} days. Change --from or --to.`,
      );
    default:
      return problem satisfies never;
  }
}

function moment(text: string): Moment {
  const at = parseMoment(text, Date.now());
  if (at === undefined)
    throw new InvalidArgumentError('Enter a date such as 2026-11-01, or "7d" for seven days ago.');
  return { text, at };
}

function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('The ID of an application instance is a UUID.');
  return text.toLowerCase();
}
