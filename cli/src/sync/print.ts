/** Prints plans as text or as JSON. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { shown, type QueryFolder } from '#core/sync/folder/read-folder.ts';
import { metadataFileOf } from '#core/sync/format/layout.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { nameOf, type PlanItem } from '#core/sync/plan/plan.ts';
import type { Workspace } from '#core/sync/workspace.ts';
import { advice as adviceToType } from '../advice.ts';
import type { CliContext } from '../context.ts';
import { write, writeJson } from '../output.ts';
import { styleFor } from '../terminal/style.ts';
import type { SyncOptions } from './open.ts';
import { syncExitCodes } from './sync-command.ts';

const colours = { '+': 'green', '~': 'yellow', '-': 'red', '<': 'cyan', '!': 'magenta' } as const;

/** Prints one line per query, followed by the options for decisions. */
export async function printItems(
  { stdout, environment, cwd }: CliContext,
  items: readonly PlanItem[],
  { root }: Pick<Workspace, 'root'>,
): Promise<void> {
  const style = styleFor(stdout, environment);
  for (const item of items) {
    const { mark, text, advice, option } = sayItem(item);
    await write(stdout, `${style(colours[mark], mark)} ${forTerminal(text)}\n`);
    if (mark === '!' && advice !== undefined) await write(stdout, `    ${forTerminal(advice)}\n`);
    if (option !== undefined) await write(stdout, `    ${forTerminal(option)}\n`);
  }
  const holder = path.dirname(root);
  const namesFiles = items.some((item) => item.kind === 'refused' && item.reason.kind === 'entry');
  if (namesFiles && (await realpath(cwd)) !== holder)
    await write(
      stdout,
      `These files are in another folder: ${forTerminal(typedText(adviceToType.goTo(holder)))}\n`,
    );
}

/** Explains how to add unlisted files, which are not pushed, except for those that a problem names as renamed. */
export async function printUnlisted({ stderr }: CliContext, { unlisted, held }: QueryFolder): Promise<void> {
  const renamed = new Set(held.map(({ problem }) => (problem.kind === 'file' ? problem.renamed : undefined)));
  for (const file of unlisted.filter((each) => !renamed.has(each)).slice(0, 10))
    await write(
      stderr,
      `${forTerminal(shown(file))} is not pushed: it has no name. Create ${forTerminal(shown(metadataFileOf(file)))}:\n  ${JSON.stringify({ name: '...', model: 'platform_identity' })}\n`,
    );
}

export function itemJson(item: PlanItem): object {
  const { text, advice, option } = sayItem(item);
  return {
    kind: item.kind,
    name: nameOf(item),
    ...('here' in item ? { file: item.here.file } : {}),
    ...('there' in item && item.there !== undefined
      ? { id: item.there.id, version: item.there.version }
      : {}),
    ...('changed' in item ? { changed: item.changed } : {}),
    ...(item.kind === 'conflict' ? { conflicts: item.members } : {}),
    text,
    ...(advice === undefined ? {} : { advice }),
    ...(option === undefined ? {} : { option }),
  };
}

/** Returns counts such as `3 to push, 1 to pull, 1 to decide`. */
function countWords(items: readonly PlanItem[]): string {
  const marks = items.map((item) => sayItem(item).mark);
  const count = (wanted: string) => marks.filter((mark) => wanted.includes(mark)).length;
  const parts = [
    [count('+~-'), 'to push'],
    [count('<'), 'to pull'],
    [count('!'), 'to decide'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ');
}

/** Prints the differences and their number. @returns the exit code. */
export async function printPlan(
  context: CliContext,
  items: readonly PlanItem[],
  { json }: SyncOptions,
  workspace: Workspace,
): Promise<number> {
  if (json === true) await writeJson(context.stdout, { items: items.map(itemJson) });
  else {
    await printItems(context, items, workspace);
    await write(
      context.stderr,
      items.length === 0 ? 'Both sides are the same.\n' : `${countWords(items)}.\n`,
    );
  }
  return items.length === 0 ? syncExitCodes.nothing : syncExitCodes.changes;
}
