/** `init ci`: writes a CI workflow for a repository; never silently overwrites a file. */
import path from 'node:path';
import { Argument, Command } from 'commander';
import { typedLine, typedText } from '#base/advice.ts';
import { FileRefusal, readBoundedText, refusedWords, writeWithin } from '#base/files/bounded-file.ts';
import { repositoryOf } from '#base/files/repository-of.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { ReceiverError, receiverVariables, requireNoCredential } from '#core/controls/notify/receivers.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { contentOf } from '../init-ci/content.ts';
import type { CiContent, CiNotify } from '../init-ci/jobs.ts';
import { programOf, type PackageOptions } from '../init-ci/package-source.ts';
import { secretsOf } from '../init-ci/steps.ts';
import { ciFiles, ciServices, type CiService } from '../init-ci/templates.ts';
import { exitCodes, write } from '../output.ts';

interface InitCiOptions extends PackageOptions {
  readonly uploadSarif?: boolean;
  readonly notify?: string;
  readonly force?: boolean;
  readonly print?: boolean;
}

export function initCommand(context: CliContext): Command {
  const command = new Command('init')
    .summary('write files that a repository with queries needs')
    .description('Writes files that a repository with queries needs.');
  command
    .command('ci')
    .summary('write a workflow that plans and pushes saved queries and runs the controls')
    .description(
      'Writes a workflow: a check and a plan for each pull request, a push when it is merged, drift and controls on a schedule. Its jobs depend on the folder: saved queries (see pull), controls, or both. It contains only the names of secrets, and pull requests from forks get none.',
    )
    .addArgument(new Argument('<service>', 'the CI service').choices(ciServices))
    .option('--print', 'print the file; write nothing')
    .option('--force', 'replace an existing file')
    .option(
      '--package <source>',
      'where the jobs get this program from: a .tgz or .js file of the repository, or the https address of a released .tgz (default: package-lock.json)',
    )
    .option('--sha256 <digest>', 'the SHA-256 of the package; required for an address')
    .option(
      '--upload-sarif',
      'on GitHub, send the findings of controls to code scanning, which private repositories may not have',
    )
    .option(
      '--notify <file>',
      'let the scheduled controls tell the receivers in this file of the repository what is new',
    )
    .action(async (service: CiService, options: InitCiOptions) => {
      await initCi(context, service, options);
      context.end(exitCodes.clean);
    });
  return command;
}

async function initCi(
  context: CliContext,
  service: CiService,
  { force, print, uploadSarif, notify, ...source }: InitCiOptions,
): Promise<void> {
  const again = [
    ...(source.package === undefined ? [] : ['--package', source.package]),
    ...(source.sha256 === undefined ? [] : ['--sha256', source.sha256]),
    ...(uploadSarif === true ? ['--upload-sarif'] : []),
    ...(notify === undefined ? [] : ['--notify', notify]),
  ];
  const root = repositoryOf(context.cwd);
  if (path.resolve(context.cwd) !== root)
    throw new CliError(`A CI service reads ${ciFiles[service].file} only in the root of the repository.`, [
      typedLine(advice.goTo(root)),
      typedLine(advice.initCi(service, ...again)),
    ]);
  const content = await contentOf(context);
  const { file, textOf } = ciFiles[service];
  const program = await programOf(context.cwd, service, source);
  const told = await readNotify(context, notify);
  const text = textOf({ ...content, program, notify: told, isSarifUploaded: uploadSarif === true });
  if (print === true) {
    await write(context.stdout, text);
    return;
  }
  const target = path.resolve(context.cwd, file);
  const refused = (error: unknown): never => {
    if (!(error instanceof FileRefusal)) throw error;
    throw new CliError(`${file} was not written: ${error.message}.`, [], { cause: error });
  };
  const limits = { maxBytes: 10_000_000, within: context.cwd };
  const before = await readBoundedText(target, limits).catch((error: unknown) => {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    // A text that is not UTF-8 is another file.
    if (error instanceof TypeError) return '';
    return refused(error);
  });
  if (before === text) {
    await write(context.stderr, `${file} is up to date.\n`);
    return;
  }
  if (before !== undefined && force !== true)
    throw new CliError(`${file} already exists, so it was not changed.`, [
      `  Compare it with: ${typedText(advice.initCi(service, ...again, '--print'))}`,
      `  Replace it with: ${typedText(advice.initCi(service, ...again, '--force'))}`,
    ]);
  await writeWithin(context.cwd, target, text).catch(refused);
  const without = leftOut(content);
  await write(
    context.stderr,
    [
      `${forTerminal(file)} was written. Set these secrets in the CI service:`,
      ...secretsOf({ ...content, notify: told }).map((name) => `  ${name}`),
      ...(content.hasQueries && service !== 'gitlab'
        ? [
            `What is merged into ${content.branch} is pushed. If the main branch has another name, write it into the file.`,
          ]
        : []),
      ...(without === undefined ? [] : [without]),
      '',
    ].join('\n'),
  );
}

const notifyBytesMax = 1_048_576;

/** Reads which variables the receivers need. The file is of the repository, where the job finds it. */
async function readNotify({ cwd }: CliContext, file: string | undefined): Promise<CiNotify> {
  if (file === undefined) return { file, variables: [] };
  if (!/^[\w./-]+$/.test(file) || path.isAbsolute(file) || file.startsWith('-'))
    throw new CliError(`"${file}" is not a path in the repository of letters, digits and . _ - /.`);
  try {
    const text = await readBoundedText(path.join(cwd, file), { maxBytes: notifyBytesMax, within: cwd });
    const variables = receiverVariables(text, file);
    requireNoCredential(variables, { place: file, secrets: new Set() });
    return { file, variables };
  } catch (error) {
    if (error instanceof ReceiverError) throw new CliError(error.message, [], { cause: error });
    throw new CliError(`${file} cannot be read: ${refusedWords(error)}.`, [], { cause: error });
  }
}

function leftOut({ hasQueries, hasControls }: CiContent): string | undefined {
  if (!hasQueries)
    return 'There are no files of saved queries here, so the workflow has no jobs for them. After a pull, run this again with --force.';
  return hasControls
    ? undefined
    : 'There are no controls here, so the workflow has no job for them. After you write one, run this again with --force.';
}
