/** Outcomes of a write for every kind of request failure. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UserAbort,
  type TransportReason,
} from '#api/client/errors.ts';
import { errorOfTransport } from '#api/client/network/error-of-transport.ts';
import { readAnswerOf, writeAnswerOf } from '#core/saved-queries/write-answers.ts';

const fields = (status: number, code = 'ANY') => ({ code, status, retryable: false });
const rejected = (status: number) => new RejectedError('no', { ...fields(status), serviceMessage: 'no' });
const transport = (reason: TransportReason) => new TransportError('none', reason, undefined);

const table: readonly (readonly [string, unknown, string])[] = [
  ['a taken name', new ConflictError('no', fields(409, 'NAME_CONFLICT')), 'nameTaken'],
  ['a stale version', new ConflictError('no', fields(409, 'VERSION_CONFLICT')), 'conflict'],
  ['a 409 of another kind', new ConflictError('no', fields(409, 'SOMETHING')), 'conflict'],
  ['404', new NotFoundError('no', fields(404)), 'missing'],
  ['405', rejected(405), 'unsupported'],
  ['405 with a page', new ContractError('no', { status: 405 }), 'unsupported'],
  ['413 with a page', new ContractError('no', { status: 413 }), 'rejected'],
  ['408 with a page', new ContractError('no', { status: 408 }), 'unanswered'],
  ['303 with a page', new ContractError('no', { status: 303 }), 'unanswered'],
  ['501', new ServerFaultError('no', fields(501)), 'unsupported'],
  ['400', rejected(400), 'rejected'],
  ['412', rejected(412), 'rejected'],
  ['413', rejected(413), 'rejected'],
  ['428', rejected(428), 'rejected'],
  ['a taken name with another status', new RejectedError('no', { ...fields(422, 'NAME_CONFLICT'), serviceMessage: 'no' }), 'nameTaken'],
  ['a stale version with another status', new RejectedError('no', { ...fields(412, 'VERSION_CONFLICT'), serviceMessage: 'no' }), 'conflict'],
  ['401', new AuthError('no', 'unauthorized', fields(401)), 'refused'],
  ['403', new AuthError('no', 'forbidden', fields(403)), 'refused'],
  ['429', new RateLimitError('no', fields(429)), 'refused'],
  ['500', new ServerFaultError('no', fields(500)), 'unanswered'],
  ['503', new ServerFaultError('no', fields(503)), 'unanswered'],
  ['a timeout', new TimeoutError('late', 1_000), 'unanswered'],
  ['an answer that is none', new ContractError('no', { status: 200 }), 'unanswered'],
  ['a connection given up', new UserAbort(), 'unanswered'],
  ['a bug of ours', new TypeError('oops'), 'refused'],
  ...(['reset', 'truncated', 'too-large', 'unknown'] as const).map((reason) => [reason, transport(reason), 'unanswered'] as const),
  ...(['refused', 'dns', 'tls', 'proxy', 'unreachable'] as const).map((reason) => [reason, transport(reason), 'notSent'] as const),
]; // oxfmt-ignore

suite('a connection that was closed', () => {
  const at = { request: 'POST /v1/query/saved', origin: 'https://service.example', timeoutMs: 1_000 };
  const kindOf = (code: string, syscall: string) =>
    writeAnswerOf(errorOfTransport(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }), at))
      .kind;
  for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
    test(`with ${code}: the write may have arrived, unless there was no connection`, () => {
      assert.equal(kindOf(code, 'connect'), 'notSent');
      assert.equal(kindOf(code, 'read'), 'unanswered');
      assert.equal(kindOf(code, 'write'), 'unanswered');
    });
  }
});

suite('responses to a write', () => {
  for (const [what, error, kind] of table) {
    test(what, () => assert.equal(writeAnswerOf(error).kind, kind));
  }
});

test('only a 404 means that a query is gone', () => {
  assert.equal(readAnswerOf(new NotFoundError('no', fields(404))).kind, 'absent');
  for (const error of [
    transport('refused'),
    new ServerFaultError('no', fields(500)),
    new TypeError('oops'),
  ]) {
    assert.equal(readAnswerOf(error).kind, 'unreadable');
  }
});
