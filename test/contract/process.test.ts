/** The sandbox process: its output, its stored data, and its exit conditions. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { runSandbox, startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';
import { serviceProgram } from '../helpers/service-program.ts';

suite('flags', () => {
  test('--help lists all of them', async () => {
    const { code, out } = await runSandbox('--help');
    assert.equal(code, 0);
    for (const flag of [
      '--port',
      '--data',
      '--seed',
      '--accounts',
      '--now',
      '--json',
      '--faults',
      '--odd',
      'stale-412',
    ]) {
      assert.ok(out.includes(flag), flag);
    }
  });

  const wrong: readonly (readonly [args: string[], complaint: RegExp])[] = [
    [['--nope'], /--nope/],
    [['--port', 'x'], /--port must be a whole number from 0 to 65535/],
    [['--accounts', '5'], /--accounts must be a whole number from 10 to 1000000/],
    [['--now', 'soon'], /--now must be a date/],
    [['--token-lifetime', '0'], /--token-lifetime/],
    [['--database', 'mysql://me:secret@host/db'], /--database must be an address such as postgres:/],
    [['--database', 'postgres://host/db?user=me&password=secret'], /with the user before the @/],
    [['--allow-host', 'a.test:80'], /--allow-host a\.test:80 must be a host name/],
    [['--odd', 'strange'], /--odd strange is not known. Known names: sparse,/],
    [['--remove-data'], /--remove-data needs --database/],
  ];
  for (const [args, complaint] of wrong) {
    test(`${args.join(' ')} is refused with the usage`, async () => {
      const { code, complaints } = await runSandbox(...args);
      assert.equal(code, 2);
      assert.match(complaints, complaint);
      assert.match(complaints, /Usage:/);
      assert.doesNotMatch(complaints, /secret@|password=secret/);
    });
  }

  test('with a million accounts, lists respond immediately, and SQL explains what it needs', async () => {
    const sandbox = await startSandbox({ embedded: true, accounts: 1_000_000 });
    try {
      const http = new ServiceHttp(sandbox);
      const seen = new Set<unknown>();
      for (const endpoint of [
        endpoints.listAccounts,
        endpoints.listActivities,
        endpoints.listEntityAssignedAccessToObject,
      ]) {
        const { body } = await http.call(endpoint, { query: { pageSize: 200 } });
        assert.equal(body.items.length, 200);
        assert.ok(body.nextPageToken);
        for (const item of body.items as { globalId: string }[]) seen.add(item.globalId);
      }
      assert.equal(seen.size, 600);
      const { body } = await http.call(endpoints.executeQuery, { body: { query_string: 'SELECT 1' } });
      assert.equal(body.code, 'SERVICE_UNAVAILABLE');
      assert.match(
        String(body.message),
        /1000000 accounts needs a PostgreSQL server: start the sandbox with --database/,
      );
    } finally {
      await sandbox.stop();
    }
  });

  test('a port in use is reported', async () => {
    const first = await startSandbox({ embedded: true, accounts: 10 });
    try {
      const { code, complaints } = await runSandbox(
        '--port',
        new URL(first.baseUrl).port,
        '--accounts',
        '10',
      );
      assert.equal(code, 1);
      assert.match(complaints, /could not start: another program listens on this port\. .*--port 0/);
    } finally {
      await first.stop();
    }
  });
});

suite('lifecycle', () => {
  test('saved queries outlive the process; secrets and data are as requested', async () => {
    const dataFolder = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
    const args = ['--client-id', 'me', '--client-secret', 'known'];
    try {
      const first = await startSandbox({ embedded: true, dataFolder, accounts: 50, args });
      assert.equal(first.clientId, 'me');
      assert.equal(first.clientSecret, 'known');
      const http = new ServiceHttp(first);
      const body = { name: 'Kept', query_string: 'SELECT 1' };
      const { query_id } = (await http.call(endpoints.createSavedQuery, { body })).body as {
        query_id: string;
      }; // guaranteed by the schema
      const count = await http.call(endpoints.executeQuery, {
        body: { query_string: 'SELECT count(*) FROM accounts' },
      });
      assert.equal(count.text.includes('[[50]]'), true);
      await first.stop();
      const second = await startSandbox({ embedded: true, dataFolder, accounts: 50, args });
      const again = await new ServiceHttp(second).call(endpoints.getSavedQuery, { path: { query_id } });
      await second.stop();
      assert.equal(again.body.name, 'Kept');
    } finally {
      rmSync(dataFolder, { recursive: true });
    }
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends the process, even while a query runs`, async () => {
      const sandbox = await startSandbox({ embedded: true, accounts: 10 });
      const http = new ServiceHttp(sandbox);
      const endless = http
        .call(endpoints.executeQuery, {
          body: { query_string: 'SELECT count(*) FROM generate_series(1, 100000000000) g' },
        })
        .catch((error: unknown) => error);
      await http.call(endpoints.listModels);
      const exit = once(sandbox.process, 'exit');
      sandbox.process.kill(signal);
      const [code] = (await exit) as [unknown]; // exit code and signal
      assert.equal(code, 0);
      await endless;
    });
  }

  test('the process exits if its parent is gone', async () => {
    // A process that starts a sandbox with itself as the parent, prints the sandbox's process ID, and exits
    // immediately.
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(serviceProgram())}, '--json', '--accounts', '10', '--parent-pid', String(process.pid)], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      child.stdout.once('data', () => { process.stdout.write(String(child.pid)); process.exit(0); });`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = Number(await text(parent.stdout));
    assert.ok(pid > 0);
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false; // no such process
      }
    };
    const deadline = Date.now() + 60_000;
    while (isAlive() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(isAlive(), false);
  });
});

suite('--leases', () => {
  /** Creates a lease folder and functions to take and drop leases. */
  function leaseFolder(): {
    folder: string;
    take(pid: number, digest?: string): void;
    drop(pid: number): void;
  } {
    const folder = mkdtempSync(path.join(tmpdir(), 'leases-'));
    return {
      folder,
      take: (pid, digest = '') => writeFileSync(path.join(folder, String(pid)), digest),
      drop: (pid) => rmSync(path.join(folder, String(pid))),
    };
  }

  test('only one process serves a folder; a second one reports this, and can start once the first is gone, however it ended', async () => {
    const leases = leaseFolder();
    leases.take(process.pid);
    const args = ['--leases', leases.folder];
    const first = await startSandbox({ embedded: true, accounts: 10, args });
    try {
      const second = await runSandbox('--json', '--accounts', '10', ...args);
      assert.equal(second.code, 3);
      assert.match(second.complaints, /already serves/);
      assert.equal(second.out, '');
    } finally {
      const exit = once(first.process, 'exit');
      first.process.kill('SIGKILL');
      await exit;
    }
    const third = await startSandbox({ embedded: true, accounts: 10, args });
    await third.stop();
    rmSync(leases.folder, { recursive: true });
  });

  test('the process continues while a window is open, and exits after the last one', async () => {
    const leases = leaseFolder();
    const [one, two] = [0, 1].map(() => spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']));
    assert.ok(one?.pid !== undefined && two?.pid !== undefined);
    leases.take(one.pid);
    leases.take(two.pid);
    const sandbox = await startSandbox({ embedded: true, accounts: 10, args: ['--leases', leases.folder] });
    const end = once(sandbox.process, 'exit');
    const http = new ServiceHttp(sandbox);
    try {
      const gone = once(one, 'exit');
      one.kill('SIGKILL'); // simulates a crashed window; its lease remains
      await gone;
      assert.equal((await http.call(endpoints.listModels)).status, 200);
      const basic = Buffer.from(`${sandbox.clientId}:of a window`).toString('base64');
      const grant = { grant_type: 'client_credentials' };
      const ask = () => http.tokenRequest(grant, { authorization: `Basic ${basic}` });
      assert.equal((await ask()).status, 401);
      leases.take(two.pid, createHash('sha256').update('of a window').digest('hex'));
      assert.equal((await ask()).status, 200);
      leases.drop(two.pid); // simulates a closed window
      const [code] = (await end) as [unknown]; // exit code and signal
      assert.equal(code, 0);
    } finally {
      two.kill('SIGKILL');
      await sandbox.stop();
      rmSync(leases.folder, { recursive: true });
    }
  });
});
