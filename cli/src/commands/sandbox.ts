/** `sandbox`: runs the local service with sample data as a separate process. */
import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { runServiceProcess } from '../service-process.ts';

export function sandboxCommand(context: CliContext): Command {
  return new Command('sandbox')
    .summary('start the local service with sample data')
    .description('Starts the local service with sample data. Its options: identity-queries sandbox --help')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]', 'options of the sandbox')
    .action(async (_options: readonly string[], _values: unknown, command: Command) => {
      await runServiceProcess(context, command.args);
    });
}
