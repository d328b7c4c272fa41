/** `pull`, `status`, `diff`, `plan`, `push`: saved queries as files of a Git repository. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { fieldNames } from '../../../core/src/saved-queries/merge-drafts.ts';
import { nameKeyOf } from '../../../core/src/saved-queries/known-query.ts';
import { saveFile } from '../../../core/src/rows/files/save-file.ts';
import { forTerminal } from '../../../core/src/shown-text/for-terminal.ts';
import { noteAfterPush } from '../../../core/src/sync/after-push.ts';
import type { Comparison } from '../../../core/src/sync/compare.ts';
import { commitSource } from '../../../core/src/sync/folder/sources.ts';
import { readQueryFolder, shown } from '../../../core/src/sync/folder/read-folder.ts';
import { modelsFile } from '../../../core/src/sync/format/layout.ts';
import { sayTextProblem } from '../../../core/src/sync/format/problem-words.ts';
import {
  choicesOf,
  parsePlanFile,
  planFileOf,
  sendsTheSame,
  type PlanFile,
} from '../../../core/src/sync/plan/plan-file.ts';
import { isWrite, nameOf, noChoices, type Choices, type PlanItem } from '../../../core/src/sync/plan/plan.ts';
import { sayItem } from '../../../core/src/sync/plan/plan-words.ts';
import { pull, type PullOutcome } from '../../../core/src/sync/pull.ts';
import { push, type PushedWrite } from '../../../core/src/sync/push.ts';
import type { Workspace } from '../../../core/src/sync/workspace.ts';
import { CliError, type CliContext } from '../context.ts';
import { isTerminal, write, writeJson } from '../output.ts';
import { readCatalogue } from '../models/read-catalogue.ts';
import { plainFailureLines } from '../run/failure-text.ts';
import { withConnectionOptions, withService, type Service } from '../service.ts';
import { choicesFrom, collect, requireUsed, type ChoiceOptions } from '../sync/choices.ts';
import { unifiedDiff } from '../sync/diff-text.ts';
import { compareWith, openFolder, openSync, type OpenSync, type SyncOptions } from '../sync/open.ts';
import { countWords, itemJson, printItems, printUnlisted } from '../sync/print.ts';
import { styleFor } from '../terminal/style.ts';

/** As Terraform's detailed ones: nothing to do, failed, changes or something left. */
export const syncExitCodes = { nothing: 0, failed: 1, changes: 2 } as const;

const exitHelp = `
Exit code: 0 nothing to do, 1 failed, 2 both sides differ.`;

export function syncCommands(context: CliContext): readonly Command[] {
  return [
    pullCommand(context),
    statusCommand(context),
    diffCommand(context),
    planCommand(context),
    pushCommand(context),
  ];
}

function command(name: string, summary: string, description: string): Command {
  const made = new Command(name)
    .summary(summary)
    .description(description)
    .option('--folder <folder>', 'the folder that holds "queries" (default: the nearest one here or above)')
    .option('--json', 'print JSON');
  return withConnectionOptions(made);
}

function withChoices(
  made: Command,
  kinds: readonly ('delete' | 'restore' | 'replace')[],
  words: readonly string[],
): Command {
  for (const [index, kind] of kinds.entries())
    made.option(`--${kind} <${kind === 'replace' ? 'name@version' : 'name'}>`, words[index] ?? '', collect);
  return made;
}

interface PullOptions extends SyncOptions, ChoiceOptions {
  readonly models?: boolean;
}

function pullCommand(context: CliContext): Command {
  const made = command(
    'pull',
    'bring saved queries of the service into files of a Git repository',
    'Brings what changed on the service into the files. Changes of both sides are merged; nothing is committed, and nothing is sent.',
  );
  return withChoices(
    made,
    ['delete', 'restore'],
    [
      'remove the file of a query that was deleted on the service; may be repeated',
      'get a file back that was deleted here; may be repeated',
    ],
  )
    .option(
      '--models',
      'also write models.json, with which check knows tables and columns without credentials',
    )
    .addHelpText('after', `\nExit code: 0 done, 1 failed, 2 something is left to decide.`)
    .action(async (options: PullOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const choices = choicesFrom(options);
        const compared = await compareWith(context, service, open, { from: 'files', choices });
        requireUsed(compared.plan, options);
        const beside = options.models === true ? await modelsOf(context, service) : undefined;
        const outcome = await pull(compared, { ...open, beside });
        context.end(await printPull(context, compared, outcome, options));
      });
    });
}

