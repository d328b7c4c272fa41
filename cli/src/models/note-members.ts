/** Reports unknown members on standard error: a typo, or the caller's own. */
import { forTerminal } from '../../../core/src/shown-text/for-terminal.ts';
import type { Streams } from '../output.ts';
import type { NoteMember } from './parse-models.ts';

/** Limits the messages about made-up names. */
const notedMax = 20;

/** Each name once. */
export function noteMembers(stderr: Streams['stderr']): NoteMember {
  const noted = new Set<string>();
  return (member) => {
    if (noted.has(member) || noted.size >= notedMax) return;
    noted.add(member);
    const text = `The member "${member}" is unknown here and was ignored.`;
    stderr.write(`identity-queries: ${forTerminal(text)}\n`);
  };
}
