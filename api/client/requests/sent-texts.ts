/**
 * Redacts sent data from error messages: a service may quote the SQL, a value or the token. The rest of its
 * message is kept and truncated.
 */
import { errorCodes, type ErrorEnvelope } from '#api/contract/errors.ts';
import { isObject } from '#base/values/is-object.ts';
import { placesOfSecrets, spellingMax, withoutSecrets, wordMin } from './secret-spellings.ts';

/** The strings and numbers in a request that an error must not show. */
export interface SentTexts {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Credentials, in whatever spelling. Not even the person who sent them is shown them. */
  readonly secrets: readonly string[];
}

export const nothingSent: SentTexts = { texts: [], numbers: [], secrets: [] };

/** @param secrets strings to hide besides the body, such as tokens. */
export function sentIn(body: unknown, secrets: readonly string[]): SentTexts {
  const members = isObject(body) ? [body['query_string'], body['parameters']] : [];
  const leaves = members.flatMap(leavesOf);
  return {
    texts: leaves.filter((leaf) => typeof leaf === 'string').filter((text) => text !== ''),
    numbers: leaves.filter((leaf) => typeof leaf === 'number'),
    secrets: secrets.filter((secret) => secret !== ''),
  };
}

export const secretsOf = ({ secrets }: SentTexts): SentTexts => ({ ...nothingSent, secrets });

export const hasSecret = (text: string, { secrets }: SentTexts = nothingSent): boolean =>
  placesOfSecrets(text, secrets).length > 0;

/** As in the body of a form, and in HTTP Basic (RFC 6749 section 2.3.1). */
export const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** Replaces a string from the request. */
const hidden = '[…]';

/** Members that hold sent data in any form. */
const hiddenMembers =
  /^(?:query(?:_?string)?|sql|statement|parameters?|bindings?|authorization|(?:access_?)?token|(?:client_?)?secret|password)$/i;

/** Limits on the data that is kept: longer error text explains nothing more. Of one text, no more is read. */
const bounds = { depth: 6, items: 200, chars: 20_000, read: 200_000 } as const;

/** Returns a function that replaces the credentials in a text. */
export const hidingSecrets =
  ({ secrets }: SentTexts) =>
  (text: string) =>
    withoutSecrets(text, secrets, hidden);

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

function hiding({ texts, numbers, secrets }: SentTexts) {
  let charsLeft: number = bounds.chars;
  const lengths = [
    ...texts.map(({ length }) => length),
    ...secrets.map(({ length }) => length * spellingMax),
  ];
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const text = (value: string): string => {
    if (charsLeft <= 0) return value === '' ? '' : '…';
    const read = texts.reduce(
      (rest, each) => {
        if (rest.trim() === each.trim()) return hidden;
        return each.length < wordMin ? rest : rest.replaceAll(each, hidden);
      },
      withoutSecrets(value.slice(0, bounds.read), secrets, hidden),
    );
    // The end of what is read of a longer text may be a part of what was sent, which is not found.
    const clean = value.length <= bounds.read ? read : read.slice(0, Math.max(0, read.length - longest));
    const kept = clean.slice(0, Math.max(0, charsLeft));
    charsLeft -= kept.length;
    return kept.length < clean.length ? `${kept.toWellFormed()}…` : clean;
  };
  const value = (each: unknown, depth: number): unknown => {
    if (typeof each === 'string') return text(each);
    if (typeof each === 'number')
      return numbers.includes(each) || secrets.includes(String(each)) ? hidden : each;
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
