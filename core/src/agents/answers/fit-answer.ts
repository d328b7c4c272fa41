/**
 * Keeps the whole response of any tool within the connection's limit of bytes. A tool need not count: what does not fit
 * is left out here, the end of the lists first, and the response says so.
 */
import { cutEnd } from '#base/shown-text/cut.ts';
import type { Answer } from '../tools/tool.ts';
import { answerContent, answerText } from './answer-text.ts';

/** Texts up to this length are kept whole. */
const shortText = 200;

type Data = Readonly<Record<string, unknown>>;

/** Returns the response, or the start of it that fits. Both of its forms count, since a client may use either. */
export function fitAnswer(answer: Answer, maxBytes: number): Answer {
  if (sizeOf(answer) <= maxBytes) return answer;
  const { status, code, reason, advice, ...others } = answer;
  const data: Data = others;
  const fitted = `A response contains at most ${maxBytes} bytes, so a part is left out: ask for less.`;
  const said: Answer = {
    status: status === 'complete' ? 'truncated' : status,
    ...(code === undefined ? {} : { code }),
    // With a code, the reason tells why something was refused; otherwise, only what an earlier limit left out.
    reason: code === undefined || reason === undefined ? fitted : `${reason} ${fitted}`,
    ...(advice === undefined ? {} : { advice }),
  };
  const whole = (rest: Data): Answer => ({ ...said, ...rest });
  const lists = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const bare = (texts: Data): Data =>
    Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
    );
  const shortened = shortenTexts(data, (texts) => maxBytes - sizeOf(whole(bare(texts))));
  let left = maxBytes - sizeOf(whole(bare(shortened)));
  const kept: Record<string, unknown> = { ...shortened };
  // Rows mean nothing without all columns, so they come last; other lists start with the shortest.
  const turns = [...lists].sort(
    (one, other) =>
      Number(one === 'rows') - Number(other === 'rows') || bytesOf(data[one]) - bytesOf(data[other]),
  );
  let isCut = false;
  for (const name of turns) {
    const list: readonly unknown[] = name === 'rows' && isCut ? [] : startOf(data[name], left);
    isCut ||= bytesOf(list) < bytesOf(data[name]);
    left -= bytesOf(list) - bytesOf([]);
    kept[name] = list;
  }
  if (Array.isArray(kept['rows']) && 'rowCount' in kept) kept['rowCount'] = kept['rows'].length;
  return whole(kept);
}

const sizeOf = (answer: Answer): number =>
  Math.max(Buffer.byteLength(answerText(answer)), bytesOf(answerContent(answer)));

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Shortens long texts, the longest first, until there is room. */
function shortenTexts(data: Data, roomWith: (data: Data) => number): Data {
  let texts = data;
  for (;;) {
    const room = roomWith(texts);
    if (room >= 0) return texts;
    const [longest] = Object.entries(texts)
      .flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
      .sort(([, one], [, other]) => other.length - one.length);
    if (longest === undefined || longest[1].length <= shortText) return texts;
    const [name, text] = longest;
    // A character takes at least one byte; escapes take more, which the next turn sees.
    texts = { ...texts, [name]: cutEnd(text, Math.max(shortText, text.length + room)) };
  }
}

/**
 * Returns the first items of a list that fit into so many bytes. The last one may be a part: its own lists are shortened
 * too, except for a row, whose values belong to columns.
 */
function startOf(list: unknown, maxBytes: number): readonly unknown[] {
  const kept: unknown[] = [];
  let left = maxBytes;
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    const bytes = bytesOf(item) + 1;
    if (bytes <= left) {
      kept.push(item);
      left -= bytes;
      continue;
    }
    const part = partOf(item, left - 1);
    if (part !== undefined) kept.push(part);
    break;
  }
  return kept;
}

function partOf(item: unknown, maxBytes: number): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const [name, list] = Object.entries(item).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined) return undefined;
  const room = maxBytes - bytesOf({ ...item, [name]: [] });
  return room < 0 ? undefined : { ...item, [name]: startOf(list, room) };
}
