/** `run`: runs one query, from a file or saved on the service, into a table, a stream or an atomically written file. */
import { Command } from 'commander';
import { withSeveralOptions } from '../connections/choose-several.ts';
import type { CliContext } from '../context.ts';
import { namedFiles, requireOwnTargets } from '../report-files.ts';
import { executeQuery, prepareQuery } from '../run/execute.ts';
import { keepOf, keptWith, openKeeper } from '../run/keep-run.ts';
import { givenOf, withQueryValues } from '../run/query-values.ts';
import { readQuery } from '../run/read-query.ts';
import type { RunOptions } from '../run/run-options.ts';
import { formatHelp, requireFormat, sendRows, withRowsOptions } from '../run/send-rows.ts';
import { withConnectionOptions, withService } from '../service.ts';
import { runOnSeveral } from '../several/run-on-several.ts';
import { withTimeLimit } from '../time-limit.ts';

export function runCommand(context: CliContext): Command {
  const command = new Command('run')
    .summary('run a query and print its rows, or write them to a file')
    .description(
      'Runs one query, from FILE (- for standard input) or saved on the service, and prints its rows or writes them to a file.',
    )
    .argument('[file]', 'the file with the query')
    .option('--saved <name>', 'run the saved query with this name or ID')
    .option('--model <name>', 'the model, if the query names none')
    .addHelpText(
      'after',
      `
${formatHelp}

Examples:
  identity-queries run leavers.identity.sql --param since=2026-01-01
  identity-queries run --saved "Access reviews/Admins without MFA" --out admins.csv
  echo "SELECT count(*) FROM accounts" | identity-queries run -
  identity-queries run admins.identity.sql --on "prod-*" --out admins.csv`,
    );
  withTimeLimit(withQueryValues(command), context);
  withSeveralOptions(withConnectionOptions(withRowsOptions(command))).option(
    '--partial',
    'with --on and --out, also write what is there if a connection fails, into a file named .partial',
  );
  return command.action(async (file: string | undefined, options: RunOptions) => {
    context.end(await run(context, file, options));
  });
}

async function run(context: CliContext, file: string | undefined, options: RunOptions): Promise<number> {
  requireFormat(context, options);
  if (options.on !== undefined) return await runOnSeveral(context, file, options);
  return await withService(context, options, async (service) => {
    await requireOwnTargets([options.out], namedFiles(file), context.cwd);
    const query = await readQuery(context, service, { file, saved: options.saved, model: options.model });
    const rule = keepOf(query);
    const prepared = await prepareQuery(query, givenOf(options), service, context.signal);
    const keeper =
      rule === undefined ? undefined : await openKeeper(context, { service, query, prepared, rule });
    return await sendRows(context, options, {
      subject: 'The query',
      send: (target, isSilent) =>
        keptWith(keeper, target, (to) =>
          executeQuery(context, service, { prepared, target: to, isSilent, limit: options.limit }),
        ),
    });
  });
}
