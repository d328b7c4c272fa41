/**
 * Draws legal services, and plays a session against each: `npm run fuzz -- services`. FUZZ_SEED is the first seed and
 * FUZZ_COUNT the number of services, of which the first FUZZ_AFTER are left out. FUZZ_AT_ONCE are played side by side,
 * each in its own process; by default one for each core. FUZZ_WAYS ("paging=snake rowCount=absent") plays one service, FUZZ_STEPS ("sync runs") only these
 * steps; FUZZ_SECONDS ends the run after the services during which they are over.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { breachesOf, lineOf, steps, type Breach } from '../helpers/drawn-session.ts';
import { shortenPauses } from '../helpers/fast-clock.ts';
import { drawService, pairwiseServices, shrink } from '../service/drawn/draw.ts';
import { plainService, serviceWith, type Service } from '../service/drawn/space.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const count = Number(process.env['FUZZ_COUNT'] ?? 1_000);
const after = Number(process.env['FUZZ_AFTER'] ?? 0);
const secondsMax = Number(process.env['FUZZ_SECONDS'] ?? Infinity);
const ways = process.env['FUZZ_WAYS'];
const lanes = ways === undefined ? Number(process.env['FUZZ_AT_ONCE'] ?? availableParallelism()) : 1;
const isQuick = process.env['FUZZ_SHRINK'] === '0';
const stepNames = process.env['FUZZ_STEPS']?.split(' ');
const chosen = steps.filter((step) => stepNames?.includes(step) !== false);
shortenPauses(200);

/** Git's processes take most of the time of a session, so every fifth service meets them. */
async function breachesIn(service: Service, place: number): Promise<readonly Breach[]> {
  const isSynced = stepNames !== undefined || place % 5 === 0;
  return await breachesOf(service, isSynced ? chosen : chosen.filter((step) => step !== 'sync'));
}

function* services(): Generator<readonly [string, Service]> {
  if (ways !== undefined) {
    const pairs = ways.split(' ').filter((pair) => pair !== '' && pair !== 'plain');
    yield [
      'given',
      serviceWith(Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))),
    ];
    return;
  }
  yield ['plain', plainService];
  const table = pairwiseServices(seed);
  for (const [at, service] of table.slice(0, count).entries()) yield [`pair ${at}`, service];
  for (let at = table.length + 1; at < count; at += 1) yield [`seed ${seed + at}`, drawService(seed + at)];
}

/** What was played, and how often each kind of breach was met. */
interface Played {
  readonly played: number;
  readonly failed: number;
  readonly cpuMs: number;
  readonly kinds: readonly (readonly [string, number])[];
}

/** Plays every service whose place belongs to the lane. */
async function playLane(lane: number): Promise<Played> {
  const started = performance.now();
  let played = 0;
  let failed = 0;
  const seen = new Map<string, number>();
  let place = -1;
  for (const [name, service] of services()) {
    place += 1;
    if (place < after || place % lanes !== lane) continue;
    if (performance.now() - started > secondsMax * 1_000) break;
    played += 1;
    const breaches = await breachesIn(service, place);
    if (breaches.length > 0) failed += 1;
    for (const { invariant, what } of breaches) {
      // The same breach for the same reason is told once.
      const kind = `${invariant} ${kindOf(what)}`;
      const times = seen.get(kind) ?? 0;
      seen.set(kind, times + 1);
      if (times > 0) continue;
      const isSame = async (simpler: Service) =>
        (await breachesIn(simpler, place)).some((each) => kindOf(each.what) === kindOf(what));
      const smallest = isQuick ? service : await shrink(service, isSame);
      process.stdout.write(`✖ ${name}: ${lineOf(smallest, [{ invariant, what }])}\n`);
    }
  }
  const { user, system } = process.cpuUsage();
  return { played, failed, cpuMs: (user + system) / 1_000, kinds: [...seen] };
}

function kindOf(what: string): string {
  return what.replaceAll(/[0-9a-f-]{36}|127\.0\.0\.1:\d+|\d+/g, '#').slice(0, 60);
}

/** Plays a lane in another process. */
async function startLane(lane: number): Promise<Played> {
  const child = fork(import.meta.filename, { env: { ...process.env, FUZZ_LANE: String(lane) } });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Lane ${lane} ended with ${String(code)}.`);
  });
  const [played] = (await Promise.race([once(child, 'message'), ended])) as [Played]; // sent below
  return played;
}

const ownLane = process.env['FUZZ_LANE'];
if (ownLane !== undefined) {
  const played = await playLane(Number(ownLane));
  process.send?.(played, () => process.exit(0));
} else {
  const started = performance.now();
  const all =
    lanes === 1
      ? [await playLane(0)]
      : await Promise.all(Array.from({ length: lanes }, (_, lane) => startLane(lane)));
  const sum = (amount: (played: Played) => number) => all.reduce((total, each) => total + amount(each), 0);
  const failed = sum((each) => each.failed);
  const seconds = Math.round((performance.now() - started) / 1_000);
  const cpuSeconds = Math.round(sum(({ cpuMs }) => cpuMs) / 1_000);
  process.stdout.write(
    `${JSON.stringify({ played: sum(({ played }) => played), failed, seed, seconds, cpuSeconds })}\n`,
  );
  for (const kind of new Set(all.flatMap(({ kinds }) => kinds.map(([name]) => name)))) {
    const times = sum(({ kinds }) => new Map(kinds).get(kind) ?? 0);
    process.stdout.write(`  ${times} x ${kind}\n`);
  }
  process.exit(failed > 0 ? 1 : 0);
}
