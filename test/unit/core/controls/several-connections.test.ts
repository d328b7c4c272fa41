/** Controls on several connections: a waiver of one never counts on another, and what did not run is no pass. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exitCodeOf } from '#core/controls/control-result.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { putBaseline } from '#core/controls/files/baseline.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import { addWaiver, readWaivers } from '#core/controls/files/waivers.ts';
import { nameOf } from '#core/controls/reports/report.ts';
import { sarifOfControls } from '#core/controls/reports/sarif.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { fakeService, provenStatement } from '#test/helpers/control-service.ts';

const digests = rowDigests('a key for tests only');
const text = '-- @control A-1 Admins\n-- @key id\nSELECT 1';
const control = readControl(text);
assert.ok(control !== undefined);
const found = { control, place: { name: 'a.identity.sql' }, text };
let root: string;

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-several-'));
  await mkdir(path.join(root, '.identity-queries'));
  process.env['XDG_DATA_HOME'] = root;
});
after(() => rm(root, { recursive: true }));

async function factsOn(connection: string | undefined, isOneOfSeveral: boolean) {
  const files = await readControlFiles(root);
  const now = new Date('2026-11-28T00:00:00Z');
  return factsFor(found.control, files, { digests, isNewOnly: false, now, connection, isOneOfSeveral });
}

describe('a waiver with a connection', () => {
  const target = () => path.join(root, '.identity-queries', 'waivers.json');
  const digest = digests.digest({ id: 'A-1', key: ['id'] }, ['7']) ?? '';
  const waiver = { control: 'A-1', row: digest, reason: 'r', owner: 'o', expires: '2099-01-01' };

  it('counts only there', async () => {
    await addWaiver(target(), { ...waiver, connection: 'eu' }, digests);
    assert.equal((await factsOn('eu', true)).waivers.size, 1);
    assert.equal((await factsOn('eu', false)).waivers.size, 1);
    assert.equal((await factsOn('us', true)).waivers.size, 0);
    assert.equal((await factsOn(undefined, false)).waivers.size, 0);
  });

  it('is kept beside others that are added at once', async () => {
    const file = path.join(root, 'at-once.json');
    const controls = Array.from({ length: 5 }, (_, index) => `B-${index}`);
    await Promise.all(controls.map((one) => addWaiver(file, { ...waiver, control: one }, digests)));
    assert.deepEqual(
      (await readWaivers(file))?.waivers.map((one) => one.control),
      controls,
    );
  });

  it('is refused with a member that is none, which could have been the connection, and stays as it is', async () => {
    const file = path.join(root, 'typed.json');
    for (const name of ['conection', 'Connection', 'connections', 'ticket', 'line']) {
      const waivers = [{ ...waiver, [name]: 'eu' }];
      const written = JSON.stringify({ version: 1, keyId: digests.keyId, waivers });
      await writeFile(file, written);
      await assert.rejects(readWaivers(file), new RegExp(`no member "${name}"`));
      await assert.rejects(addWaiver(file, waiver, digests), new RegExp(`no member "${name}"`));
      assert.equal(await readFile(file, 'utf8'), written);
    }
  });

  it('leaves a note of the file where it stands, as a baseline does', async () => {
    for (const [name, list, change] of [
      ['waivers', '[]', (file: string) => addWaiver(file, waiver, digests)],
      ['controls', '{}', (file: string) => putBaseline(file, new Map(), digests)],
    ] as const) {
      const file = path.join(root, '.identity-queries', 'noted.json');
      const note = '"note":{"see":"SEC-7","count":12345678901234567890}';
      await writeFile(file, `{${note},"version":1,"keyId":"${digests.keyId}","${name}":${list},"more":[1]}`);
      await change(file);
      const written = (await readFile(file, 'utf8')).replaceAll(/\s/g, '');
      assert.ok(written.startsWith(`{${note},"version":1,`), written);
      assert.ok(written.endsWith(',"more":[1]}'), written);
    }
  });

  it('stands beside one of another connection, and replaces its own', async () => {
    await addWaiver(target(), { ...waiver, connection: 'us' }, digests);
    await addWaiver(target(), { ...waiver, connection: 'us', reason: 'again' }, digests);
    const { waivers } = (await readWaivers(target())) ?? { waivers: [] };
    assert.deepEqual(
      waivers.map(({ connection, reason }) => [connection, reason]),
      [
        ['eu', 'r'],
        ['us', 'again'],
      ],
    );
  });

  it('must be there in a run on several, and the note says so', async () => {
    await rm(target());
    await addWaiver(target(), waiver, digests);
    assert.equal((await factsOn('eu', false)).waivers.size, 1);
    const { waivers, notes } = await factsOn('eu', true);
    assert.equal(waivers.size, 0);
    assert.match(notes[0]?.message ?? '', /names no connection/);
  });

  it('must be a text', async () => {
    await writeFile(
      target(),
      JSON.stringify({ version: 1, keyId: digests.keyId, waivers: [{ ...waiver, connection: 7 }] }),
    );
    await assert.rejects(readWaivers(target()), /needs "connection", a string/);
  });
});

describe('controls on several connections', () => {
  const options = (rows: readonly string[], connection: string) => ({
    client: fakeService({ columns: ['id'], rows: rows.map((id) => [id]) }).client,
    signal: new AbortController().signal,
    atATime: 1,
    check: () => Promise.resolve(provenStatement()),
    factsOf: () => noFacts,
    connection,
  });

  it('are told apart by the connection, and are one rule in SARIF', async () => {
    const results = [
      ...(await runControls([found], options([], 'eu'))),
      ...(await runControls([found], options(['7'], 'us'))),
    ];
    assert.deepEqual(
      results.map((result) => [nameOf(result), result.outcome]),
      [
        ['A-1 Admins (eu)', 'pass'],
        ['A-1 Admins (us)', 'fail'],
      ],
    );
    const report = { results, startedAt: new Date(0), ms: 1, connection: 'eu, us', problems: [] };
    const [run] = (
      sarifOfControls(report) as {
        runs: [{ tool: { driver: { rules: unknown[] } }; results: [{ ruleIndex: number }] }];
      }
    ).runs;
    assert.equal(run.tool.driver.rules.length, 1);
    assert.deepEqual(
      run.results.map(({ ruleIndex }) => ruleIndex),
      [0],
    );
  });

  it('that were stopped are in error', async () => {
    const results = await runControls([found], { ...options([], 'eu'), isStopped: () => true });
    assert.equal(results[0]?.code, 'NOT_RUN');
    assert.equal(exitCodeOf(results), 2);
  });
});
