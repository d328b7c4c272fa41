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

export function seconds(text: string): number {
  const value = positiveNumber(text);
  if (value > secondsMax) throw new InvalidArgumentError(`Enter at most ${secondsMax} seconds, a day.`);
  return value;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Enter a number above 0.');
  return value;
}
