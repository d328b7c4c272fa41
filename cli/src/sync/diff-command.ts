/** `diff`: prints the lines that differ between the files and the service. */
import type { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { fieldNames } from '#core/saved-queries/merge-drafts.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { nameOf, noChoices, type PlanItem } from '#core/sync/plan/plan.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { write, writeJson } from '../output.ts';
import { withService } from '../service.ts';
import { styleFor } from '../terminal/style.ts';
import { unifiedDiff } from './diff-text.ts';
import { compareWith, openFolder, openSync, type SyncOptions } from './open.ts';
import { itemJson } from './print.ts';
import { command, exitHelp, syncExitCodes } from './sync-command.ts';

export function diffCommand(context: CliContext): Command {
  return command(
    'diff',
    'show the lines that differ between the files and the service',
    'Shows the lines that differ between the files and the service: - is the service, + is the file.',
  )
    .argument('[names...]', 'only these queries')
    .addHelpText('after', exitHelp)
    .action(async (names: readonly string[], options: SyncOptions) => {
      const workspace = await openFolder(context, options);
      await withService(context, options, async (service) => {
        const open = openSync(context, service, workspace);
        const { plan, folder, there } = await compareWith(context, service, open, {
          from: 'files',
          choices: noChoices,
        });
        const wanted = new Set(names.map(nameKeyOf));
        const known = new Set([
          ...folder.queries.map(({ draft }) => nameKeyOf(draft.name)),
          ...there.map(({ draft }) => nameKeyOf(draft.name)),
        ]);
        const strange = names.filter((name) => !known.has(nameKeyOf(name)));
        if (strange.length > 0)
          throw new CliError(`There is no saved query ${strange.map((name) => `"${name}"`).join(', ')}.`, [
            `List what differs with: ${typedText(advice.showStatus())}`,
          ]);
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

/** Returns the differing lines of a query; its name and other fields are on separate lines. */
function diffOf(item: PlanItem): readonly string[] {
  if (item.kind === 'refused' && item.reason.kind === 'entry') return []; // nothing of it is compared
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
