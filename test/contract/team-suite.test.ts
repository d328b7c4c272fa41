/**
 * Runs the client half of the contract suite through two instances of a team's service, on a state in PostgreSQL, and the
 * saving stories while one after the other is killed.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '#api/client/client.ts';
import { ApiError } from '#api/client/errors.ts';
import type { QueryPage } from '#api/client/query-page.ts';
import { startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { randomFrom } from '../helpers/random.ts';
import { useService } from '../helpers/sandbox.ts';
import { playStories } from '../helpers/saving-stories.ts';
import { makeKeeper, startTeamOverSample, type TeamOverSample } from '../helpers/team-over-sample.ts';

const tested = testedPostgres();

/** A program for each fault takes long, so these run with `npm run fuzz -- engines`. */
const slow = process.env['ALL_SUITES'] === undefined ? [] : ['control-faults'];
const suites = [...slow, 'client', 'execute'];

if (tested !== undefined) suite('through two instances', { timeout: 10 * 60_000 }, () => all(tested));

async function all(bin: string): Promise<void> {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres(bin);
    await makeKeeper(server);
  });
  after(() => server.stop());

  useService((options) => startTeamOverSample(server, options), { isOwnData: true });
  for (const name of suites) {
    await suite(name, async () => {
      await import(`./${name}.test.ts`);
    });
  }

  test('two people save while instances are killed, nothing is lost, and rows are of their run', async () => {
    const team = await startTeamOverSample(server, { accounts: 20 });
    const below = randomFrom(49);
    const saved = new AbortController();
    const killer = async (): Promise<void> => {
      for (let turn = 0; !saved.signal.aborted; turn += 1) {
        await delay(below(1_500));
        await team.replace(turn % 2 === 0 ? 0 : 1);
      }
    };
    const reading = ['of one', 'of another'].map((tag) => readAgain(team, tag, saved.signal));
    try {
      await Promise.all([playStories(team, 10).finally(() => saved.abort()), killer(), ...reading]);
    } finally {
      await team.stop();
    }
  });
}

const rowCount = 1_000;

/** Reads a result to its end, again and again. One that an instance took along ends with an error, never with less. */
async function readAgain(team: TeamOverSample, tag: string, signal: AbortSignal): Promise<void> {
  const client = createClient({ ...team, retry: { attempts: 5 } });
  const query_string = `SELECT g, '${tag}' FROM generate_series(1, ${rowCount}) g`;
  const read = async (): Promise<void> => {
    let expected = 0;
    let pageToken: QueryPage['nextPageToken'];
    do {
      const page = await client.queries.execute({ query_string, pageSize: 100, pageToken });
      for (const row of page.rows) assert.deepEqual(row, [(expected += 1), tag]);
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    assert.equal(expected, rowCount);
  };
  while (!signal.aborted) {
    await read().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }
  await client.close();
}
