/** One command deletes what the extension keeps on this machine; the kinds are ticked in a list. */
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { given, listOf, text } from '#client/ui/arguments.ts';
import { registerCommand } from '#client/ui/register-command.ts';

export function registerClearData({ log }: { readonly log: Logger }): DisposableLike {
  return registerCommand(log, commands.clearLocalData, [given(listOf(text))], async (ids) => {
    const { clearLocalData } = await import('./clear-local-data.ts');
    await clearLocalData(ids);
  });
}