async function modelsOf({ signal }: CliContext, { client }: Service): Promise<ReadonlyMap<string, string>> {
  const models = await readCatalogue(client, { signal });
  return new Map([[modelsFile, `${JSON.stringify({ models }, undefined, 1)}\n`]]);
}

/** What a pull leaves: what is for a push is not. */
async function printPull(
  context: CliContext,
  { plan, head }: Comparison,
  { written, removed, leftOut }: PullOutcome,
  { json }: SyncOptions,
): Promise<number> {
  const left = plan.items.filter(({ kind }) =>
    ['conflict', 'refused', 'deletedThere', 'deletedHere'].includes(kind),
  );
  const brought = plan.items.filter(({ kind }) =>
    ['changedThere', 'newThere', 'merge', 'remove', 'linked'].includes(kind),
  );
  if (json === true) {
    await writeJson(context.stdout, {
      written: written.map(shown),
      removed: removed.map(shown),
      items: [...brought, ...left].map(itemJson),
      leftOut,
    });
  } else {
    await printItems(context, [...brought, ...left]);
    for (const { name, problem } of leftOut)
      await write(context.stderr, `${forTerminal(name)} is left out: ${sayTextProblem(problem)}.\n`);
    const count = written.length + removed.length;
    await write(
      context.stderr,
      count === 0
        ? 'Up to date.\n'
        : `${count} ${count === 1 ? 'file' : 'files'} changed. Look at them with git diff, and commit them before you edit.\n`,
    );
    if (head !== undefined && head.branch === undefined)
      await write(
        context.stderr,
        'HEAD is detached: make a branch before you commit, with git switch -c NAME.\n',
      );
  }
  return left.length + leftOut.length > 0 ? syncExitCodes.changes : syncExitCodes.nothing;
}

function statusCommand(context: CliContext): Command {
  return command(
    'status',
    'compare the files with the service',
    'Lists what differs between the files as they are now and the service.',
  )
    .addHelpText('after', exitHelp)
    .action(async (options: SyncOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const { plan, folder } = await compareWith(context, service, open, {
          from: 'files',
          choices: noChoices,
        });
        context.end(await printPlan(context, plan.items, options));
        if (options.json !== true) await printUnlisted(context, folder);
      });
    });
}

async function printPlan(
  context: CliContext,
  items: readonly PlanItem[],
  { json }: SyncOptions,
): Promise<number> {
  if (json === true) await writeJson(context.stdout, { items: items.map(itemJson) });
  else {
    await printItems(context, items);
    await write(
      context.stderr,
      items.length === 0 ? 'Both sides are the same.\n' : `${countWords(items)}.\n`,
    );
  }
  return items.length === 0 ? syncExitCodes.nothing : syncExitCodes.changes;
}

function diffCommand(context: CliContext): Command {
  return command(
    'diff',
    'show the lines in which the files and the service differ',
    'Shows in which lines the files as they are now differ from the service: - is the service, + is the file.',
  )
    .argument('[names...]', 'only these queries')
    .addHelpText('after', exitHelp)
    .action(async (names: readonly string[], options: SyncOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const { plan } = await compareWith(context, service, open, { from: 'files', choices: noChoices });
        const wanted = new Set(names.map(nameKeyOf));
        const items = plan.items.filter((item) => wanted.size === 0 || wanted.has(nameKeyOf(nameOf(item))));
        if (options.json === true)
          await writeJson(context.stdout, {
            items: items.map((item) => ({ ...itemJson(item), lines: diffOf(item) })),
          });
        else for (const item of items) await printDiff(context, item);
        context.end(items.length === 0 ? syncExitCodes.nothing : syncExitCodes.changes);
      });
    });
}

/** Without what both sides share; the name and other fields as lines of their own. */
function diffOf(item: PlanItem): readonly string[] {
  const here = 'here' in item ? item.here.draft : undefined;
  const there = 'there' in item ? item.there?.draft : undefined;
  const fields = fieldNames.flatMap((field) =>
    here === undefined || there === undefined || here[field] === there[field]
      ? []
      : [`-${field}: ${there[field]}`, `+${field}: ${here[field]}`],
  );
  return [...fields, ...unifiedDiff(there?.query_string ?? '', here?.query_string ?? '')];
}

