/** `record`: prints one record, whichever collection it is in. */
import { Command, Option } from 'commander';
import { recordCollectionIds, type RecordCollectionId } from '#api/contract/tables.ts';
import { findRecord, readRecord } from '#core/records/find-record.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, writeJson } from '../output.ts';
import { failureLines, failureOfRun } from '../run/failure-text.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';

interface RecordOptions extends ConnectionOptions {
  readonly collection?: RecordCollectionId;
}

export function recordCommand(context: CliContext): Command {
  const command = new Command('record')
    .summary('print one record as JSON')
    .description('Prints the record with a global ID as JSON.')
    .argument('<id>', 'the global ID of the record')
    .addOption(
      new Option('--collection <name>', 'the collection that it is in, if known').choices(
        recordCollectionIds,
      ),
    );
  return withConnectionOptions(command).action(async (id: string, options: RecordOptions) => {
    await withService(context, options, async ({ client }) => {
      const { signal } = context;
      const found = await inWords(
        id,
        options.collection === undefined
          ? findRecord(client, id, { signal })
          : readRecord(client, options.collection, id, { signal }),
      );
      if (found === undefined) throw new CliError(`There is no record with the global ID "${id}".`);
      await writeJson(context.stdout, { collection: found.collection, record: found.record });
    });
    context.end(exitCodes.clean);
  });
}

/** @throws CliError with the reason. */
export async function inWords<Result>(title: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    const [message = '', ...help] = failureLines(
      title,
      failureOfRun(error, () => undefined),
    );
    throw new CliError(message, help, { cause: error });
  }
}
