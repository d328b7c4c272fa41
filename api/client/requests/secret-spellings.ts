/**
 * Finds secrets in a text as services, gateways and their pages of errors repeat them: percent-encoded, as in JSON or
 * HTML, one of these within another, in other case, or in Base64 with what was sent beside them.
 */

/** From and to, in the text. */
type Place = readonly [number, number];

/** Shorter texts are found only where they are the whole text, since `a` occurs almost everywhere. */
export const wordMin = 4;

/** The most characters that one of a secret is spelled with. */
export const spellingMax = 24;

/** An address in JSON in HTML. */
const layersMax = 3;

/** Returns the text with `hidden` in place of each secret. */
export function withoutSecrets(text: string, secrets: readonly string[], hidden: string): string {
  let kept = '';
  let end = 0;
  for (const [from, to] of placesOfSecrets(text, secrets).toSorted(([a], [b]) => a - b)) {
    if (from >= end) kept += `${text.slice(end, from)}${hidden}`;
    end = Math.max(end, to);
  }
  return kept + text.slice(end);
}

export function placesOfSecrets(text: string, secrets: readonly string[]): readonly Place[] {
  if (secrets.length === 0) return [];
  const plain = secrets.flatMap((secret) => [secret, secret.replaceAll(' ', '+')]);
  const coded = secrets.flatMap(inBase64);
  const found: Place[] = [];
  let reading: Reading | undefined = { text, places: Array.from({ length: text.length + 1 }, (_, at) => at) };
  for (let layer = 0; reading !== undefined && layer <= layersMax; layer += 1) {
    const { places } = reading;
    const note = (read: string, word: string) => {
      for (const at of startsOf(read, word))
        found.push([places[at] ?? 0, places[at + word.length] ?? text.length]);
    };
    const read = lowered(reading.text);
    for (const word of new Set(plain))
      if (word.length >= wordMin && word.length < otherCaseMin) note(reading.text, word);
      else note(read, lowered(word));
    for (const word of coded) note(reading.text, word);
    reading = readOnce(reading);
  }
  return found;
}

function startsOf(text: string, word: string): readonly number[] {
  if (word.length < wordMin) return text.trim() === word.trim() ? [text.indexOf(word.trim())] : [];
  const starts: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) starts.push(at);
  return starts;
}

/** Shorter ones are words, which codes such as `invalid_client` contain. */
const otherCaseMin = 8;

/** Codes are told in capitals, and names of headers in small letters. Only such as leave the length as it is. */
const lowered = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Shorter ones would be found in words. */
const codedMin = 7;

/** By itself, and the part that depends on the secret alone, for each place that it can have within three bytes. */
function inBase64(secret: string): readonly string[] {
  const words = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const written = [bytes.toString('base64').replace(/={1,2}$/, ''), bytes.toString('base64url')];
    return written.flatMap((word) => [...(before === 0 ? [word] : []), word.slice(from, to)]);
  });
  return [...new Set(words)].filter((word) => word.length >= codedMin);
}

/** A text, with where each of its characters, and its end, is in the first one. */
interface Reading {
  readonly text: string;
  readonly places: readonly number[];
}

const escapes =
  /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|[\\%]u[\da-f]{4}|\\x[\da-f]{2}|\\[^\w\s]|&#\d{1,9};|&#x[\da-f]{1,8};|&[a-z]{2,6};/gi;

/** Returns what the text means if it is an address, JSON or HTML; undefined if it means itself. */
function readOnce({ text, places }: Reading): Reading | undefined {
  let meant = '';
  const at: number[] = [];
  let end = 0;
  const keep = (to: number) => {
    meant += text.slice(end, to);
    for (let next = end; next < to; next += 1) at.push(places[next] ?? 0);
  };
  for (const { 0: written, index } of text.matchAll(escapes)) {
    keep(index);
    const char = unescaped(written);
    meant += char;
    for (let unit = 0; unit < char.length; unit += 1) at.push(places[index] ?? 0);
    end = index + written.length;
  }
  if (end === 0) return undefined;
  keep(text.length);
  at.push(places[text.length] ?? 0);
  return { text: meant, places: at };
}

const namedChars: ReadonlyMap<string, string> = new Map([
  ...([['amp', '&'] as const, ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"]] as const),
  ...([['plus', '+'] as const, ['sol', '/'], ['equals', '='], ['percnt', '%'], ['bsol', '\\']] as const),
]);

function unescaped(written: string): string {
  const hex = /^(?:[\\%]u|\\x|&#x)([\da-f]+)/i.exec(written)?.[1];
  if (hex !== undefined) return charOf(Number.parseInt(hex, 16));
  if (written.startsWith('&#')) return charOf(Number(written.slice(2, -1)));
  if (written.startsWith('&')) return namedChars.get(written.slice(1, -1).toLowerCase()) ?? written;
  if (written.startsWith('\\')) return written.slice(1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written; // no UTF-8
  }
}

const charOf = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');
