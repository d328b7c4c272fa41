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

  for (const [program, words] of [
    ['/nowhere/mail.sh --to iam', 'there is no program /nowhere/mail.sh.'],
    ['no-such-mailer', 'the folders of the PATH hold no program no-such-mailer. Name it by its whole path.'],
    [`"${import.meta.dirname}"`, `${import.meta.dirname} is no program that you may start.`],
  ] as const)
    it(`about --notify-program ${program} says before anything runs that it cannot start`, async () => {
      const { code, stderr } = await runInProcess(
        ['controls', 'run', '--history', 'h', '--notify-program', program],
        { cwd: '/nowhere', environment },
      );
      assert.equal(code, 2);
      assert.equal(stderr, `--notify-program cannot be used: ${words}`);
    });

  for (const value of ['', ' \n'])
    it(`about a missing DuckDB does not name ${JSON.stringify(value)}, the value of its variable`, async () => {
      const { stderr } = await runInProcess(['query', 'SELECT 1'], {
        cwd: '/nowhere',
        environment: { ...environment, IDENTITY_QUERIES_DUCKDB: value },
      });
      assert.doesNotMatch(stderr, /does not have the npm package/);
    });

  it('about evidence that cannot be written says so before anything runs', async () => {
    const { code, stderr } = await runInProcess(['evidence', 'make', 'a.sql', '--out', 'no/such/e.json'], {
      cwd: import.meta.dirname,
      environment,
    });
    assert.equal(code, 2);
    assert.match(stderr, /e\.json" cannot be written: its folder does not exist\.$/);
  });

  it('about a history in a file says so before anything runs', async () => {
    const { code, stderr } = await runInProcess(['controls', 'run', '--history', import.meta.filename], {
      cwd: '/nowhere',
      environment,
    });
    assert.equal(code, 2);
    assert.match(stderr, /^The history in \S+ cannot be written: \S+ is not a folder\.$/);
  });

  for (const [args, name] of [
    [['controls', 'run', '--history', ''], '--history'],
    [['controls', 'run', ''], 'paths'],
    [['controls', 'history', '--history', ''], '--history'],
    [['run', 'a.sql', '--connection', ''], '--connection'],
    [['run', ''], 'file'],
    [['audit', 'verify', '--file', ''], '--file'],
    [['check', 'a.sql', '--models', ''], '--models'],
    [['serve', '--database', ''], '--database'],
  ] as const)
    it(`about an empty value in ${args.join(' ')} says whose it is`, async () => {
      const { code, stderr } = await runInProcess(args, { cwd: '/nowhere', environment });
      assert.equal(code, 2);
      assert.equal(stderr, `The value of ${name} is empty. If a variable stands for it, set that variable.`);
    });
});
