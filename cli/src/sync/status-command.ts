/** `status`: prints how the files differ from the service. */
import type { Command } from 'commander';
import { noChoices } from '#core/sync/plan/plan.ts';
import type { CliContext } from '../context.ts';
import { withService } from '../service.ts';
import { compareWith, openFolder, openSync, type SyncOptions } from './open.ts';
import { printPlan, printUnlisted } from './print.ts';
import { command, exitHelp } from './sync-command.ts';

export function statusCommand(context: CliContext): Command {
  return command(
    'status',
    'compare the files with the service',
    'Lists the differences between the files and the service.',
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
        context.end(await printPlan(context, plan.items, options, workspace));
        if (options.json !== true) await printUnlisted(context, folder);
      });
    });
}
