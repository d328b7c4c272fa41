/** `pull`, `status`, `diff`, `plan`, `push`: saved queries as files in a Git repository. */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { diffCommand } from '../sync/diff-command.ts';
import { planCommand } from '../sync/plan-command.ts';
import { pullCommand } from '../sync/pull-command.ts';
import { pushCommand } from '../sync/push-command.ts';
import { statusCommand } from '../sync/status-command.ts';

export { syncExitCodes } from '../sync/sync-command.ts';

export function syncCommands(context: CliContext): readonly Command[] {
  return [
    pullCommand(context),
    statusCommand(context),
    diffCommand(context),
    planCommand(context),
    pushCommand(context),
  ];
}
