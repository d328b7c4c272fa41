/** `init ci`: a workflow file for the CI of a repository; a file that is there is never overwritten silently. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, Command } from 'commander';
import { saveFile } from '../../../core/src/rows/files/save-file.ts';
import { forTerminal } from '../../../core/src/shown-text/for-terminal.ts';
import { isMissingFile } from '../../../core/src/util/errors.ts';
import { CliError, type CliContext } from '../context.ts';
import { ciFiles, ciSecrets, ciServices, type CiService } from '../init-ci/templates.ts';
import { exitCodes, write } from '../output.ts';

interface InitCiOptions {
  readonly force?: boolean;
  readonly print?: boolean;
}

export function initCommand(context: CliContext): Command {
  const command = new Command('init')
    .summary('write files that a repository with queries needs')
    .description('Writes files that a repository with queries needs.');
  command
    .command('ci')
    .summary('write a workflow that runs the controls')
    .description(
      'Writes a workflow that runs the controls on a schedule and for pull requests. Secrets are only named in it.',
    )
    .addArgument(new Argument('<service>', 'the CI service').choices(ciServices))
    .option('--print', 'print the file; write nothing')
    .option('--force', 'replace a file that is there')
    .action(async (service: CiService, options: InitCiOptions) => {
      await initCi(context, service, options);
      context.end(exitCodes.clean);
    });
  return command;
}

async function initCi(
  context: CliContext,
  service: CiService,
  { force, print }: InitCiOptions,
): Promise<void> {
  const { file, text } = ciFiles[service];
  if (print === true) {
    await write(context.stdout, text);
    return;
  }
  const target = path.resolve(context.cwd, file);
  const before = await readFile(target, 'utf8').catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  if (before === text) {
    await write(context.stderr, `${file} is as it should be.\n`);
    return;
  }
  if (before !== undefined && force !== true)
    throw new CliError(`${file} is there already, so it was left as it is.`, [
      '  Compare it with: identity-queries init ci ' + service + ' --print',
      '  Replace it with: identity-queries init ci ' + service + ' --force',
    ]);
  await mkdir(path.dirname(target), { recursive: true });
  await saveFile(target, (draft) => writeFile(draft, text, { flag: 'wx' }));
  await write(
    context.stderr,
    [
      `${forTerminal(file)} is written. Set these secrets in the CI service:`,
      ...ciSecrets.map((name) => `  ${name}`),
      '',
    ].join('\n'),
  );
}
