/** What every command works with: its streams, its environment, and how it ends. Nothing in here is global. */
import type { Streams } from './output.ts';

export interface CliContext extends Streams {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder the person stands in. */
  readonly cwd: string;
  /** Aborts at the first Ctrl+C. */
  readonly signal: AbortSignal;
  /** Sets what the process ends with; the worst of several counts. */
  readonly end: (code: number) => void;
}

/** A failure in words for the person at the terminal, who can do something about it. */
export class CliError extends Error {
  /** What to type next, a line each; examples to copy are indented. */
  readonly help: readonly string[];

  constructor(message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.help = help;
  }
}

/** The person interrupted, and something is left that can be gone on with. */
export class InterruptedError extends Error {
  /** What is left and how to go on, a line each. */
  readonly help: readonly string[];

  constructor(help: readonly string[]) {
    super('interrupted');
    this.name = 'InterruptedError';
    this.help = help;
  }
}
