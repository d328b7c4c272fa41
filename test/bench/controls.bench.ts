/** Measures a run of 200 controls on the command line against the sandbox. The goal is 60 s on two cores. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { print } from './statistics.ts';

const count = 200;
/** One control for each kind of rule. Some read a thousand rows, others only one. */
const texts = [
  '-- @expect no rows\nSELECT id FROM accounts WHERE alias IS NULL',
  '-- @error_if rows > 5\n-- @key id\nSELECT id, alias FROM accounts ORDER BY id',
  '-- @error_if distinct(department) > 1000\nSELECT department FROM accounts',
  "-- @expect column status\nSELECT 'ok' AS status, id AS reason FROM accounts",
];

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-controls-bench-'));
const sandbox = await startSandbox({ accounts: 1_000 });
try {
  for (let index = 0; index < count; index += 1)
    await writeFile(
      path.join(folder, `c${index}.identity.sql`),
      `-- @control B-${index} Bench ${index}\n${texts[index % texts.length] ?? ''}\n`,
    );
  await sandbox.forgetRequests();
  const started = performance.now();
  const { stdout, stderr } = await runCli(['controls', 'run', '.', '--json'], {
    startsProcess: true,
    cwd: folder,
    env: sandboxEnvironment(sandbox),
  });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { results } = JSON.parse(stdout) as { results: readonly { outcome: string }[] };
  assert.equal(results.length, count, stderr);
  assert.ok(results.every(({ outcome }) => outcome === 'pass' || outcome === 'fail'));
  const asked = (await sandbox.requests()).filter(({ path: at }) => at === '/v1/query/execute').length;
  print({ bench: 'controls', name: `${count} controls`, unit: 's', value: seconds });
  print({ bench: 'controls', name: 'requests', unit: 'count', value: asked });
} finally {
  await sandbox.stop();
  await rm(folder, { recursive: true });
}
