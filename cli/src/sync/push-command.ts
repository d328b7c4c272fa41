/** `push`: sends the queries of the last commit. */
import type { Command } from 'commander';
import { typedLine, typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { noteAfterPush } from '#core/sync/after-push.ts';
import { claimScope } from '#core/sync/claims.ts';
import type { OpenSync } from '#core/sync/compare.ts';
import { queriesFolder } from '#core/sync/format/layout.ts';
import { gitAdvice } from '#core/sync/git/git-advice.ts';
import { choicesOf, parsePlanFile, sendsTheSame, type PlanFile } from '#core/sync/plan/plan-file.ts';
import { isWrite, nameOf, type PlanItem } from '#core/sync/plan/plan.ts';
import { push, type PushedWrite } from '#core/sync/push.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import type { Workspace } from '#core/sync/workspace.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { isTerminal, write, writeJson } from '../output.ts';
import { plainFailureLines } from '../run/failure-text.ts';
import { withService, type Service } from '../service.ts';
import { readText } from '../text-file.ts';
import { choicesFrom, requireUsed, type ChoiceOptions } from './choices.ts';
import { compareWith, openFolder, openSync, type SyncOptions } from './open.ts';
import { findUncommitted, planFile, printUncommitted } from './plan-command.ts';
import { itemJson, printItems } from './print.ts';
import { choiceWords, command, syncExitCodes, withChoices } from './sync-command.ts';

interface PushOptions extends SyncOptions, ChoiceOptions {
  readonly plan?: string;
  readonly detached?: boolean;
}

export function pushCommand(context: CliContext): Command {
  const made = command(
    'push',
    'send the queries of the last commit to the service',
    'Sends what plan shows: new queries, and queries that changed only in the repository. Queries that changed on both sides are skipped.',
  )
    .option('--plan <file>', 'send exactly what this plan says, or nothing')
    .option('--detached', 'allow a detached HEAD, as in CI');
  return withChoices(made, ['delete', 'restore', 'replace'], choiceWords)
    .addHelpText(
      'after',
      `\nExit code: 0 all local changes were sent, 1 failed, 2 some remain to be merged or decided.`,
    )
    .action(async (options: PushOptions) => {
      const workspace = await openFolder(context, options);
      const reviewed = options.plan === undefined ? undefined : await readPlan(context, options);
      await requireBranch(workspace, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace, options.detached);
        const scope = workspace.under;
        if (scope !== undefined) await claimScope(workspace, scope, open);
        await whileLocked(open.store, () => pushAll(context, service, { open, options, reviewed }));
      });
    });
}

async function readPlan(context: CliContext, options: PushOptions): Promise<PlanFile> {
  const { plan: file = '', delete: deletes, restore, replace } = options;
  if ([deletes, restore, replace].some((each) => each !== undefined))
    throw new CliError('--plan already contains the decisions. Leave out --delete, --restore and --replace.');
  const plan = parsePlanFile(await readText(file, context));
  if (plan === undefined)
    throw new CliError(`"${file}" is not a plan. Write one with: ${typedText(advice.writePlan(file))}`);
  return plan;
}

async function requireBranch({ repository }: Workspace, { detached }: PushOptions): Promise<void> {
  const head = await repository.head();
  if (head.branch !== undefined || detached === true) return;
  const operation = await repository.underWay();
  if (operation !== undefined) {
    const finish = operation === 'bisect' ? [] : gitAdvice.finishOperation(operation);
    throw new CliError(
      `A ${operation} is under way, so this commit may not be on any branch. Nothing was sent. ${finish.length === 0 ? 'End it' : 'Finish it, or give it up'}, and push again:`,
      [...finish, ...gitAdvice.giveUpOperation(operation)].map(typedLine),
    );
  }
  const branch = await repository.usualBranch();
  const typed = branch === undefined ? gitAdvice.createBranch('my-change') : gitAdvice.switchToBranch(branch);
  throw new CliError(
    'HEAD is detached, so this commit may not be on any branch. Nothing was sent. Switch to a branch:',
    [...typed.map(typedLine), 'In CI, where that is usual, add --detached.'],
  );
}

