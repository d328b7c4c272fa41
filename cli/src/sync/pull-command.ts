/** `pull`: copies the service's changes into the files. */
import type { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import type { Comparison } from '#core/sync/compare.ts';
import { shown } from '#core/sync/folder/read-folder.ts';
import { modelsFile, queriesFolder, scopeFile } from '#core/sync/format/layout.ts';
import { sayLeftOut } from '#core/sync/format/problem-messages.ts';
import { gitAdvice } from '#core/sync/git/git-advice.ts';
import { pull, type PullOutcome } from '#core/sync/pull.ts';
import { isUnder, keepScope, type Under } from '#core/sync/scope.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import type { Workspace } from '#core/sync/workspace.ts';
import type { CliContext } from '../context.ts';
import { write, writeJson } from '../output.ts';
import { withService, type Service } from '../service.ts';
import { choicesFrom, requireUsed, type ChoiceOptions } from './choices.ts';
import { compareWith, openFolder, openSync, type SyncOptions } from './open.ts';
import { itemJson, printItems } from './print.ts';
import { command, syncExitCodes, withChoices } from './sync-command.ts';

interface PullOptions extends SyncOptions, ChoiceOptions {
  readonly models?: boolean;
}

export function pullCommand(context: CliContext): Command {
  const made = command(
    'pull',
    'copy saved queries of the service into files of a Git repository',
    'Copies changes from the service into the files, and merges changes of both sides. Commits nothing and sends nothing.',
  );
  return withChoices(
    made,
    ['delete', 'restore'],
    [
      'remove the file of a query that was deleted on the service; may be repeated',
      'restore a file that was deleted here; may be repeated',
    ],
  )
    .option(
      '--models',
      'also write models.json, so that check can verify tables and columns without credentials',
    )
    .addHelpText('after', `\nExit code: 0 done, 1 failed, 2 decisions remain.`)
    .action(async (options: PullOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        await whileLocked(open.store, async () => {
          const choices = choicesFrom(options);
          const compared = await compareWith(context, service, open, { from: 'files', choices });
          requireUsed(compared.plan, options);
          const beside = options.models === true ? await modelsOf(context, service) : undefined;
          const outcome = await pull(compared, { ...open, beside });
          const scope = newScope(compared, workspace);
          if (scope !== undefined) await keepScope(workspace.root, scope);
          context.end(await printPull(context, compared, outcome, options, workspace));
          if (scope !== undefined)
            await write(
              context.stderr,
              `From now on, this folder owns only "${forTerminal(scope)}". Commit ${queriesFolder}/${scopeFile}, too.\n`,
            );
        });
      });
    });
}

/** Returns the scope to keep. A folder that has other queries already owns them, and asks only for a part. */
function newScope({ folder }: Comparison, { under, kept }: Workspace): Under | undefined {
  if (under === undefined || kept !== undefined) return undefined;
  return folder.queries.every(({ draft }) => isUnder(draft.name, under)) ? under : undefined;
}

async function modelsOf({ signal }: CliContext, { client }: Service): Promise<ReadonlyMap<string, string>> {
  const models = await readCatalogue(client, { signal });
  return new Map([[modelsFile, `${JSON.stringify({ models }, undefined, 1)}\n`]]);
}

/** Prints the outcome. Pending decisions affect the exit code; pending pushes do not. */
async function printPull(
  context: CliContext,
  { plan, head }: Comparison,
  { written, removed, leftOut }: PullOutcome,
  { json, models }: PullOptions,
  workspace: Workspace,
): Promise<number> {
  const left = plan.items.filter(({ kind }) =>
    ['conflict', 'refused', 'deletedThere', 'deletedHere'].includes(kind),
  );
  const brought = plan.items.filter(({ kind }) =>
    ['changedThere', 'newThere', 'merge', 'remove', 'linked'].includes(kind),
  );
  const isOpen = left.length + leftOut.length > 0;
  if (json === true) {
    await writeJson(context.stdout, {
      written: written.map(shown),
      removed: removed.map(shown),
      items: [...brought, ...left].map(itemJson),
      leftOut,
    });
  } else {
    await printItems(context, [...brought, ...left], workspace);
    for (const { name, problem } of leftOut)
      await write(context.stderr, `${forTerminal(name)} is left out: ${sayLeftOut(problem)}.\n`);
    const count = written.length + removed.length;
    await write(
      context.stderr,
      count === 0
        ? isOpen
          ? 'No file changed. Decide on what is listed here, then pull again.\n'
          : 'Up to date.\n'
        : changedFiles(count, {
            isNew: models === true || plan.items.some(({ kind }) => kind === 'newThere'),
          }),
    );
    if (head !== undefined && head.branch === undefined)
      await write(
        context.stderr,
        `HEAD is detached: create a branch before you commit, with ${gitAdvice.createBranch('my-change').map(typedText).join(' ')}.\n`,
      );
  }
  return isOpen ? syncExitCodes.changes : syncExitCodes.nothing;
}

/** @param isNew whether some of the files may be new, so that `git diff` would not show them. */
function changedFiles(count: number, { isNew }: { readonly isNew: boolean }): string {
  const [files, them] = count === 1 ? ['1 file', 'it'] : [`${count} files`, 'them'];
  return `${files} changed. Look at ${them} with git ${isNew ? 'status' : 'diff'}, and commit ${them} before you edit.\n`;
}
