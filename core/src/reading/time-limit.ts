/** How long a reading may take. */
import { Deadline } from '#base/async/deadline.ts';

/** The default of a whole reading that nobody watches, in milliseconds: of a control, a command or an agent's call. */
export const timeLimitMsDefault = 600_000;

/** For a reading that its caller limits: a person can stop it, or its signal has a time limit. */
export function limitedByCaller(): Deadline {
  return new Deadline(Infinity);
}
