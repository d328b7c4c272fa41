/** Answers of a drawn service: its errors, and how it says that it has no such operation. */
import type { Reply } from '../exchange.ts';
import { stringify } from '../json.ts';
import type { Service } from './space.ts';

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by an operation; the service answers with it as the specification says. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Thrown for an operation that this service does not have. */
export class Absent extends Error {}

export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: Buffer.from(stringify(body)),
  };
}

export function envelope({ status, code, message, details, headers }: Problem): Reply {
  return jsonReply(status, { code, message, ...(details === undefined ? {} : { details }) }, headers);
}

export function pageReply(status: number): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    bytes: Buffer.from('<!doctype html><html><body><h1>Not here</h1></body></html>'),
  };
}

/** The answer for an operation that is not offered; a gateway may give it, whose body is not of the service. */
export function absentReply({ absence, errorBody }: Service): Reply {
  const status = Number(absence);
  const headers = status === 405 ? { allow: 'OPTIONS' } : undefined;
  switch (errorBody) {
    case 'envelope':
      // A gateway's 403 does not use the service's own word for a missing scope.
      return envelope({
        status,
        code: status === 403 ? 'ROUTE_NOT_ALLOWED' : status === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND',
        message: 'There is no such operation.',
        ...(headers && { headers }),
      });
    case 'problem':
      return {
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        bytes: Buffer.from(
          JSON.stringify({
            type: 'about:blank',
            title: 'No such operation',
            status,
            detail: 'Look elsewhere.',
          }),
        ),
      };
    case 'message':
      return jsonReply(status, { message: 'no Route matched with those values' }, headers);
    case 'html':
      return pageReply(status);
    case 'empty':
      return { status, headers: { ...headers }, bytes: Buffer.alloc(0) };
    default:
      return errorBody satisfies never;
  }
}
