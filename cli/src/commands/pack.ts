/** `pack`: checks, installs, updates and removes packs of queries from Git or a folder. */
import { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { FileChange } from '#core/packs/merge-pack.ts';
import type { LockedPack, PackSource } from '#core/packs/pack-lock.ts';
import { PackStore, PackStoreError, type PlannedInstall } from '#core/packs/pack-store.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { fitFor, fitLines, type FitOptions } from '../packs/fit-lines.ts';
import { openPack, type OpenedPack } from '../packs/open-pack.ts';
import { withConnectionOptions } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';

interface InstallOptions extends FitOptions {
  readonly dryRun?: boolean;
}

export function packCommand(context: CliContext): Command {
  const command = new Command('pack')
    .summary('add, list, update and remove packs of queries')
    .description(
      'Adds packs of queries to this folder, and lists, updates and removes them. Nothing in a pack runs automatically.',
    );
  const subcommand = (name: string, summary: string) =>
    command.command(name).summary(summary).description(`${summary}.`);

  withInstallOptions(subcommand('add', 'Show which queries of a pack fit, then add it to this folder'))
    .argument('<source>', 'ADDRESS@TAG of a Git repository, a folder, or a pack that ships with this program')
    .addHelpText(
      'after',
      `
Git addresses begin with https://, ssh:// or file://, or have the form git@host:path. Every query must be proven read-only.

Examples:
  identity-queries pack add identity-review-essentials --dry-run
  identity-queries pack add https://git.example.com/security/controls.git@v2.1.0`,
    )
    .action(async (source: string, options: InstallOptions) => {
      context.end(await install(context, await openPack(context, source), options));
    });
  subcommand('list', 'List the packs of this folder, and the files changed in them')
    .option('--json', 'print JSON')
    .action(async (options: { readonly json?: boolean }) => {
      await list(context, options);
      context.end(exitCodes.clean);
    });
  withInstallOptions(subcommand('update', 'Merge a new version of a pack with your changes'))
    .argument('<name>', 'the pack')
    .option('--tag <tag>', 'the tag to update to, for a pack from Git')
    .action(async (name: string, options: InstallOptions & { readonly tag?: string }) => {
      const installed = await findInstalled(context, name);
      const opened = await openPack(context, sourceFor(installed, options.tag));
      if (opened.pack.manifest.name !== name)
        throw new CliError(`The pack there is called "${opened.pack.manifest.name}" now. Add it instead.`);
      context.end(await install(context, opened, options));
    });
  subcommand('remove', 'Remove a pack; files that were changed here stay')
    .argument('<name>', 'the pack')
    .action(async (name: string) => {
      await remove(context, name);
      context.end(exitCodes.clean);
    });
  return command;
}

function withInstallOptions(command: Command): Command {
  return withConnectionOptions(command)
    .option('--models <file>', 'a file with models, tables and columns, as `models --json` writes it')
    .option('--dry-run', 'show what fits and what would change, but change nothing');
}

async function install(
  { stdout, ...context }: CliContext,
  { pack, source, commit }: OpenedPack,
  options: InstallOptions,
): Promise<number> {
  const say = (line: string) => write(stdout, `${forTerminal(line)}\n`);
  const { title, name, version, license } = pack.manifest;
  const count = pack.queries.length;
  await say(
    `${title} ${version} (${name}, ${license}): ${count === 1 ? '1 query' : `${count} queries, all`} proven read-only.`,
  );
  const report = await fitFor({ stdout, ...context }, pack, options);
  for (const line of fitLines(report)) await say(line);
  const store = new PackStore(context.cwd);
  const plan = await told(() => store.plan(pack, source, commit));
  for (const line of changeLines(plan)) await say(line);
  const conflicts = plan.changes.filter(({ kind }) => kind === 'conflict').length;
  if (options.dryRun === true) await say('Nothing was changed.');
  else {
    await told(() => store.install(plan));
    await say(`${plan.before === undefined ? 'Added' : 'Updated'} packs/${name}.`);
  }
  if (conflicts === 0) return exitCodes.clean;
  await say(
    'Files with conflicts contain both versions between markers. Edit them to resolve each conflict.',
  );
  return exitCodes.errorsFound;
}

const changeWords: Readonly<Record<FileChange['kind'], string>> = {
  add: 'new',
  update: 'updated',
  delete: 'deleted',
  merge: 'merged',
  conflict: 'conflict',
  keep: 'changed here, kept',
  'stay-deleted': 'deleted here, stays deleted',
};

function changeLines({ before, changes }: PlannedInstall): readonly string[] {
  if (before === undefined) return [];
  if (changes.length === 0) return ['All files are up to date.'];
  return changes.map(({ kind, path }) => `  ${changeWords[kind]}: ${path}`);
}

function sourceFor({ name, source }: LockedPack, tag: string | undefined): PackSource {
  if (tag === undefined) return source;
  if (source.kind !== 'git') throw new CliError(`"${name}" is not from Git, so it has no tags.`);
  return { ...source, tag };
}

async function findInstalled(context: CliContext, name: string): Promise<LockedPack> {
  const packs = await told(() => new PackStore(context.cwd).list());
  const found = packs.find((pack) => pack.name === name);
  if (found === undefined) throw notInstalled(name);
  return found;
}

async function list(context: CliContext, { json }: { readonly json?: boolean }): Promise<void> {
  const store = new PackStore(context.cwd);
  const packs = await told(() => store.list());
  const rows = await Promise.all(
    packs.map(async (pack) => ({ ...pack, changed: await told(() => store.changedFiles(pack)) })),
  );
  if (json === true) {
    await writeJson(context.stdout, { packs: rows });
    return;
  }
  const table = new TextTable([
    { name: 'pack' },
    { name: 'version' },
    { name: 'changed files', isNumber: true },
    { name: 'commit' },
    { name: 'source' },
  ]);
  await write(
    context.stdout,
    table.rows(
      rows.map(({ name, version, changed, commit, source }) => [
        name,
        version,
        String(changed.length),
        commit?.slice(0, 12) ?? '',
        sourceText(source),
      ]),
    ),
  );
}

function sourceText({ kind, address, tag }: PackSource): string {
  if (kind === 'shipped') return 'ships with this program';
  return tag === undefined ? address : `${address}@${tag}`;
}

async function remove(context: CliContext, name: string): Promise<void> {
  const kept = await told(() => new PackStore(context.cwd).remove(name));
  await write(context.stdout, `${forTerminal(`Removed ${name}.`)}\n`);
  for (const file of kept) await write(context.stdout, `${forTerminal(`  changed here, kept: ${file}`)}\n`);
}

async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PackStoreError) throw storeFailure(error);
    throw error;
  }
}

function storeFailure(error: PackStoreError): CliError {
  switch (error.problem) {
    case 'lock':
      return new CliError(`"${error.file}" is not a lock file of this program. Restore it from Git.`);
    case 'base':
      return new CliError(
        `"${error.file}" is missing or was changed, so there is nothing to merge with. Restore it from Git.`,
      );
    case 'link':
      return new CliError(`"${error.file}" is a symbolic link, so nothing is written there.`);
    case 'taken':
      return new CliError(`"${error.file}" already exists and does not belong to a pack. Rename it.`);
    case 'notInstalled':
      return notInstalled(error.file);
    case 'moved':
      return new CliError(
        `The tag names another commit than the one that was installed (${error.file}). Nothing was changed.`,
        ['Ask its authors why, then update to a new tag with --tag, or remove the pack and add it again.'],
      );
    default:
      return error.problem satisfies never;
  }
}

function notInstalled(name: string): CliError {
  return new CliError(`There is no pack "${name}" in this folder.`, [
    `List them with: ${typedText(advice.listPacks())}`,
  ]);
}
