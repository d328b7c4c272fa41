/** `identity-queries doctor`, run the way a user or a build job would. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, suite, test } from 'node:test';
import { assumptions } from '#api/contract/assumptions.ts';
import { startService, type RunningService } from '#test/service/service.ts';

const program = path.join(import.meta.dirname, '../../../dist/cli.js');

let service: RunningService;
let folder: string;

before(async () => {
  service = await startService({ accounts: 5 });
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-doctor-'));
});
afterEach(async () => {
  service.set({});
  await service.setFaults([]);
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function doctor(...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [program, 'doctor', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      XDG_CONFIG_HOME: path.join(folder, 'home'),
      IDENTITY_QUERIES_TEST: service.clientSecret,
    },
    stdio: 'pipe',
  });
  const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  assert.ok(!`${stdout}${stderr}`.includes(service.clientSecret), 'the secret is printed');
  return { code, stdout, stderr };
}

function entry(more: object = {}): object {
  const { baseUrl, authUrl, clientId } = service;
  return { name: 'Second', baseUrl, authUrl, clientId, secretVariable: 'IDENTITY_QUERIES_TEST', ...more };
}

async function connections(...entries: readonly object[]): Promise<void> {
  await mkdir(path.join(folder, 'home', 'identity-queries'), { recursive: true });
  await writeFile(path.join(folder, 'home', 'identity-queries', 'connections.json'), JSON.stringify(entries));
}

suite('doctor', () => {
  test('on a service that matches the assumptions, lists every assumption, with exit code 0', async () => {
    await connections(entry());
    const { code, stdout, stderr } = await doctor();
    assert.equal(code, 0, stderr);
    for (const id of Object.keys(assumptions))
      assert.match(stdout, new RegExp(`^(holds|unknown) .*\\(${id}\\)$`, 'm'));
    assert.match(stdout, /\nAssumptions: 24 confirmed, 0 different, 6 not checkable by reading\.\n$/);
    assert.match(stderr, /^Asking http.*connection "Second" of .*connections\.json/);
  });

  test('on a service that differs, lists the differences and their consequences, with exit code 1', async () => {
    await connections(entry());
    service.set({ assumptions: { update: 'by-patch', 'model-columns': 'refused' } });
    const { code, stdout } = await doctor();
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^differs {2}Updates saved queries with PUT \(update\)\n +.* does not allow PUT\.\n +PATCH is used/m,
    );
    assert.match(stdout, /execute returned 403 \(FORBIDDEN\)\./);
  });

  test('--json prints the same content', async () => {
    await connections(entry());
    service.set({ assumptions: { 'link-text': 'other-text' } });
    const { code, stdout } = await doctor('--json');
    const answer = JSON.parse(stdout) as {
      connection: string;
      assumptions: { id: string; verdict: string; meaning?: string }[];
    };
    assert.equal(code, 1);
    assert.equal(answer.connection, 'Second');
    assert.deepEqual(
      answer.assumptions.map(({ id }) => id),
      Object.keys(assumptions),
    );
    const [link] = answer.assumptions.filter(({ verdict }) => verdict === 'differs');
    assert.deepEqual([link?.id, link?.meaning], ['link-text', 'Enrollment links are shown as received.']);
  });

  test('sanitizes text from the service for the terminal', async () => {
    await connections(entry());
    await service.setFaults([
      {
        path: '/v1/identity-queries-doctor',
        always: { kind: 'status', status: 404, code: '\u001b]0;owned\u0007\u202e' },
      },
    ]);
    const { stdout } = await doctor();
    assert.match(stdout, /returned 404 \(/);
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('can send the secret in the body', async () => {
    await connections(entry());
    service.set({ assumptions: { token: 'body-only' } });
    assert.match((await doctor()).stdout, /differs .*\(token\)\n.*accepted in the request body/);
    await connections(entry({ clientAuthentication: 'body' }));
    assert.equal((await doctor()).code, 0);
  });

  test('requires a name if there are several connections', async () => {
    await connections(entry(), entry({ name: 'Other', secretVariable: 'IDENTITY_QUERIES_UNSET' }));
    const unnamed = await doctor();
    assert.equal(unnamed.code, 2);
    assert.match(unnamed.stderr, /choose one with --connection\. They are "Second", "Other"/);
    assert.equal((await doctor('--connection', 'Second')).code, 0);
    const other = await doctor('--connection', 'Other');
    assert.equal(other.code, 2);
    assert.match(other.stderr, /environment variable IDENTITY_QUERIES_UNSET, which is not set/);
    assert.match((await doctor('--connection', 'None')).stderr, /contains no usable connection "None"/);
  });

  test('without a response or with a wrong secret, prints nothing on standard output, with exit code 2', async () => {
    await connections(entry({ authUrl: 'http://127.0.0.1:9/token' }));
    const nobody = await doctor();
    assert.deepEqual([nobody.code, nobody.stdout], [2, '']);
    await connections(entry({ clientId: 'wrong' }));
    const wrong = await doctor();
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /client ID or secret is wrong/);
  });

  test('without a connection, suggests two ways to continue', async () => {
    await rm(path.join(folder, 'home'), { recursive: true, force: true });
    const { code, stderr } = await doctor();
    assert.equal(code, 2);
    assert.match(stderr, /identity-queries sandbox.*\.identity-queries\/connections\.json.*\n {5}\[\n/s);
  });

  test('refuses an unknown option', async () => {
    const { code, stderr } = await doctor('--changes');
    assert.equal(code, 2);
    assert.match(stderr, /unknown option '--changes'\n\(add --help for what identity-queries doctor takes\)/);
  });
});
