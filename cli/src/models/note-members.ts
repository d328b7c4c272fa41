/** Reports unknown members on standard error: they may be typos or the caller's own data. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { NoteMember } from '#server/models/parse-models.ts';
import type { Streams } from '../output.ts';

/** Maximum number of messages, since input may contain any number of unknown names. */
const notedMax = 20;

/** Returns a function that reports each name only once. */
export function noteMembers(stderr: Streams['stderr']): NoteMember {
  const noted = new Set<string>();
  return (member) => {
    if (noted.has(member) || noted.size >= notedMax) return;
    noted.add(member);
    const text = `The member "${member}" is unknown here and was ignored.`;
    stderr.write(`identity-queries: ${forTerminal(text)}\n`);
  };
}
