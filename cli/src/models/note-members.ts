/** Names members without a meaning on standard error: a slip, or something of the caller's own. */
import { forTerminal } from '../../../core/src/shown-text/for-terminal.ts';
import type { Streams } from '../output.ts';
import type { NoteMember } from './parse-models.ts';

/** A stream of made-up names must not become a stream of messages. */
const notedMax = 20;

/** Each name once. */
export function noteMembers(stderr: Streams['stderr']): NoteMember {
  const noted = new Set<string>();
  return (member) => {
    if (noted.has(member) || noted.size >= notedMax) return;
    noted.add(member);
    const text = `The member "${member}" has no meaning here and is passed over.`;
    stderr.write(`identity-queries: ${forTerminal(text)}\n`);
  };
}