async function pushAll(
  context: CliContext,
  service: Service,
  {
    open,
    options,
    reviewed,
  }: {
    readonly open: OpenSync;
    readonly options: PushOptions;
    readonly reviewed: PlanFile | undefined;
  },
): Promise<void> {
  const choices = reviewed === undefined ? choicesFrom(options) : choicesOf(reviewed);
  const compared = await compareWith(context, service, open, { from: 'commit', choices });
  const { items } = compared.plan;
  if (reviewed === undefined) requireUsed(compared.plan, options);
  else if (!sendsTheSame(reviewed, planFile(compared, open, choices)))
    throw new CliError('The plan is out of date: the repository or the service changed. Nothing was sent.', [
      `Create and review a new one with: ${typedText(advice.writePlan(options.plan ?? 'plan.json'))}`,
    ]);
  // Who may only read is told that there is nothing to send.
  if (items.some(isWrite)) await service.client.requireScope('write', { signal: context.signal });
  const uncommitted = await findUncommitted(compared, open.workspace);
  const pushed = await push(items, {
    client: service.client,
    signal: context.signal,
    onWritten: ({ item }) => {
      if (isTerminal(context.stderr)) context.stderr.write(`${forTerminal(nameOf(item))}\n`);
    },
  });
  const hasNewIds = await noteAfterPush(compared, pushed, open);
  const left = items.filter((item) => !isWrite(item) && item.kind !== 'linked');
  if (options.json === true)
    await writeJson(context.stdout, { pushed: pushed.map(resultJson), left: left.map(itemJson) });
  else {
    await printPushed(context, { pushed, left }, open.workspace);
    await printUncommitted(context, uncommitted);
  }
  if (hasNewIds)
    await write(context.stderr, `The files in ${queriesFolder} have the IDs of new queries. Commit them.\n`);
  context.signal.throwIfAborted();
  context.end(exitCodeOf(pushed, left));
}

function resultJson({ item, result }: PushedWrite): object {
  return { ...itemJson(item), result: result.kind };
}

async function printPushed(
  context: CliContext,
  { pushed, left }: { readonly pushed: readonly PushedWrite[]; readonly left: readonly PlanItem[] },
  workspace: Workspace,
): Promise<void> {
  await printItems(
    context,
    pushed.filter(({ result }) => result.kind === 'done').map(({ item }) => item),
    workspace,
  );
  for (const { item, result } of pushed) {
    if (result.kind === 'done') continue;
    await write(context.stderr, `${forTerminal(nameOf(item))}: ${resultWords(result)}\n`);
    const lines = 'error' in result && result.error !== undefined ? plainFailureLines(result.error) : [];
    for (const line of lines) await write(context.stderr, `    ${forTerminal(line)}\n`);
  }
  if (left.length > 0) {
    await write(context.stderr, 'Left as it is:\n');
    await printItems(context, left, workspace);
  }
  if (pushed.length + left.length === 0)
    await write(context.stderr, 'The last commit and the service are the same.\n');
}

function resultWords(result: Exclude<PushedWrite['result'], { kind: 'done' }>): string {
  switch (result.kind) {
    case 'changed':
      return 'not sent, because it changed on the service meanwhile. Plan again.';
    case 'unknown':
      return 'the service did not respond, so the outcome is unknown. Plan again to see it.';
    case 'failed':
      return 'the service refused it.';
    case 'unsupported':
      return 'not sent, because the service cannot take it.';
    case 'notTried':
      return 'not sent.';
    default:
      return result satisfies never;
  }
}

/** Changes made only on the service do not count: a push is complete without them. */
function exitCodeOf(pushed: readonly PushedWrite[], left: readonly PlanItem[]): number {
  const kinds = new Set(pushed.map(({ result }) => result.kind));
  const failures = ['failed', 'unsupported', 'unknown', 'notTried'] as const;
  if (failures.some((kind) => kinds.has(kind))) return syncExitCodes.failed;
  return kinds.has('changed') || left.some(({ kind }) => !['newThere', 'changedThere'].includes(kind))
    ? syncExitCodes.changes
    : syncExitCodes.nothing;
}
