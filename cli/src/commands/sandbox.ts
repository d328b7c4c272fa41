/** `sandbox`: runs the local service with sample data as a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { exitCodes } from '../output.ts';

export function sandboxCommand(context: CliContext): Command {
  return new Command('sandbox')
    .summary('start the local service with sample data')
    .description('Starts the local service with sample data. Its options: identity-queries sandbox --help')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]', 'options of the sandbox')
    .action(async (_options: readonly string[], _values: unknown, command: Command) => {
      const program = path.join(import.meta.dirname, 'sandbox', 'main.js');
      const child = spawn(process.execPath, [program, ...command.args], { stdio: 'inherit' });
      // Ctrl+C in a terminal reaches both processes; a signal to this process alone must also end the sandbox.
      const stop = () => child.kill('SIGTERM');
      context.signal.addEventListener('abort', stop, { once: true });
      const [code] = (await once(child, 'exit')) as [number | null]; // Node's documented `exit` arguments
      context.end(code ?? exitCodes.clean);
    });
}
