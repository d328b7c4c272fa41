/** Runs the local service as a separate process, with this one's terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { CliError, type CliContext } from './context.ts';
import { exitCodes } from './output.ts';

/** @param input what the process reads from standard input; by default the terminal */
export async function runServiceProcess(
  context: CliContext,
  args: readonly string[],
  input?: string,
): Promise<void> {
  // Listened to before there is a process to end.
  const { signal } = context;
  const program = path.join(import.meta.dirname, 'sandbox', 'main.js');
  const child = spawn(process.execPath, [program, ...args], {
    // The channel ends with this process, however that ends, and the service with the channel.
    stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit', 'ipc'],
  });
  // A process that ended early does not read its input.
  child.stdin?.on('error', () => undefined).end(input);
  // Ctrl+C in a terminal reaches both processes; a signal to this process alone must also end the service.
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  // Node's documented `exit` arguments
  const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (by === null || signal.aborted) context.end(code ?? exitCodes.clean);
  else throw new CliError(`The service was ended by ${by}, for example because the memory was full.`);
}
