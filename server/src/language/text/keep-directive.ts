/** The directive `-- @keep N runs`: the rows of the query's last runs are kept, so that a later one compares with them. */
import { t } from '#base/texts.ts';
import type { Directive } from './directives.ts';

/** The most runs that a query may keep. */
const keptRunsMax = 100;

export interface KeepRule {
  readonly runs: number;
  /** Whether rows with sensitive columns are kept, too. */
  readonly withSensitive: boolean;
}

const form = /^(\d{1,9}) runs?( with sensitive columns)?$/;

export function parseKeep({
  argument,
}: Pick<Directive, 'argument'>):
  | { readonly value: KeepRule; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string } {
  const [, count, sensitive] = form.exec(argument.toLowerCase().split(/\s+/).join(' ')) ?? [];
  const runs = Number(count ?? 0);
  if (runs >= 1 && runs <= keptRunsMax) return { value: { runs, withSensitive: sensitive !== undefined } };
  return {
    problem: t(
      'Write how many runs to keep, from 1 to {0}: -- @keep 10 runs. For rows with sensitive columns: -- @keep 10 runs with sensitive columns.',
      keptRunsMax,
    ),
  };
}

/** Returns the rule in canonical form. */
export function keepText({ runs, withSensitive }: KeepRule): string {
  return `${runs} ${runs === 1 ? 'run' : 'runs'}${withSensitive ? ' with sensitive columns' : ''}`;
}
