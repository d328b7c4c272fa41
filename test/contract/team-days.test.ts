/** A few days of a team, as `npm run fuzz -- teams` plays them by the thousand. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { bareRepository } from '../helpers/git-clone.ts';
import { randomFrom } from '../helpers/random.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { clearQueries, TeamDay } from '../helpers/team-day.ts';

let sandbox: RunningSandbox;
let client: ServiceClient;

before(async () => {
  sandbox = await startSandbox({ accounts: 10 });
  client = createClient(sandbox);
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

describe('a day of a team', () => {
  for (const seed of [1, 2])
    it(`loses nothing, sends nothing twice and exits truthfully: ${seed}`, async () => {
      await clearQueries(client);
      const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-day-'));
      const bare = bareRepository(folder);
      const day = new TeamDay({ sandbox, client, below: randomFrom(seed), folder, bare });
      try {
        const { commands } = await day.play(12);
        assert.ok(commands > 0);
      } catch (error) {
        throw new Error(day.log.join('\n'), { cause: error });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
});
