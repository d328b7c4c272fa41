/** The next page's token: opaque, any JSON value, sent back unchanged. */
import type { PageToken } from '#api/contract/lists.ts';
import { ContractError } from '../errors.ts';
import { ExactNumber, jsonText, type JsonValue } from '../json.ts';

/** Returns the token, or undefined at the end of the list. */
export function pageTokenOf(value: JsonValue | undefined): PageToken | undefined {
  return value === undefined || value === null || value === '' || value === false ? undefined : value;
}

export function pageTokenKey(token: PageToken): string {
  return typeof token === 'string' ? token : jsonText(token);
}

/** @throws ContractError for a token that does not fit in a URL. */
export function pageTokenText(token: PageToken): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'number' || token instanceof ExactNumber) return String(token);
  throw new ContractError(
    'The page token of the service is an object, which cannot be sent in a URL. The list is incomplete.',
    { status: 200 },
  );
}
