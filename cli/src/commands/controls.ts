/** `controls`: lists and runs queries with an expected result. */
import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { controlGroupings } from '#core/controls/control-tree.ts';
import { historyFolderDefault } from '#core/controls/history/history-folder.ts';
import { withSeveralOptions } from '../connections/choose-several.ts';
import type { CliContext } from '../context.ts';
import { withSelectionOptions } from '../controls/control-files.ts';
import { digestKeyVariable, withDigestKeyOptions } from '../controls/digest-key.ts';
import { listControls, type ListOptions } from '../controls/list-controls.ts';
import { reportOption } from '../controls/reports.ts';
import { runAll, type RunControlsOptions } from '../controls/run-controls.ts';
import { showHistory, type HistoryOptions } from '../controls/show-history.ts';
import { takeBaselines, type BaselineOptions } from '../controls/take-baselines.ts';
import { waive, waiverDaysDefault, type WaiveOptions } from '../controls/waive-row.ts';
import { exitCodes, write } from '../output.ts';
import { positiveInteger, seconds } from '../run/numbers.ts';
import { parameterOption } from '../run/parameters.ts';
import { withConnectionOptions } from '../service.ts';
import { timeLimitDefault } from '../time-limit.ts';

function controlTimeout(): Option {
  return new Option(
    '--timeout <seconds>',
    'how long one control may take, with its pauses and retries; 0 for no limit',
  )
    .argParser(seconds)
    .default(timeLimitDefault);
}

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
  withDigestKeyOptions(withSeveralOptions(subcommand('run', 'Run the controls')))
    .option('--new-only', 'ignore rows of the baseline')
    .option('--max-parallel <number>', 'how many controls run at a time', positiveInteger, 4)
    .addOption(parameterOption())
    .addOption(controlTimeout())
    .addOption(reportOption())
    .option(
      '--with-rows [number]',
      'include rows in the reports, up to 20 or this number per control',
      positiveInteger,
    )
    .option(
      '--history <folder>',
      'add the outcomes to a history in this folder, and say what is new; reads all rows of each control',
    )
    .option(
      '--notify [file]',
      "tell the receivers in this file what is new; without a name, those of the folder's .identity-queries/notify.json that you accepted; needs --history",
    )
    .option(
      '--notify-program <program>',
      'start this program with what is new on its standard input, as JSON; needs --history',
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
  command
    .command('history')
    .summary('Show the outcomes of earlier runs')
    .description(
      'Shows the runs that "controls run --history" kept, or the outcomes of one control over time. Contacts no service.',
    )
    .argument('[id]', 'the ID of a control')
    .option('--history <folder>', 'the folder of the history', historyFolderDefault)
    .option('--limit <number>', 'how many lines at most, the latest ones', positiveInteger, 40)
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, options: HistoryOptions) => {
      context.end(await showHistory(context, id, options));
    });
  withDigestKeyOptions(
    subcommand('baseline', 'Record the current rows of the controls, as digests of their keys'),
  )
    .option('--max-parallel <number>', 'how many controls run at a time', positiveInteger, 4)
    .addOption(parameterOption())
    .addOption(controlTimeout())
    .action(async (paths: readonly string[], options: BaselineOptions) => {
      context.end(await takeBaselines(context, paths, options));
    });
  withDigestKeyOptions(
    withConnectionOptions(
      command
        .command('waive')
        .summary('Accept a row of a control for a limited time')
        .description(
          'Lists the rows of a control, or accepts the one that --row names: it no longer counts until the day of --until is over, in UTC. The waiver is added to .identity-queries/waivers.json.',
        )
        .argument('<id>', 'the ID of the control')
        .argument('[paths...]', 'files and folders with controls', ['.'])
        .option('--saved', 'also the saved queries of the connection that are controls'),
    ),
  )
    .option('--row <digest>', 'the row: at least 12 digits of its digest, as this command lists it')
    .option('--reason <text>', 'why the row is accepted; anyone with the repository can read it')
    .option('--owner <name>', 'who is responsible (default: the owner of the control)')
    .option('--until <day>', `the last day, such as 2027-01-31 (default: in ${waiverDaysDefault} days)`)
    .addOption(parameterOption())
    .addOption(controlTimeout())
    .action(async (id: string, paths: readonly string[], options: Omit<WaiveOptions, 'tag'>) => {
      context.end(await waive(context, { id, paths }, { ...options, tag: [] }));
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
