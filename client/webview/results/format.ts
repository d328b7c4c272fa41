/** Numbers and times in words. */

const wholeNumber = new Intl.NumberFormat('en-US');

export function count(value: number, one: string, many = `${one}s`): string {
  return `${wholeNumber.format(value)} ${value === 1 ? one : many}`;
}

export function number(value: number): string {
  return wholeNumber.format(value);
}

/** `87 ms`, `1.24 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

/** A time that goes on: tenths of seconds, so that it does not flicker. */
export function elapsedWords(ms: number): string {
  return ms < 60_000 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : duration(ms);
}