async function printDiff({ stdout, environment }: CliContext, item: PlanItem): Promise<void> {
  const style = styleFor(stdout, environment);
  const { mark, text } = sayItem(item);
  await write(stdout, `${style('bold', forTerminal(`${mark} ${text}`))}\n`);
  for (const line of diffOf(item)) {
    const shownLine = forTerminal(line);
    const colour = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : undefined;
    await write(stdout, `${colour === undefined ? shownLine : style(colour, shownLine)}\n`);
  }
}

interface PlanOptions extends SyncOptions, ChoiceOptions {
  readonly out?: string;
}

const choiceWords = [
  'delete a query on the service that was deleted here; may be repeated',
  'create a query again that was deleted on the service; may be repeated',
  'push over this version, whatever it holds: after a conflict is settled; may be repeated',
];

function planCommand(context: CliContext): Command {
  const made = command(
    'plan',
    'say what a push of the last commit would do',
    'Says what a push of the last commit would do, and what it leaves. Sends no write.',
  ).option('--out <file>', 'also write the plan to a file, for push --plan');
  return withChoices(made, ['delete', 'restore', 'replace'], choiceWords)
    .addHelpText('after', exitHelp)
    .action(async (options: PlanOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const choices = choicesFrom(options);
        const compared = await compareWith(context, service, open, { from: 'commit', choices });
        requireUsed(compared.plan, options);
        if (options.out !== undefined) {
          const text = `${JSON.stringify(planFile(compared, open, choices), undefined, 2)}\n`;
          await saveFile(path.resolve(context.cwd, options.out), (draft) =>
            writeFile(draft, text, { flag: 'wx' }),
          );
        }
        context.end(await printPlan(context, compared.plan.items, options));
        if (options.json !== true) await printUncommitted(context, compared, workspace);
      });
    });
}

function planFile({ plan, head }: Comparison, { service }: OpenSync, choices: Choices): PlanFile {
  return planFileOf(plan, { service, commit: head?.commit ?? '', choices });
}

/** What is not committed is not in a plan. */
async function printUncommitted(
  context: CliContext,
  { head }: Comparison,
  { repository, root, folder }: Workspace,
): Promise<void> {
  if (head === undefined) return;
  const { diskSource } = await import('../../../core/src/sync/folder/sources.ts');
  const [disk, commit] = await Promise.all([
    diskSource(root).then(readQueryFolder),
    commitSource(repository, head.commit, folder).then(readQueryFolder),
  ]).catch(() => [undefined, undefined]);
  if (disk === undefined || commit === undefined) return; // half done work in the files is none of the plan's
  const committed = new Map(commit.queries.map((query) => [query.file, JSON.stringify(query)]));
  const changed = disk.queries.filter((query) => committed.get(query.file) !== JSON.stringify(query));
  const count =
    changed.length +
    commit.queries.filter(({ file }) => !disk.queries.some((query) => query.file === file)).length;
  if (count > 0)
    await write(
      context.stderr,
      `${count} ${count === 1 ? 'query has' : 'queries have'} changes that are not committed. They are not in this plan.\n`,
    );
  await printUnlisted(context, disk);
}

interface PushOptions extends SyncOptions, ChoiceOptions {
  readonly plan?: string;
  readonly detached?: boolean;
}

function pushCommand(context: CliContext): Command {
  const made = command(
    'push',
    'send the queries of the last commit to the service',
    'Sends what plan shows: queries that only the repository changed, and new ones. What both sides changed is left.',
  )
    .option('--plan <file>', 'send exactly what this plan says, or nothing')
    .option('--detached', 'allow a HEAD that is on no branch, as in CI');
  return withChoices(made, ['delete', 'restore', 'replace'], choiceWords)
    .addHelpText('after', `\nExit code: 0 done, 1 failed, 2 something is left to pull or to decide.`)
    .action(async (options: PushOptions) => {
      const workspace = await openFolder(context, options);
      const reviewed = options.plan === undefined ? undefined : await readPlan(context, options);
      await requireBranch(workspace, options);
      await withService(context, options, (service) =>
        pushAll(context, service, { workspace, options, reviewed }),
      );
    });
}

