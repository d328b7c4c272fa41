/** Every failure has an explanation, and the terminal prints a line for each remedy. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  AuthError,
  ContractError,
  RejectedError,
  ServerFaultError,
  TransportError,
  UserAbort,
} from '#api/client/errors.ts';
import { TimeLimitError } from '#base/async/deadline.ts';
import { failureLines, failureOfRun, plainFailureLines } from '#cli/run/failure-text.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { EmptyListError } from '#core/parameters/literals.ts';
import { explainFailure, isMissingName } from '#core/runs/explain-failure.ts';

const nowhere = () => undefined;
const fields = { code: 'X', status: 403 } as const;
const onDisk = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

suite('explanations of failures', () => {
  for (const [name, error, expected, helps] of [
    ['forbidden', new AuthError('m', 'forbidden', fields), ['m', 'X', 'test-connection'], /doctor/],
    ['a wrong secret', new AuthError('m', 'unauthorized', fields), ['m', 'X', 'renew-secret'], /secret/],
    [
      'a refused scope',
      new AuthError('m', 'token-endpoint', { code: 'INVALID_SCOPE', status: 400 }),
      ['m', 'INVALID_SCOPE', 'test-connection'],
      /doctor/,
    ],
    ['no answer', new TransportError('m', 'refused', null), ['m', 'TRANSPORT', 'check-connection'], /^m$/],
    [
      'a fault of the service',
      new ServerFaultError('m', { code: 'X', retryable: true }),
      ['m', 'X', 'read-log'],
      /^m$/m,
    ],
    [
      'a strange answer',
      new ContractError('m', { status: 200 }),
      ['m', 'UNEXPECTED_ANSWER', 'read-log'],
      /^m$/m,
    ],
    ['an expected one', new ExpectedError('m'), ['m', undefined, undefined], /^m$/m],
    [
      'a full disk',
      onDisk('ENOSPC', 'write'),
      ['The file could not be written: the disk is full.', undefined, undefined],
      /full/,
    ],
    [
      'a full disk that another thread met',
      new Error('ENOSPC: no space left on device, write'),
      ['The file could not be written: the disk is full.', undefined, undefined],
      /full/,
    ],
    [
      'a file in a folder of another',
      Object.assign(onDisk('EACCES', 'open'), { path: '/home/a/x.csv' }),
      ['"/home/a/x.csv" could not be written: you have no permission to write there.', undefined, undefined],
      /x\.csv/,
    ],
    [
      'a folder that another thread could not make',
      new Error("EROFS: read-only file system, mkdir '/home/it's'"),
      ['"/home/it\'s" could not be written: you have no permission to write there.', undefined, undefined],
      /home/,
    ],
    [
      'a time limit',
      new TimeLimitError(2_000),
      [
        'The service did not respond within 2 s, the time limit for a run. It was asked to stop.',
        'RUN_TIME_LIMIT',
        'change-time-limit',
      ],
      /--timeout/,
    ],
    [
      'a connection that is gone',
      new UserAbort('another connection was chosen'),
      [
        'The run ended because its connection was closed or another one was chosen. Run it again.',
        undefined,
        undefined,
      ],
      /another one was chosen/,
    ],
    [
      'a bug',
      new TypeError('x is not a function'),
      ['An unexpected error occurred. The log has details.', 'UNEXPECTED', 'read-log'],
      /TypeError: x is not a function/,
    ],
    [
      'a network that is no disk',
      onDisk('ECONNREFUSED', 'connect'),
      ['An unexpected error occurred. The log has details.', 'UNEXPECTED', 'read-log'],
      /ECONNREFUSED/,
    ],
  ] as const) {
    test(name, () => {
      const { message, code, help } = explainFailure(error, nowhere);
      assert.deepEqual([message, code, help], expected);
      assert.match(plainFailureLines(error).join('\n'), helps);
    });
  }

  for (const [error, expected] of [
    [new ServerFaultError('m', { code: 'X', retryable: true, status: 503 }), 'unavailable'],
    [new ServerFaultError('m', { code: 'X', retryable: true, status: 500 }), 'failed'],
    [new TransportError('m', 'refused', null), 'unreachable'],
    [new TransportError('m', 'truncated', null), undefined],
    [new AuthError('m', 'forbidden', fields), undefined],
    [new AuthError('m', 'unauthorized', { code: 'X', status: 401 }), 'sign-in'],
    [new AuthError('m', 'token-endpoint', { code: 'INVALID_CLIENT' }), 'sign-in'],
  ] as const) {
    test(`${error.name} ${error.status ?? error.code}: ${expected ?? 'no fault of the service'}`, () => {
      assert.equal(explainFailure(error, nowhere).fault, expected);
    });
  }

  test('after half a response, no other connection is proposed', () => {
    const helpAfter = (reason: 'truncated' | 'refused') =>
      explainFailure(new TransportError('m', reason, null), nowhere).help;
    assert.deepEqual([helpAfter('truncated'), helpAfter('refused')], ['test-connection', 'check-connection']);
  });

  test('an error about an empty list names its parameter and a remedy', () => {
    const { message, hint, help } = explainFailure(new EmptyListError('names'), nowhere);
    assert.match(message, /:names is empty/);
    assert.match(hint ?? '', /IN \(:names\)/);
    assert.equal(help, 'change-binding');
  });

  test('an error in the query has a position, and lists each reason once', () => {
    const error = new RejectedError('ours', {
      code: 'QUERY_PARSE_ERROR',
      retryable: false,
      serviceMessage: 'no column nope',
      hint: 'Perhaps name.',
      position: { line: 2, column: 3 },
      requestId: 'r1',
      reasons: [
        { code: 'A', message: 'no column nope' },
        { code: 'B', message: 'another' },
        { code: 'C', message: 'another' },
      ],
    });
    const failure = failureOfRun(error, ({ line, column }) => ({ line: line - 1, character: column - 1 }));
    assert.deepEqual(failure.reasons, [{ code: 'B', message: 'another' }]);
    assert.deepEqual(failureLines('q.sql', failure), [
      'q.sql:2:3: QUERY_PARSE_ERROR: no column nope',
      '  Hint: Perhaps name.',
      '  B: another',
      '  Request ID: r1',
    ]);
  });
});

test('a table or column that the service lacks is told apart from other refusals', () => {
  const rejected = (details?: Readonly<Record<string, unknown>>) =>
    new RejectedError('m', {
      code: 'QUERY_FAILED',
      status: 400,
      retryable: false,
      serviceMessage: '',
      details,
    });
  for (const sqlState of ['42P01', '42703']) assert.equal(isMissingName(rejected({ sqlState })), true);
  for (const other of [
    rejected({ sqlState: '22012' }),
    rejected({ sqlState: 42 }),
    rejected(),
    new Error('42P01'),
  ])
    assert.equal(isMissingName(other), false);
});
