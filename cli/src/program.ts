/** The commands of `identity-queries`. Help, completion scripts and docs/cli.md derive from this table. */
import { Command } from 'commander';
import { linesForTerminal } from '#base/shown-text/for-terminal.ts';
import { auditCommand } from './commands/audit.ts';
import { checkCommand } from './commands/check.ts';
import { compareCommand } from './commands/compare.ts';
import { completionCommand } from './commands/completion.ts';
import { connectionsCommand } from './commands/connections.ts';
import { controlsCommand } from './commands/controls.ts';
import { doctorCommand } from './commands/doctor.ts';
import { evidenceCommand } from './commands/evidence.ts';
import { exportCommand } from './commands/export.ts';
import { initCommand } from './commands/init.ts';
import { jobCommand } from './commands/job.ts';
import { mcpCommand } from './commands/mcp.ts';
import { modelsCommand } from './commands/models.ts';
import { packCommand } from './commands/pack.ts';
import { queryCommand } from './commands/query.ts';
import { recordCommand } from './commands/record.ts';
import { recordsCommand } from './commands/records.ts';
import { runCommand } from './commands/run.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { savedCommand } from './commands/saved.ts';
import { serveCommand } from './commands/serve.ts';
import { serverCommand } from './commands/server.ts';
import { syncCommands, syncExitCodes } from './commands/sync.ts';
import { CliError, type CliContext } from './context.ts';
import { exitCodes } from './output.ts';

export function createProgram(context: CliContext, version: string): Command {
  const program = new Command('identity-queries')
    .description('Query identity and access data with SQL.')
    .version(version)
    // Options after a command belong to it: `saved show --version 2`.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .hook('preAction', (_, command) => requireValues(command))
    .addHelpText(
      'after',
      `
Exit codes: 0 success; 1 findings or differences; 2 invalid usage or input, or the service could not be reached;
130 interrupted, 143 by SIGTERM. Commands of saved queries in Git (pull, status, diff, plan, push): 0 nothing to do;
1 failed; 2 changes. Only results go to standard output, so they can be piped; messages go to standard error.`,
    );
  for (const command of [
    runCommand(context),
    checkCommand(context),
    compareCommand(context),
    queryCommand(context),
    evidenceCommand(context, version),
    controlsCommand(context),
    savedCommand(context),
    ...syncCommands(context),
    modelsCommand(context),
    packCommand(context),
    recordsCommand(context),
    recordCommand(context),
    jobCommand(context),
    exportCommand(context),
    connectionsCommand(context),
    doctorCommand(context),
    initCommand(context),
    mcpCommand(context, version),
    auditCommand(context),
    sandboxCommand(context),
    serveCommand(context),
    serverCommand(context),
    completionCommand(context, () => program),
  ]) {
    program.addCommand(command);
  }
  return settle(program, context);
}

/** Returns the exit code for a failure: 1 for commands whose exit code 2 means changes, 2 for all others. */
export function failureCodeOf(args: readonly string[]): number {
  const [name = ''] = args;
  return ['pull', 'status', 'diff', 'plan', 'push'].includes(name)
    ? syncExitCodes.failed
    : exitCodes.badInput;
}

/** Commands whose exit code is a verdict. If such a command stops early, the verdict is unknown. */
const verdicts =
  /^(?:check|compare|doctor|controls run|controls baseline|audit verify|evidence verify|pull|status|diff|plan|push)(?: |$)/;

/**
 * Returns the exit code for a reader that stops early: success if it only missed rows, failure if it missed a verdict.
 */
export function unreadCodeOf(args: readonly string[]): number {
  return verdicts.test(args.slice(0, 2).join(' ')) ? failureCodeOf(args) : exitCodes.clean;
}

/** A variable that is not set leaves an empty text, which as a path would be this folder. @throws CliError */
function requireValues(command: Command): void {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.includes(''));
  const option = command.options.find(
    (each) =>
      (each.required || each.optional) &&
      each.defaultValue !== '' &&
      isEmpty(command.getOptionValue(each.attributeName())),
  );
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.processedArgs[index]));
  const name = option?.long ?? (argument?.variadic === true ? optionBeforeEmpty(command) : argument?.name());
  if (name !== undefined)
    throw new CliError(`The value of ${name} is empty. If a variable stands for it, set that variable.`);
}

/** Returns the option of a command that passes its options on, whose value is empty, or the name of its list. */
function optionBeforeEmpty({ args, registeredArguments }: Command): string | undefined {
  const before = args[args.indexOf('') - 1];
  return before?.startsWith('-') === true ? before : registeredArguments.at(-1)?.name();
}

/** Makes a command and its subcommands throw errors and write to the context. */
function settle(command: Command, context: CliContext): Command {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // The text repeats input, such as file names.
      writeErr: (text) => context.stderr.write(linesForTerminal(text)),
      outputError: (text, put) =>
        put(text.replace(/^error: (?:command-argument value (?='))?/, 'identity-queries: ')),
    })
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .showHelpAfterError(`(add --help for what ${commandLine(command)} takes)`);
  for (const inner of command.commands) settle(inner, context);
  return command;
}

/** Returns the full name of a command, for example `identity-queries saved list`. */
function commandLine(command: Command): string {
  return command.parent === null ? command.name() : `${commandLine(command.parent)} ${command.name()}`;
}
