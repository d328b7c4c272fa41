/** Saved queries that cannot be read cost only their own connection, and what did not run stays as it was. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CliContext } from '#cli/context.ts';
import { selectOn } from '#cli/controls/run-controls.ts';
import type { Service } from '#cli/service.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

let cwd: string;
before(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'identity-queries-several-saved-'));
  await writeFile(path.join(cwd, 'a.identity.sql'), '-- @control A-1 Of a file\nSELECT 1');
});
after(() => rm(cwd, { recursive: true }));

const saved = { query_id: 'q', name: 'S', model: 'm', query_string: '-- @control S-1 Saved\nSELECT 1' };
function service(name: string, failure?: Error): Service {
  async function* listSummaries() {
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    yield saved;
  }
  const profile = { name, localKey: name };
  return { profile, client: { savedQueries: { listSummaries } } } as unknown as Service; // nothing else is asked
}
const refused = () => service('dead', new Error('refused'));
const select = (services: readonly Service[]) => {
  const context = { cwd, environment: {}, signal: new AbortController().signal } as unknown as CliContext;
  return selectOn(context, services, { paths: ['.'], options: { saved: true, tag: [], atATime: 2 } });
};

test('the controls of a file run on each connection, also on one whose saved queries cannot be read', async () => {
  const [good, dead] = await select([service('good'), refused()]);
  const ids = (each: typeof good) => each?.controls.map(({ control }) => control.id);
  assert.deepEqual([ids(good), ids(dead)], [['A-1', 'S-1'], ['A-1']]);
  assert.deepEqual(good?.problems, []);
  assert.match(dead?.problems[0]?.message ?? '', /^dead: its saved queries cannot be read, .*: ./);
  await assert.rejects(select([refused()]), /refused/);
});

test('a control that --fail-fast did not start is not news, and stays as it was in the history', async () => {
  const folder = await mkdtemp(path.join(cwd, 'stopped-'));
  // Both are wrong by themselves, so that nothing is sent.
  for (const [id, wrong] of [
    ['A', 'severity urgent'],
    ['B', 'expect nothing at all'],
  ] as const)
    await writeFile(
      path.join(folder, `${id}.identity.sql`),
      `-- @control ${id} One\n-- @${wrong}\nSELECT 1\n`,
    );
  const address = 'http://127.0.0.1:9';
  const entry = {
    ...{ name: 'One', baseUrl: address, authUrl: address },
    clientId: 'c',
    secretVariable: 'X_S',
  };
  await writeFile(path.join(folder, 'c.json'), JSON.stringify([{ ...entry, allowPlainHttp: true }]));
  const run = async (...more: readonly string[]) =>
    await runInProcess(
      ['controls', 'run', '.', '--connections', 'c.json', '--on', 'One', '--history', 'h', ...more],
      { cwd: folder, environment: { X_S: 'secret', XDG_DATA_HOME: folder } },
    );
  assert.match((await run()).stderr, /In error: A One .*\n.*In error: B One/);
  const stopped = await run('--fail-fast', '--max-parallel', '1');
  assert.match(stopped.stdout, /2 in error/);
  assert.match(stopped.stderr, /Nothing new since the run before/);
  assert.match((await run()).stderr, /Nothing new since the run before/);
});
