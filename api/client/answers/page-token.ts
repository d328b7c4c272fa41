/** The token of the next page: opaque, and given back as it came, whatever JSON it is. */
import type { PageToken } from '../../contract/lists.ts';
import { ContractError } from '../errors.ts';
import { ExactNumber, jsonText, type JsonValue } from '../json.ts';

/** Undefined where the list has ended. */
export function pageTokenOf(value: JsonValue | undefined): PageToken | undefined {
  return value === undefined || value === null || value === '' || value === false ? undefined : value;
}

/** What tells tokens apart. */
export function pageTokenKey(token: PageToken): string {
  return typeof token === 'string' ? token : jsonText(token);
}

/** @throws ContractError for a token that no address can carry. */
export function pageTokenText(token: PageToken): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'number' || token instanceof ExactNumber) return String(token);
  throw new ContractError(
    'The service names the next page by an object, which cannot be sent in an address. These are not all items.',
    { status: 200 },
  );
}
