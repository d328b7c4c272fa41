/** `check`: reports findings in queries, without running them. */
import { Command, Option } from 'commander';
import { dialects } from '#base/dialects.ts';
import { readCatalogue, type ReadModel } from '#core/models/read-schema.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import { parseDialect, type Dialect } from '#server/language/text/dialects.ts';
import { checkFiles } from '../check-files.ts';
import { checkJsonl } from '../check-jsonl.ts';
import { sharedAnalyser } from '../checks.ts';
import { CliError, type CliContext } from '../context.ts';
import { readModelsFile } from '../models/models-file.ts';
import { sayUnread } from '../models/say-unread.ts';
import { exitCodes } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';
import { readCheckedFolder } from '../sync/check-folder.ts';

interface CheckOptions extends ConnectionOptions {
  readonly jsonl?: boolean;
  readonly json?: boolean;
  readonly dialect: 'postgresql' | Dialect;
  readonly models?: string;
  readonly model?: string;
  readonly report?: string;
  readonly explainTypes?: boolean;
}

export function checkCommand(context: CliContext): Command {
  const command = new Command('check')
    .summary('check queries without running them')
    .description(
      'Checks query files and prints what is wrong as FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE. Lines and columns count from 1, columns in UTF-16 units.',
    )
    .argument(
      '[files...]',
      'query files; - for standard input; none: the saved queries of the folder (see pull)',
    )
    .addOption(
      new Option('--dialect <name>', 'the dialect of the queries')
        .choices(['postgresql', ...dialects])
        .default('postgresql'),
    )
    .option('--models <file>', 'a file with models, tables and columns, as `models --json` writes it')
    .option('--model <name>', 'the model, if a query names none')
    .option('--report <sarif=file>', 'also write the findings to a file, as SARIF 2.1.0')
    .option('--explain-types', 'also print the columns of each result with their types')
    .option('--json', 'print the findings as JSON')
    .option('--jsonl', 'read one { "id", "sql", "model"?, "models"? } per line, and print one line for each');
  return withConnectionOptions(command)
    .addHelpText(
      'after',
      `
Names of models, tables and columns are checked if they are known: with --models, or with --connection.
Without files, the saved queries of the folder "queries" here or above are checked, with its models.json if
"pull --models" wrote one; that needs neither Git nor credentials.

--explain-types prints FILE:LINE:COLUMN: result: NAME TYPE, ... for each statement. A type is unknown if it depends on a
table, function or parameter that is unknown. Without "not null", a value may be NULL.

With --jsonl, --models, --connection and --model apply to lines without their own. A model is a name, or { "name", "tables": [{ "name", "columns": [{ "name", "type"?, "nullable"? }] }] };
the output has one { "id", "diagnostics" } per line, in the same order.

Exit code: 0 nothing wrong, 1 errors found, 2 input that cannot be read or understood.`,
    )
    .action(async (files: readonly string[], options: CheckOptions) => {
      context.end(await check(context, files, options));
    });
}

async function check(context: CliContext, files: readonly string[], options: CheckOptions): Promise<number> {
  const sarifFile = sarifFileOf(options.report);
  const read = options.models === undefined ? files : [...files, options.models];
  await requireOwnTargets([sarifFile], read, context.cwd);
  const folder = files.length === 0 && options.jsonl !== true ? await readCheckedFolder(context) : undefined;
  if (options.models !== undefined && options.connection !== undefined)
    throw new CliError('Take the models from a file or from a connection, not both.');
  if (options.explainTypes === true && parseDialect(options.dialect) !== undefined)
    throw new CliError('--explain-types supports only PostgreSQL. Leave out --dialect.');
  const models =
    options.models !== undefined
      ? await readModelsFile(options.models, context)
      : options.connection !== undefined || options.connections !== undefined
        ? await modelsOf(context, options)
        : folder?.models;
  const known = {
    ...(models === undefined ? {} : { catalogue: { models } }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
  const asked = inDialect(sharedAnalyser(), parseDialect(options.dialect));
  if (options.jsonl === true) {
    if (options.json === true || options.report !== undefined || options.explainTypes === true)
      throw new CliError('--jsonl has its own output. Leave out --json, --report and --explain-types.');
    return await checkJsonl(asked, files, context, known);
  }
  const exitCode = await checkFiles(asked, folder?.files ?? files, context, {
    ...(folder === undefined ? {} : { modelOf: folder.modelOf }),
    ...known,
    isJson: options.json === true,
    explainsTypes: options.explainTypes === true,
    sarifFile,
  });
  return folder?.isComplete === false ? exitCodes.badInput : exitCode;
}

async function modelsOf(context: CliContext, options: CheckOptions): Promise<readonly ReadModel[]> {
  const { signal, stderr } = context;
  const models = await withService(context, options, ({ client }) => readCatalogue(client, { signal }));
  for (const model of models) await sayUnread(stderr, model, 'checked');
  return models;
}

/** Binds the analyzer to one dialect; undefined means PostgreSQL. */
function inDialect(analyser: Analyser, dialect: Dialect | undefined): Pick<Analyser, 'analyse'> {
  return dialect === undefined
    ? analyser
    : {
        analyse: (text, options, isCancelled) => analyser.analyse(text, { ...options, dialect }, isCancelled),
      };
}

function sarifFileOf(report: string | undefined): string | undefined {
  if (report === undefined) return undefined;
  const [, file = ''] = /^sarif=(.+)$/s.exec(report) ?? [];
  if (file === '') throw new CliError(`"${report}" is not a report. Write --report sarif=FILE.`);
  return file;
}
