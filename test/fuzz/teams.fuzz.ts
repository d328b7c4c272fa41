/**
 * Days of a team, played by lot (`npm run fuzz -- teams`): see `test/helpers/team-day.ts` for what must hold. FUZZ_SEED,
 * FUZZ_DAYS and FUZZ_STEPS choose them; FUZZ_SECONDS ends the run after the day during which they are over.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '#api/client/client.ts';
import { bareRepository } from '../helpers/git-clone.ts';
import { randomFrom } from '../helpers/random.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { clearQueries, TeamDay, type DayCounts } from '../helpers/team-day.ts';

const days = Number(process.env['FUZZ_DAYS'] ?? 1_000);
const steps = Number(process.env['FUZZ_STEPS'] ?? 12);
const seconds = Number(process.env['FUZZ_SECONDS'] ?? Infinity);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 0x7fff_ffff);

const sandbox = await startSandbox({ accounts: 10 });
const client = createClient(sandbox);
const started = performance.now();
const totals: DayCounts = { commands: 0, pushes: 0, interrupted: 0, faults: 0, conflicts: 0 };
let failures = 0;
let day = 0;
for (; day < days && performance.now() - started < seconds * 1_000; day += 1) {
  await clearQueries(client);
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-day-'));
  const played = new TeamDay({
    sandbox,
    client,
    below: randomFrom(seed + day),
    folder,
    bare: bareRepository(folder),
  });
  try {
    await played.play(steps);
  } catch (error) {
    failures += 1;
    process.exitCode = 1;
    if (failures <= 5)
      process.stderr.write(
        `seed ${seed + day}: ${error instanceof Error ? error.message : String(error)}\n${played.log.map((line) => `  ${line}\n`).join('')}`,
      );
  } finally {
    await sandbox.setFaults([]);
    await rm(folder, { recursive: true, force: true });
  }
  for (const name of Object.keys(totals) as (keyof DayCounts)[]) totals[name] += played.counts[name];
}
process.stdout.write(
  `${JSON.stringify({ fuzz: 'teams', seed, days: day, ...totals, seconds: Math.round((performance.now() - started) / 1000), failures })}\n`,
);
await client.close();
await sandbox.stop();
