/** The context of every command: its streams, environment, and exit code. Nothing here is global. */
import type { Streams } from './output.ts';

export interface CliContext extends Streams {
  readonly environment: NodeJS.ProcessEnv;
  /** The current folder. */
  readonly cwd: string;
  /** Aborts at the first Ctrl+C, or when the time of `limitTo` has passed. */
  readonly signal: AbortSignal;
  /** Gives the whole command this many seconds: requests, retries, pauses and locks. */
  readonly limitTo: (seconds: number) => void;
  /** Sets the exit code; if it is set several times, the worst code counts. */
  readonly end: (code: number) => void;
}

/** A failure whose message is written for the user at the terminal. */
export class CliError extends Error {
  /** Next steps, one per line; commands to type are indented. */
  readonly help: readonly string[];

  constructor(message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.help = help;
  }
}

/** The user interrupted the command; a partial result can be resumed. */
export class InterruptedError extends Error {
  /** The partial result and how to resume it, one per line. */
  readonly help: readonly string[];

  constructor(help: readonly string[]) {
    super('interrupted');
    this.name = 'InterruptedError';
    this.help = help;
  }
}
