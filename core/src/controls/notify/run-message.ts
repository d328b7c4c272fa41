/**
 * What is told about a run: its counts and what is new. Contains no row value. Written as generic JSON, and as the
 * messages of Slack and Teams, in which text from outside is inert and the size is limited.
 */
import { cutEnd } from '#base/shown-text/cut.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { t } from '#base/texts.ts';
import { minuteText } from '#base/words/minute-text.ts';
import { outcomes } from '../control-result.ts';
import { changeLine, changeWords } from '../history/change-labels.ts';
import type { RunHead } from '../history/history-format.ts';
import { newsCounts } from '../history/outcome-state.ts';
import type { OutcomeChange } from '../history/outcome-state.ts';

export interface RunMessage {
  readonly head: Pick<RunHead, 'id' | 'startedAt' | 'connections' | 'counts' | 'commit'>;
  readonly changes: readonly OutcomeChange[];
}

/** Most changes of a message in JSON, and its size: a receiver refuses a larger one each time. */
const changesMax = 1_000;
const jsonBytes = 250_000;

export function jsonMessage({ head, changes }: RunMessage): unknown {
  const { id, startedAt, connections, commit, counts } = head;
  return fitting(jsonBytes, Math.min(changes.length, changesMax), (count) => ({
    type: 'controls.changed',
    timestamp: startedAt,
    data: {
      run: id,
      connections,
      commit,
      counts,
      changes: changes.slice(0, count).map(changeJson),
      omitted: changes.length - count,
    },
  }));
}

/** Returns the message with as many changes as its size allows. */
function fitting(bytesMax: number, most: number, messageWith: (count: number) => unknown): unknown {
  for (let count = most; ; count = Math.floor(count / 2)) {
    const message = messageWith(count);
    if (count === 0 || Buffer.byteLength(JSON.stringify(message)) <= bytesMax) return message;
  }
}

function changeJson(change: OutcomeChange): unknown {
  const { kind, before, after, added, removed } = change;
  const one = after ?? before;
  return {
    kind,
    control: one?.control,
    title: one?.title,
    connection: one?.connection,
    severity: one?.severity,
    owner: one?.owner,
    before: before?.outcome,
    outcome: after?.outcome,
    code: after?.code,
    message: after?.message,
    rows: after?.rows,
    population: after?.population,
    newRows: added,
    goneRows: removed,
    words: changeWords(change),
  };
}

/** Longest line about one change. */
const lineMax = 600;

/** Slack's limits: of a block's text, and of all blocks together, which it refuses from about 11,000 characters on. */
const slackText = 3_000;
const slackTotal = 8_000;

/** Blocks of plain text, in which Slack still reads `& < >`. */
export function slackMessage(message: RunMessage): unknown {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const title = escaped(titleOf(message));
  const block = (type: 'header' | 'section', text: string) => ({
    type,
    text: { type: 'plain_text', text, emoji: false },
  });
  const sections: string[] = [];
  let left = message.changes.length;
  let total = 0;
  for (const change of message.changes) {
    const line = cutEnd(escaped(lineOf(change)), lineMax);
    total += line.length + 1;
    if (total > slackTotal) break;
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= slackText)
      sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
    left -= 1;
  }
  const rest = left === 0 ? [] : [t('and {0} more', left)];
  return {
    text: title,
    blocks: [
      block('header', cutEnd(title, 150)),
      ...[...sections, ...rest, escaped(footOf(message))].map((text) =>
        block('section', cutEnd(text, slackText)),
      ),
    ],
  };
}

/** Teams takes 28 KB; a message that is larger is lost. */
const teamsBytes = 28_000;

/** An adaptive card of text runs, which are never read as Markdown. */
export function teamsMessage(message: RunMessage): unknown {
  const lines = message.changes.map((change) => cutEnd(lineOf(change), lineMax));
  return fitting(teamsBytes, Math.min(lines.length, 100), (count) => {
    const left = lines.length - count;
    return teamsCard([
      { text: titleOf(message), weight: 'Bolder', size: 'Medium' },
      ...[...lines.slice(0, count), ...(left === 0 ? [] : [t('and {0} more', left)])].map((text) => ({
        text,
      })),
      { text: footOf(message), isSubtle: true },
    ]);
  });
}

function teamsCard(
  runs: readonly {
    readonly text: string;
    readonly weight?: string;
    readonly size?: string;
    readonly isSubtle?: boolean;
  }[],
): unknown {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: runs.map((run) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** The whole message as text. */
function titleOf({ head, changes }: RunMessage): string {
  const { bad, good, gone } = newsCounts(changes);
  const connections = cutEnd(forTerminal(head.connections.join(', ')), 100);
  if (bad + good === 0) return t('Controls on {0}: {1} no longer there', connections, gone);
  return bad === 0
    ? t('Controls on {0}: {1} better', connections, good)
    : good === 0
      ? t('Controls on {0}: {1} new', connections, bad)
      : t('Controls on {0}: {1} new, {2} better', connections, bad, good);
}

/** Makes line breaks, escapes and hidden characters visible. */
const lineOf = (change: OutcomeChange): string => forTerminal(changeLine(change));

function footOf({ head: { id, startedAt, counts } }: RunMessage): string {
  const told = outcomes.flatMap((outcome) =>
    counts[outcome] === undefined ? [] : [`${counts[outcome]} ${outcome}`],
  );
  return t('Run {0}, {1} UTC: {2}', id, minuteText(startedAt), told.join(', '));
}
