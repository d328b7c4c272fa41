/** A request as passed to the routes, and its response. */
import type { IncomingHttpHeaders } from 'node:http';
import { stringify } from './json.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Size of the chunks in which the body is sent, without a content length. If undefined, it is sent all at once. */
  readonly pieceBytes?: number | undefined;
}

export interface Route {
  readonly method: string;
  /** A path pattern with {name} for variable segments. */
  readonly path: string;
  /** The required scope, or undefined if no token is needed. */
  readonly scope: 'read' | 'write' | undefined;
  /** Whether the route exists with the current switches. */
  readonly isThere?: () => boolean;
  readonly answer: (asked: Asked, names: Readonly<Record<string, string>>) => Reply | Promise<Reply>;
}

/** An error from the specification. Routes throw it, and the service sends it as the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: { readonly details?: object; readonly reasons?: readonly object[] };
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Refusal['more'] & { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    const { headers = {}, ...others } = more;
    this.status = status;
    this.code = code;
    this.more = others;
    this.headers = headers;
  }
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: Buffer.from(stringify(body)),
  };
}

export function page(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  const bytes = Buffer.from('<!doctype html><html><body><h1>Something else</h1></body></html>');
  return { status, headers: { 'content-type': 'text/html', ...headers }, bytes };
}

/** @throws Refusal if the body is not a JSON object. */
export function objectOf({ body }: Asked): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined; // reported below
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(400, 'BAD_REQUEST', 'The body must be a JSON object.');
  return value as Readonly<Record<string, unknown>>; // any object has string keys
}

/** @throws Refusal */
export function textOf(
  body: Readonly<Record<string, unknown>>,
  name: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): string | undefined {
  const value = body[name];
  if (value === undefined && min === 0) return undefined;
  if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
  throw new Refusal(400, 'BAD_REQUEST', `${name} must be a text of ${min} to ${max} characters.`);
}
