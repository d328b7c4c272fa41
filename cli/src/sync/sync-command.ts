/** Options and exit codes of the commands for saved queries in Git. */
import { Command } from 'commander';
import { withConnectionOptions } from '../service.ts';
import { collect } from './choices.ts';

/** Like Terraform's detailed exit codes: nothing to do, failed, changes or pending decisions. */
export const syncExitCodes = { nothing: 0, failed: 1, changes: 2 } as const;

export const exitHelp = `
Exit code: 0 nothing to do, 1 failed, 2 both sides differ.`;

export function command(name: string, summary: string, description: string): Command {
  const made = new Command(name)
    .summary(summary)
    .description(description)
    .option(
      '--folder <folder>',
      'the folder that contains "queries" (default: the nearest one here or above)',
    )
    .option(
      '--under <folder>',
      'only queries whose names begin with this folder of names, such as "Access reviews/"; the first pull keeps it in queries/scope.json',
    )
    .option('--json', 'print JSON');
  return withConnectionOptions(made);
}

export function withChoices(
  made: Command,
  kinds: readonly ('delete' | 'restore' | 'replace')[],
  words: readonly string[],
): Command {
  for (const [index, kind] of kinds.entries())
    made.option(`--${kind} <${kind === 'replace' ? 'name@version' : 'name'}>`, words[index] ?? '', collect);
  return made;
}

/** Help text for the decisions in `plan` and `push`. */
export const choiceWords = [
  'delete a query on the service that was deleted here; may be repeated',
  'recreate a query that was deleted on the service; may be repeated',
  'replace this version on the service, once its conflict is resolved; may be repeated',
];
