/** The options of every command that sends a query: what a message tells to add to one of them exists in all. */
import { Option, type Command } from 'commander';
import { allowances, type Allowance } from './allow.ts';
import { parameterOption } from './parameters.ts';

export interface QueryValues {
  readonly param: readonly string[];
  readonly null: readonly string[];
  readonly allow: readonly Allowance[];
}

export function withQueryValues(command: Command): Command {
  return command
    .addOption(parameterOption())
    .addOption(
      new Option('--null <name>', 'a parameter that is NULL; repeat it for more')
        .argParser((name: string, before: readonly string[]) => [...before, name])
        .default([], 'none'),
    )
    .addOption(
      new Option('--allow <what...>', 'send a query even if it is not proven read-only')
        .choices(allowances)
        .default([], 'nothing'),
    );
}

export function givenOf({ param, null: nulls, allow }: QueryValues): {
  readonly entries: readonly string[];
  readonly nulls: readonly string[];
  readonly allowed: readonly Allowance[];
} {
  return { entries: param, nulls, allowed: allow };
}
