/** `completion`: prints a shell completion script, generated from the commands. */
import { Argument, Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion-script.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';

export function completionCommand(context: CliContext, program: () => Command): Command {
  return new Command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that completes commands and options.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Add it to your shell:
  bash  identity-queries completion bash >> ~/.bash_completion
  zsh   identity-queries completion zsh > "\${fpath[1]}/_identity-queries"
  fish  identity-queries completion fish > ~/.config/fish/completions/identity-queries.fish`,
    )
    .action(async (shell: Shell) => {
      await write(context.stdout, completionScript(program(), shell));
      context.end(exitCodes.clean);
    });
}
