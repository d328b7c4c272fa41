/** `job`: prints the record of a job, which a service starts for each change. */
import { Command } from 'commander';
import { NotFoundError } from '#api/client/errors.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, writeJson } from '../output.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';
import { inWords } from './record.ts';

export function jobCommand(context: CliContext): Command {
  const command = new Command('job')
    .summary('print the job of a change as JSON')
    .description('Prints the job of a change, as the service describes it, as JSON.')
    .argument('<id>', 'the ID of the job');
  return withConnectionOptions(command).action(async (id: string, options: ConnectionOptions) => {
    await withService(context, options, async ({ client }) => {
      const reading = client.jobs.read(id, { signal: context.signal }).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        throw new CliError(`The service has no job "${id}". It may keep jobs only for some time.`, [], {
          cause: error,
        });
      });
      await writeJson(context.stdout, await inWords(`Job ${id}`, reading));
    });
    context.end(exitCodes.clean);
  });
}
