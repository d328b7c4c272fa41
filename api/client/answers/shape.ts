/** Contract errors for responses of the wrong shape; separate from decode.ts, which loads the schema compiler. */
import { ContractError } from '../errors.ts';
import { ExactNumber, type JsonValue } from '../json.ts';

export interface DecodeContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path. */
  readonly request: string;
  /** Returns a text of the answer without the credentials that were sent. */
  readonly hide?: (text: string) => string;
}

/** Returns a text of the answer as a message may quote it. */
export function quotable(text: string, { hide = (given) => given }: DecodeContext): string {
  return hide(text);
}

export function isRecord(value: unknown): value is { readonly [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * Returns an answer whose items are in one of its members, with the members of both; the answer itself if none or
 * several have a list. Where both say something, the outer word is kept as a part of `outcome`, so that neither hides an
 * error, a token or a flag of the other.
 * @param read returns the member with its list as `items`.
 * @param except names of members that are about something else.
 */
export function unwrapped(
  value: { readonly [key: string]: JsonValue },
  read: (inner: JsonValue, name: string) => JsonValue,
  except: RegExp,
): { readonly [key: string]: JsonValue } {
  const found = Object.entries(value).flatMap(([name, member]) => {
    const inner = isRecord(member) && !except.test(name) ? read(member, name) : undefined;
    return isRecord(inner) && Array.isArray(inner['items']) ? [{ name, inner }] : [];
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return value;
  const { inner } = only;
  const beside = Object.entries(value).filter(([name]) => name !== only.name);
  const added = beside.filter(([name]) => !Object.hasOwn(inner, name) || isNothing(inner[name]));
  const twice = beside.filter(([name, member]) => !isNothing(inner[name]) && !isNothing(member));
  const both = { ...inner, ...Object.fromEntries(added) };
  let outcome = 'outcome';
  while (Object.hasOwn(both, outcome)) outcome = `response${outcome}`;
  return { ...both, ...(twice.length === 0 ? {} : { [outcome]: Object.fromEntries(twice) }) };
}

/** Whether a member may be that of the outer words. */
export function isOuterName(name: string): boolean {
  return /^(?:response)*outcome$/.test(name);
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

export function shapeError(context: DecodeContext, problem: string): ContractError {
  return new ContractError(
    `The response of the service does not have the expected shape: ${quotable(problem, context)}. The service may have a different version.`,
    context,
  );
}
