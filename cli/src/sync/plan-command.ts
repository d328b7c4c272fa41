/** `plan`: prints what pushing the last commit would change. Changes nothing on the service. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import type { Comparison, OpenSync } from '#core/sync/compare.ts';
import { readQueryFolder, type QueryFolder } from '#core/sync/folder/read-folder.ts';
import { commitSource, diskSource } from '#core/sync/folder/sources.ts';
import { planFileOf, type PlanFile } from '#core/sync/plan/plan-file.ts';
import { markdownOfPlan } from '#core/sync/plan/plan-markdown.ts';
import type { Choices } from '#core/sync/plan/plan.ts';
import { isUnder } from '#core/sync/scope.ts';
import type { Workspace } from '#core/sync/workspace.ts';
import type { CliContext } from '../context.ts';
import { write } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { withService } from '../service.ts';
import { choicesFrom, requireUsed, type ChoiceOptions } from './choices.ts';
import { compareWith, openFolder, openSync, type SyncOptions } from './open.ts';
import { printPlan, printUnlisted } from './print.ts';
import { choiceWords, command, exitHelp, withChoices } from './sync-command.ts';

interface PlanOptions extends SyncOptions, ChoiceOptions {
  readonly out?: string;
  readonly markdown?: string;
}

export function planCommand(context: CliContext): Command {
  const made = command(
    'plan',
    'show what a push of the last commit would do',
    'Shows what a push of the last commit would send, and what it would skip. Changes nothing.',
  )
    .option('--out <file>', 'also write the plan to a file, for push --plan')
    .option('--markdown <file>', 'also write it as Markdown, for a comment on a pull request');
  return withChoices(made, ['delete', 'restore', 'replace'], choiceWords)
    .addHelpText('after', exitHelp)
    .action(async (options: PlanOptions) => {
      await requireOwnTargets([options.out, options.markdown], [], context.cwd);
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const choices = choicesFrom(options);
        const compared = await compareWith(context, service, open, { from: 'commit', choices });
        requireUsed(compared.plan, options);
        await writePlans(context, options, {
          out: `${JSON.stringify(planFile(compared, open, choices), undefined, 2)}\n`,
          markdown: markdownOfPlan(compared.plan, { commit: compared.head?.commit }),
        });
        context.end(await printPlan(context, compared.plan.items, options, workspace));
        if (options.json !== true)
          await printUncommitted(context, await findUncommitted(compared, workspace));
      });
    });
}

async function writePlans(
  { cwd, signal }: CliContext,
  options: PlanOptions,
  texts: { readonly out: string; readonly markdown: string },
): Promise<void> {
  for (const name of ['out', 'markdown'] as const) {
    const file = options[name];
    if (file !== undefined)
      await saveFile(targetPath(cwd, file), (draft) => writeFile(draft, texts[name], { flag: 'wx' }), {
        signal,
      });
  }
}

export function planFile({ plan, head }: Comparison, { service }: OpenSync, choices: Choices): PlanFile {
  return planFileOf(plan, { service, commit: head?.commit ?? '', choices });
}

export interface Uncommitted {
  readonly count: number;
  readonly disk: QueryFolder;
}

/** Finds uncommitted changes, which a plan excludes. To be called before a push writes the IDs of new queries. */
export async function findUncommitted(
  { head }: Comparison,
  { repository, root, folder, under }: Workspace,
): Promise<Uncommitted | undefined> {
  if (head === undefined) return undefined;
  const [disk, commit] = await Promise.all([
    diskSource(root).then(readQueryFolder),
    commitSource(repository, head.commit, folder).then(readQueryFolder),
  ]).catch(() => [undefined, undefined]);
  if (disk === undefined || commit === undefined) return undefined; // uncommitted work does not affect the plan
  const isOurs = ({ draft }: { readonly draft: { readonly name: string } }) => isUnder(draft.name, under);
  const committed = new Map(
    commit.queries.filter(isOurs).map((query) => [query.file, JSON.stringify(query)]),
  );
  const changed = disk.queries
    .filter(isOurs)
    .filter((query) => committed.get(query.file) !== JSON.stringify(query));
  const removed = commit.queries
    .filter(isOurs)
    .filter(({ file }) => !disk.queries.some((query) => query.file === file));
  return { count: changed.length + removed.length, disk };
}

export async function printUncommitted(context: CliContext, found: Uncommitted | undefined): Promise<void> {
  if (found === undefined) return;
  const { count, disk } = found;
  if (count > 0)
    await write(
      context.stderr,
      `${count} ${count === 1 ? 'query has' : 'queries have'} changes that are not committed. Only commits are pushed.\n`,
    );
  await printUnlisted(context, disk);
}
