/** How long a reading may take. */
import { Deadline } from '#base/async/deadline.ts';

/** How long a control, a command or an agent's call may read by default, in milliseconds. */
export const timeLimitMsDefault = 600_000;

/** How long a person waits for what only helps them, such as choices where they can also type, in milliseconds. */
export const helpLimitMs = 15_000;

/** For a reading that its caller limits: a person can stop it, or its signal has a time limit. */
export function limitedByCaller(): Deadline {
  return new Deadline(Infinity);
}
