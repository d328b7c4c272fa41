/** A failure of any kind is a sentence: it begins with neither the class of an error nor a vague guess. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CertificateError, ProxyAddressError } from '#api/client/errors.ts';
import { requireProxies } from '#api/client/network/proxy.ts';
import { FileRefusal } from '#base/files/bounded-file.ts';
import { plainFailureLines } from '#cli/run/failure-text.ts';
import { AuditFailure } from '#core/agents/audit/audit-log.ts';
import { CallRateFailure } from '#core/agents/call-rate.ts';
import { ConnectionFileError } from '#core/connections/connection-files.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

const errors: readonly Error[] = [
  new ProxyAddressError('HTTPS_PROXY'),
  new CertificateError('unusable', 'a.pem', new Error('x')),
  new FileRefusal('link'),
  new AuditFailure(),
  new CallRateFailure(),
  new ConnectionFileError('a.json is not JSON.'),
  new Error('Something failed.'),
];

const environment = {
  IDENTITY_QUERIES_BASE_URL: 'https://127.0.0.1:9',
  IDENTITY_QUERIES_AUTH_URL: 'https://127.0.0.1:9/token',
  IDENTITY_QUERIES_CLIENT_ID: 'c',
  IDENTITY_QUERIES_CLIENT_SECRET: 's',
};

describe('a message', () => {
  for (const error of errors)
    it(`of ${error.constructor.name} begins with words`, () => {
      const [first = ''] = plainFailureLines(error);
      assert.equal(first, error.message);
      assert.doesNotMatch(first, /^\w*(?:Error|Failure|Refusal)\b/);
    });

  it('of a bug names its kind', () => {
    assert.deepEqual(plainFailureLines(new TypeError('x is not a function')), [
      'TypeError: x is not a function',
    ]);
    assert.deepEqual(plainFailureLines(new Error()), ['Error']);
  });

  for (const address of [
    'http://user:pa#ss@proxy:3128',
    'user:1/2@proxy',
    'http://u:p?w@proxy:1',
    'http://:80',
  ])
    it(`about the proxy ${address} names the variable and not the password`, () => {
      const found = (() => {
        try {
          requireProxies({ proxy: 'environment' }, { HTTPS_PROXY: address });
        } catch (error) {
          return error;
        }
        return undefined;
      })();
      const [first = ''] = plainFailureLines(found);
      assert.match(first, /^The proxy of HTTPS_PROXY is not an address/);
      assert.doesNotMatch(first, /pa#ss|1\/2|p\?w/);
    });

  for (const [line, words] of [
    ["'unclosed", 'a quote is not closed'],
    ['vault "read', 'a quote is not closed'],
    ['"', 'a quote is not closed'],
    [' ', 'it names no program'],
    ["''", 'it names no program'],
  ] as const)
    for (const args of [
      ['controls', 'run', '--digest-key-command', line],
      ['controls', 'run', '--history', 'h', '--notify-program', line],
      ['serve', '--password-command', line],
    ])
      it(`about ${args.slice(-2).join(' ')} says what is wrong with it`, async () => {
        const { code, stderr } = await runInProcess(args, {
          cwd: '/nowhere',
          environment,
        });
        assert.notEqual(code, 0);
        assert.equal(stderr.split('\n')[0], `${args.at(-2)} cannot be used: ${words}.`);
      });

  for (const program of ['./mail.sh', 'tools/mail.sh --to iam', '../mail.sh'])
    it(`about --notify-program ${program} asks for the whole path before anything runs`, async () => {
      const { code, stderr } = await runInProcess(
        ['controls', 'run', '--history', 'h', '--notify-program', program],
        { cwd: '/nowhere', environment },
      );
      assert.equal(code, 2);
      assert.match(stderr, /^--notify-program cannot be used: \S+ runs in your home folder, so name it by/);
    });
});
