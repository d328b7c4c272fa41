/** `controls`: lists and runs queries with an expected result. */
import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { controlGroupings } from '#core/controls/control-tree.ts';
import type { CliContext } from '../context.ts';
import { listControls, type ListOptions } from '../controls/list-controls.ts';
import { withSelectionOptions } from '../controls/control-files.ts';
import { digestKeyVariable, withDigestKeyOptions } from '../controls/digest-key.ts';
import { runAll, type RunControlsOptions } from '../controls/run-controls.ts';
import { takeBaselines, type BaselineOptions } from '../controls/take-baselines.ts';
import { reportOption } from '../controls/reports.ts';
import { exitCodes, write } from '../output.ts';
import { positiveInteger, seconds } from '../run/numbers.ts';
import { parameterOption } from '../run/parameters.ts';
import { withConnectionOptions } from '../service.ts';

export function controlsCommand(context: CliContext): Command {
  const command = new Command('controls')
    .summary('run queries that pass or fail')
    .description('Lists and runs controls: queries whose first lines state the expected result.');
  const subcommand = (name: string, summary: string) =>
    withConnectionOptions(
      withSelectionOptions(command.command(name).summary(summary).description(`${summary}.`)),
    );

  subcommand('list', 'List the controls')
    .addOption(
      new Option(
        '--by <what>',
        'as a tree: by benchmark (.identity-queries/benchmarks.json, else those of packs), by tag or by folder',
      ).choices(controlGroupings),
    )
    .option('--json', 'print JSON')
    .action(async (paths: readonly string[], options: ListOptions) => {
      context.end(await listControls(context, paths, options));
    });
  withDigestKeyOptions(subcommand('run', 'Run the controls'))
    .option('--new-only', 'ignore rows of the baseline')
    .option('--max-parallel <number>', 'how many controls run at a time', positiveInteger, 4)
    .addOption(parameterOption())
    .option('--timeout <seconds>', 'how long the service may take for a page', seconds)
    .addOption(reportOption())
    .option(
      '--with-rows [number]',
      'include rows in the reports, up to 20 or this number per control',
      positiveInteger,
    )
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 every control passed, warned or was waived; 1 a control failed; 2 a control is in error, or the usage is invalid.`,
    )
    .action(async (paths: readonly string[], options: RunControlsOptions) => {
      context.end(await runAll(context, paths, options));
    });
  withDigestKeyOptions(
    subcommand('baseline', 'Record the current rows of the controls, as digests of their keys'),
  )
    .option('--max-parallel <number>', 'how many controls run at a time', positiveInteger, 4)
    .addOption(parameterOption())
    .option('--timeout <seconds>', 'how long the service may take for a page', seconds)
    .action(async (paths: readonly string[], options: BaselineOptions) => {
      context.end(await takeBaselines(context, paths, options));
    });
  command
    .command('key')
    .summary('Create a digest key')
    .description(
      `Prints a new digest key. Keep it with your other secrets, and set it as ${digestKeyVariable}.`,
    )
    .action(async () => {
      await write(context.stdout, `${randomBytes(32).toString('base64url')}\n`);
      context.end(exitCodes.clean);
    });
  return command;
}
