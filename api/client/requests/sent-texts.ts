/**
 * Redacts sent data from error messages: a service may quote the SQL, a value or the token. The rest of its
 * message is kept and truncated.
 */
import { errorCodes, type ErrorEnvelope } from '#api/contract/errors.ts';
import { isObject } from '#base/values/is-object.ts';

/** The strings and numbers in a request that an error must not show. */
export interface SentTexts {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Credentials, which are among the texts. Not even the person who sent them is shown them. */
  readonly secrets: readonly string[];
}

export const nothingSent: SentTexts = { texts: [], numbers: [], secrets: [] };

/** @param credentials strings to hide besides the body, such as tokens. */
export function sentIn(body: unknown, credentials: readonly string[]): SentTexts {
  const secrets = credentials.filter((each) => each !== '').flatMap((each) => [...spellingsOf(each)]);
  const members = isObject(body) ? [body['query_string'], body['parameters']] : [];
  const leaves = members.flatMap(leavesOf);
  return {
    texts: [...secrets, ...leaves.filter((leaf) => typeof leaf === 'string')].filter((text) => text !== ''),
    numbers: leaves.filter((leaf) => typeof leaf === 'number'),
    secrets,
  };
}

export const secretsOf = ({ secrets }: SentTexts): SentTexts => ({ texts: secrets, numbers: [], secrets });

export const hasSecret = (text: string, { secrets }: SentTexts = nothingSent): boolean =>
  secrets.some((secret) => text.includes(secret));

/** As in the body of a form, and in HTTP Basic (RFC 6749 section 2.3.1). */
export const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** As services, gateways and their pages of errors repeat a text: in addresses, JSON, HTML and headers. */
function spellingsOf(text: string): ReadonlySet<string> {
  const inAddresses = [formEncoded(text), encodeURIComponent(text.toWellFormed())];
  const bytes = Buffer.from(text);
  return new Set([
    text,
    ...inAddresses,
    ...inAddresses.map((each) => each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('base64').replace(/={1,2}$/, ''),
    bytes.toString('base64url'),
  ]);
}

/** Replaces a string from the request. */
const hidden = '[…]';

/** Shorter sent strings are hidden only where they are the whole text, since `a` occurs almost everywhere. */
const wordMin = 4;

/** Members that hold sent data in any form. */
const hiddenMembers =
  /^(?:query(?:_?string)?|sql|statement|parameters?|bindings?|authorization|(?:access_?)?token|(?:client_?)?secret|password)$/i;

/** Limits on the data that is kept: longer error text explains nothing more. */
const bounds = { depth: 6, items: 200, chars: 20_000 } as const;

export function withoutSent(envelope: ErrorEnvelope, sent: SentTexts): ErrorEnvelope {
  const hide = hiding(sent);
  const { code, message, details, reasons } = envelope;
  return {
    // A value that is spelled like a known code tells nothing.
    code: Object.hasOwn(errorCodes, code) ? code : hide.text(code),
    message: hide.text(message),
    ...(details === undefined ? {} : { details: hide.members(details, 0) }),
    ...(reasons === undefined
      ? {}
      : {
          reasons: reasons.slice(0, bounds.items).map((reason) => ({
            code: hide.text(reason.code),
            message: hide.text(reason.message),
          })),
        }),
  };
}

function hiding({ texts, numbers }: SentTexts) {
  let charsLeft: number = bounds.chars;
  const text = (value: string): string => {
    const clean = texts.reduce((rest, each) => {
      if (rest.trim() === each.trim()) return hidden;
      return each.length < wordMin ? rest : rest.replaceAll(each, hidden);
    }, value);
    const kept = clean.slice(0, Math.max(0, charsLeft));
    charsLeft -= kept.length;
    return kept.length < clean.length ? `${kept.toWellFormed()}…` : clean;
  };
  const value = (each: unknown, depth: number): unknown => {
    if (typeof each === 'string') return text(each);
    if (typeof each === 'number') return numbers.includes(each) ? hidden : each;
    if (typeof each !== 'object' || each === null) return each;
    if (depth >= bounds.depth) return '…';
    return Array.isArray(each)
      ? each.slice(0, bounds.items).map((item: unknown) => value(item, depth + 1))
      : members(each, depth + 1);
  };
  const members = (object: object, depth: number): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(object)
        .slice(0, bounds.items)
        .map(([name, each]) => [text(name), hiddenMembers.test(name) ? hidden : member(name, each, depth)]),
    );
  // A position in the text is never a sent value, even if the numbers are equal.
  const member = (name: string, each: unknown, depth: number) =>
    typeof each === 'number' && /^(?:line|column|position|current_version)$/.test(name)
      ? each
      : value(each, depth);
  return { text, members };
}

function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}
