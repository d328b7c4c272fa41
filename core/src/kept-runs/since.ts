/** Finds the kept run that shows what a query returned at a moment. */
import { parseValue } from '#base/values/parse-value.ts';
import { hadParameters, type EnteredParameters, type KeptRun } from './kept-runs-store.ts';

/**
 * Parses a moment: a day such as `2026-10-01` or `today - 30 days`, which means its end, or a time. A time without a
 * zone is local.
 * @returns milliseconds since 1970; undefined for any other text.
 */
export function sinceMoment(text: string, now: Date): number | undefined {
  const day = /\b(?:now|hours?|minutes?)\b/i.test(text) ? undefined : parseValue('date', text, now).value;
  if (typeof day === 'string') {
    const end = new Date(`${day}T00:00:00`);
    end.setDate(end.getDate() + 1);
    return known(end.getTime() - 1);
  }
  const { value } = parseValue('timestamptz', text, now);
  if (typeof value !== 'string') return undefined;
  const iso = value
    .replace(/^(\S+)[ Tt]+/, '$1T')
    .replace(/\s+/g, '')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    .replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00');
  return known(Date.parse(iso));
}

const known = (ms: number): number | undefined => (Number.isNaN(ms) ? undefined : ms);

/**
 * Returns the last run up to the moment, or the first one after it if none is older.
 * @param runs the newest first.
 */
export function runSince(runs: readonly KeptRun[], moment: number): KeptRun | undefined {
  return runs.find(({ at }) => at <= moment) ?? runs.at(-1);
}

/**
 * Returns the runs that answered the same question, or why there are none: with other values, they are other answers.
 * @param entered empty if no values were named.
 */
export function runsOfValues(
  runs: readonly KeptRun[],
  entered: EnteredParameters,
): readonly KeptRun[] | 'several' | 'none' {
  const isNamed = Object.keys(entered).length > 0;
  const hasNone = runs.every((run) => hadParameters(run, {}));
  const own = isNamed && !hasNone ? runs.filter((run) => hadParameters(run, entered)) : runs;
  if (own.length === 0) return 'none';
  return new Set(own.map(({ parameters }) => parameters)).size > 1 ? 'several' : own;
}
