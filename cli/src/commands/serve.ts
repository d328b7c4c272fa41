/** `serve`: runs the local service over the person's own PostgreSQL database as a separate process. */
import { Command } from 'commander';
import { sayCommandProblem, splitCommand } from '#core/connections/command-line.ts';
import { readSecretSource, SecretSourceFailure } from '#core/connections/secret-sources.ts';
import { saySecretProblem } from '../connections/secret-problem.ts';
import { CliError, type CliContext } from '../context.ts';
import { runServiceProcess } from '../service-process.ts';

export function serveCommand(context: CliContext): Command {
  return new Command('serve')
    .summary('start a local service over your own PostgreSQL')
    .description(
      'Starts a local service over your own PostgreSQL database, for reading. `serve init` prints the SQL of a role that only reads. Its options: identity-queries serve --help',
    )
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]', 'options of the service')
    .action(async (_options: readonly string[], _values: unknown, command: Command) => {
      const { args, program } = withoutProgram(command.args);
      const isHelp = args.includes('--help');
      const password = program === undefined || isHelp ? undefined : await passwordOf(program, context);
      await runServiceProcess(
        context,
        ['serve', ...args, ...(password === undefined ? [] : ['--password-stdin'])],
        password === undefined ? undefined : `${password}\n`,
      );
    });
}

const option = '--password-command';

/** The program runs here, so that only its first line reaches the service, through standard input. */
function withoutProgram(args: readonly string[]): { args: readonly string[]; program: string | undefined } {
  const at = args.findIndex((each) => each === option || each.startsWith(`${option}=`));
  const found = args[at];
  if (found === undefined) return { args, program: undefined };
  if (found !== option) return { args: args.toSpliced(at, 1), program: found.slice(option.length + 1) };
  return { args: args.toSpliced(at, 2), program: args[at + 1] ?? '' };
}

async function passwordOf(line: string, { environment }: CliContext): Promise<string> {
  const command = splitCommand(line);
  if (command === undefined) throw new CliError(`${option} cannot be used: ${sayCommandProblem(line)}.`);
  try {
    return await readSecretSource({ kind: 'command', command }, { environment });
  } catch (error) {
    if (!(error instanceof SecretSourceFailure)) throw error;
    throw new CliError(saySecretProblem(error.problem, 'The password'), [], { cause: error });
  }
}
