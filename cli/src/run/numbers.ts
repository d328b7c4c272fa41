/** Parses numeric options. */
import { InvalidArgumentError } from 'commander';

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Enter a whole number, 1 or more.');
  return value;
}

/** A day. If a delay exceeds what a timer can hold, the timer fires immediately. */
const secondsMax = 86_400;

/** What 0 means differs: no time limit, and no waiting. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= secondsMax))
    throw new InvalidArgumentError(`Enter a number of seconds, from 0 to ${secondsMax} (a day).`);
  return value;
}
