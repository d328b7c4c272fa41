/** The context of every command: its streams, environment, and exit code. Nothing here is global. */
import type { Streams } from './output.ts';

export interface CliContext extends Streams {
  readonly environment: NodeJS.ProcessEnv;
  /** The current folder. */
  readonly cwd: string;
  /** Aborts at the first Ctrl+C. */
  readonly signal: AbortSignal;
  /** Sets the exit code; if it is set several times, the worst code counts. */
  readonly end: (code: number) => void;
}

/** A failure, worded for the person at the terminal. */
export class CliError extends Error {
  /** The next command to type, one per line; examples are indented. */
  readonly help: readonly string[];

  constructor(message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.help = help;
  }
}

/** The person interrupted; a partial result can be resumed. */
export class InterruptedError extends Error {
  /** The partial result and how to resume it, one per line. */
  readonly help: readonly string[];

  constructor(help: readonly string[]) {
    super('interrupted');
    this.name = 'InterruptedError';
    this.help = help;
  }
}
