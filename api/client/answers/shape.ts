/** Contract errors for responses of the wrong shape; separate from decode.ts, which loads the schema compiler. */
import { ContractError } from '../errors.ts';
import { ExactNumber, type JsonValue } from '../json.ts';

export interface DecodeContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path. */
  readonly request: string;
}

export function isRecord(value: unknown): value is { readonly [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * Returns an answer whose items are in one of its members, with the members of both; the answer itself if none or
 * several have a list.
 * @param read returns the member with its list as `items`.
 * @param except names of members that are about something else.
 */
export function unwrapped(
  value: { readonly [key: string]: JsonValue },
  read: (inner: JsonValue) => JsonValue,
  except: RegExp,
): { readonly [key: string]: JsonValue } {
  const found = Object.entries(value).flatMap(([name, member]) => {
    const inner = isRecord(member) && !except.test(name) ? read(member) : undefined;
    return isRecord(inner) && Array.isArray(inner['items']) ? [{ name, inner }] : [];
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return value;
  const { [only.name]: _wrapper, ...rest } = value;
  return { ...only.inner, ...rest };
}

export function shapeError(context: DecodeContext, problem: string): ContractError {
  return new ContractError(
    `The response of the service does not have the expected shape: ${problem}. The service may have a different version.`,
    context,
  );
}
