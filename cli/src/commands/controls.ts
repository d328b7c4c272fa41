/** `controls`: queries that say what their answer must be, listed and run. */
import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { listControls, type ListOptions } from '../controls/list-controls.ts';
import { withSelectionOptions } from '../controls/control-files.ts';
import { withDigestKeyOptions } from '../controls/digest-key.ts';
import { runAll, type RunControlsOptions } from '../controls/run-controls.ts';
import { positiveInteger, positiveNumber } from '../run/numbers.ts';
import { parameterOption } from '../run/parameters.ts';
import { withConnectionOptions } from '../service.ts';

export function controlsCommand(context: CliContext): Command {
  const command = new Command('controls')
    .summary('run queries that pass or fail')
    .description('Lists and runs controls: queries that say at their top what their answer must be.');
  const subcommand = (name: string, summary: string) =>
    withConnectionOptions(
      withSelectionOptions(command.command(name).summary(summary).description(`${summary}.`)),
    );

  subcommand('list', 'List the controls')
    .option('--json', 'print JSON')
    .action(async (paths: readonly string[], options: ListOptions) => {
      context.end(await listControls(context, paths, options));
    });
  withDigestKeyOptions(subcommand('run', 'Run the controls'))
    .option('--new-only', 'rows of the baseline do not count')
    .option('--max-parallel <number>', 'how many controls run at a time', positiveInteger, 4)
    .addOption(parameterOption())
    .option('--timeout <seconds>', 'how long the service may take for a page', positiveNumber)
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 every control passed, warned or is waived; 1 one failed; 2 one is in error, or the call is wrong.`,
    )
    .action(async (paths: readonly string[], options: RunControlsOptions) => {
      context.end(await runAll(context, paths, options));
    });
  return command;
}
