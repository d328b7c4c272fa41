/** Finds out whether a receiver of messages answers a success, but says in its body that it is none. */
import { isObject } from '#base/values/is-object.ts';
import { parsedJson } from '#base/values/parsed-json.ts';

export interface SaidError {
  readonly kind: 'says-error' | 'web-page';
  /** A code such as `invalid_blocks`, which holds no address and no secret. */
  readonly code?: string;
  /** Whether the same message may arrive later. */
  readonly mayRepeat: boolean;
}

/**
 * @param text the answer's beginning.
 * @param url where it comes from: its last segment is a secret, and looks like a code.
 */
export function saidError(text: string, url: string): SaidError | undefined {
  const start = text.trimStart();
  // A page to sign in, or that of a proxy.
  if (/^<(?:!doctype\s+html|html)\b/i.test(start)) return { kind: 'web-page', mayRepeat: false };
  // Microsoft Teams: "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 ..."
  if (/^"?Webhook message delivery failed/i.test(start)) {
    const [, code] = /HTTP error (\d{3})/.exec(start) ?? [];
    return saysError(code, code === '429' || code?.startsWith('5') === true);
  }
  const value = parsedJson(start);
  if (!isObject(value)) return undefined;
  const { ok, success, status, error, errors } = value;
  const isError =
    ok === false ||
    success === false ||
    status === 'error' ||
    (Array.isArray(errors) && errors.length > 0) ||
    !isNothing(error);
  return isError
    ? saysError(typeof error === 'string' && url.includes(error) ? undefined : error, false)
    : undefined;
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function saysError(code: unknown, mayRepeat: boolean): SaidError {
  const isCode = typeof code === 'string' && /^[\w.-]{1,40}$/.test(code);
  return { kind: 'says-error', ...(isCode ? { code } : {}), mayRepeat };
}
