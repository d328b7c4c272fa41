/**
 * Tells a receiver what is new, at least once: what it was told is remembered in the history, and what it was not is
 * told with the next run, oldest first.
 */
import type { HistoryFolder } from '../history/history-folder.ts';
import { beforeAllRuns } from '../history/history-format.ts';
import type { RunMessage } from './run-message.ts';

export interface Told {
  /** Number of messages that arrived. */
  readonly sent: number;
  /** Why the rest did not. */
  readonly problem?: string;
}

/**
 * @param send sends one message. Returns why it did not arrive, in words.
 * @param receiver the result of `receiverIdOf`.
 */
export async function tellReceiver(
  folder: HistoryFolder,
  {
    receiver,
    run,
    known,
    send,
  }: {
    readonly receiver: string;
    /** The run that was just added. */
    readonly run: string;
    /** What is new in a run, so that it need not be read. */
    readonly known?: RunMessage;
    readonly send: (message: RunMessage) => Promise<string | undefined>;
  },
): Promise<Told> {
  const ids = await folder.ids();
  let told = await folder.toldTo(receiver);
  if (told === undefined) {
    // A receiver that is new is not told the past, but from now on nothing is left out, even if it is never reached.
    told = { until: ids.findLast((id) => id < run) ?? beforeAllRuns, ids: new Set() };
    await folder.beginTelling(receiver, told.until);
  }
  const { until, ids: already } = told;
  // With two runs at once, a later one may have been told before this one was written.
  const pending = ids.filter((id) => (id > until || id === run) && id <= run && !already.has(id));
  let sent = 0;
  for (const id of pending) {
    const message = id === known?.head.id ? known : await folder.newsOf(id);
    if (message !== undefined && message.changes.length > 0) {
      const problem = await send(message);
      if (problem !== undefined) return { sent, problem };
      sent += 1;
    }
    await folder.markTold(receiver, id);
  }
  return { sent };
}
