/** `--timeout`: one time limit for the whole of a command. */
import type { Command } from 'commander';
import { timeLimitMsDefault } from '#core/reading/time-limit.ts';
import type { CliContext } from './context.ts';
import { seconds } from './run/numbers.ts';

export interface TimeLimitOptions {
  /** Undefined for the command's default, 0 for no limit. */
  readonly timeout?: number;
}

/** How long a command that prints its result may take, in seconds. */
export const timeLimitDefault = timeLimitMsDefault / 1_000;

/** Returns the time limit in seconds; 0 for none. A command that writes its result into a file has none by default. */
export function timeLimitOf({ timeout, out }: TimeLimitOptions & { readonly out?: unknown }): number {
  return timeout ?? (out === undefined ? timeLimitDefault : 0);
}

export function withTimeLimit(command: Command, context: CliContext): Command {
  return command
    .option(
      '--timeout <seconds>',
      `how long the command may take in all; 0 for no limit (default: ${timeLimitDefault}, and no limit with --out)`,
      seconds,
    )
    .hook('preAction', () => {
      const options = command.opts<TimeLimitOptions & Partial<Record<'out' | 'on', unknown>>>();
      // Each of several connections has its own limit, so that one that hangs does not end the others.
      if (options.on !== undefined) return;
      const limit = timeLimitOf(options);
      if (limit > 0) context.limitTo(limit);
    });
}