async function readPlan({ cwd }: CliContext, options: PushOptions): Promise<PlanFile> {
  const { plan: file = '', delete: deletes, restore, replace } = options;
  if ([deletes, restore, replace].some((each) => each !== undefined))
    throw new CliError('--plan says what is decided already. Leave out --delete, --restore and --replace.');
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw new CliError(`Cannot read the plan "${file}".`, [], { cause: error });
  });
  const plan = parsePlanFile(text);
  if (plan === undefined)
    throw new CliError(`"${file}" is no plan. Write one with: identity-queries plan --out ${file}`);
  return plan;
}

async function requireBranch({ repository }: Workspace, { detached }: PushOptions): Promise<void> {
  const head = await repository.head();
  if (head.branch === undefined && detached !== true)
    throw new CliError(
      'HEAD is detached, so this commit may be on no branch. Nothing was sent. Go to a branch:',
      ['  git switch main', 'In CI, where that is usual, add --detached.'],
    );
}

async function pushAll(
  context: CliContext,
  service: Service,
  {
    workspace,
    options,
    reviewed,
  }: {
    readonly workspace: Workspace;
    readonly options: PushOptions;
    readonly reviewed: PlanFile | undefined;
  },
): Promise<void> {
  const open = openSync(context, service, workspace);
  const choices = reviewed === undefined ? choicesFrom(options) : choicesOf(reviewed);
  const compared = await compareWith(context, service, open, { from: 'commit', choices });
  const { items } = compared.plan;
  if (reviewed === undefined) requireUsed(compared.plan, options);
  else if (!sendsTheSame(reviewed, planFile(compared, open, choices)))
    throw new CliError('The plan is out of date: the repository or the service changed. Nothing was sent.', [
      'Make and review a new one with: identity-queries plan --out FILE',
    ]);
  const pushed = await push(items, {
    client: service.client,
    signal: context.signal,
    onWritten: ({ item }) => {
      if (isTerminal(context.stderr)) context.stderr.write(`${forTerminal(nameOf(item))}\n`);
    },
  });
  const hasNewIds = await noteAfterPush(compared, pushed, open);
  const left = items.filter((item) => !isWrite(item));
  if (options.json === true)
    await writeJson(context.stdout, { pushed: pushed.map(resultJson), left: left.map(itemJson) });
  else await printPushed(context, pushed, left);
  if (hasNewIds)
    await write(context.stderr, `${shown('saved-queries.json')} has the ids of new queries. Commit it.\n`);
  context.signal.throwIfAborted();
  context.end(exitCodeOf(pushed, left));
}

function resultJson({ item, result }: PushedWrite): object {
  return { ...itemJson(item), result: result.kind };
}

async function printPushed(
  context: CliContext,
  pushed: readonly PushedWrite[],
  left: readonly PlanItem[],
): Promise<void> {
  await printItems(
    context,
    pushed.filter(({ result }) => result.kind === 'done').map(({ item }) => item),
  );
  for (const { item, result } of pushed) {
    if (result.kind === 'done') continue;
    await write(context.stderr, `${forTerminal(nameOf(item))}: ${resultWords(result)}\n`);
    const lines = 'error' in result && result.error !== undefined ? plainFailureLines(result.error) : [];
    for (const line of lines) await write(context.stderr, `    ${forTerminal(line)}\n`);
  }
  if (left.length > 0) {
    await write(context.stderr, 'Left as it is:\n');
    await printItems(context, left);
  }
  if (pushed.length + left.length === 0) await write(context.stderr, 'Both sides are the same.\n');
}

function resultWords(result: Exclude<PushedWrite['result'], { kind: 'done' }>): string {
  switch (result.kind) {
    case 'changed':
      return 'not sent, because it changed on the service meanwhile. Plan again.';
    case 'unknown':
      return 'the service did not say whether it took it. Plan again: it shows what is there.';
    case 'failed':
      return 'the service did not take it.';
    case 'notTried':
      return 'not sent.';
    default:
      return result satisfies never;
  }
}

function exitCodeOf(pushed: readonly PushedWrite[], left: readonly PlanItem[]): number {
  const kinds = new Set(pushed.map(({ result }) => result.kind));
  if (kinds.has('failed') || kinds.has('unknown') || kinds.has('notTried')) return syncExitCodes.failed;
  return kinds.has('changed') || left.some(({ kind }) => kind !== 'linked')
    ? syncExitCodes.changes
    : syncExitCodes.nothing;
}
