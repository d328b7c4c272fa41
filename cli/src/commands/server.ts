/** `server`: starts the language server, for any editor that supports LSP. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes } from '../output.ts';

export function serverCommand(context: CliContext): Command {
  return new Command('server')
    .summary('run the language server, for any editor')
    .description('Runs the language server over standard streams, for any editor that supports LSP.')
    .option('--stdio', 'communicate over standard streams')
    .action(async ({ stdio }: { readonly stdio?: boolean }) => {
      if (stdio !== true)
        throw new CliError(`The server communicates over standard streams: ${typedText(advice.serve())}`);
      // The server is bundled next to this program and takes over this process: it parses `--stdio` itself.
      await import(pathToFileURL(path.join(import.meta.dirname, 'server.cjs')).href);
      context.end(exitCodes.clean);
    });
}
