/**
 * Draws legal services, and plays a session against each: `npm run fuzz -- services`. FUZZ_SEED and FUZZ_COUNT choose
 * them; FUZZ_WAYS ("paging=snake rowCount=absent") plays one service, FUZZ_STEPS ("sync runs") only these steps;
 * FUZZ_SECONDS ends the run after the service during which they are over.
 */
import { breachesOf, lineOf, steps, type Breach } from '../helpers/drawn-session.ts';
import { shortenPauses } from '../helpers/fast-clock.ts';
import { drawService, pairwiseServices, shrink } from '../service/drawn/draw.ts';
import { plainService, serviceWith, type Service } from '../service/drawn/space.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const count = Number(process.env['FUZZ_COUNT'] ?? 1_000);
const secondsMax = Number(process.env['FUZZ_SECONDS'] ?? Infinity);
const ways = process.env['FUZZ_WAYS'];
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

const started = performance.now();
let played = 0;
let failed = 0;
const seen = new Map<string, number>();
for (const [name, service] of services()) {
  if (performance.now() - started > secondsMax * 1_000) break;
  const place = played;
  played += 1;
  const breaches = await breachesIn(service, place);
  if (breaches.length === 0) continue;
  failed += 1;
  for (const { invariant, what } of breaches) {
    // The same breach for the same reason is told once.
    const kind = `${invariant} ${what.replaceAll(/[0-9a-f-]{36}|127\.0\.0\.1:\d+|\d+/g, '#').slice(0, 60)}`;
    const times = seen.get(kind) ?? 0;
    seen.set(kind, times + 1);
    if (times > 0) continue;
    const kindOf = (each: string) => each.replaceAll(/[0-9a-f-]{36}|127\.0\.0\.1:\d+|\d+/g, '#').slice(0, 60);
    const smallest = isQuick
      ? service
      : await shrink(service, async (simpler) =>
          (await breachesIn(simpler, place)).some((each) => kindOf(each.what) === kindOf(what)),
        );
    process.stdout.write(`✖ ${name}: ${lineOf(smallest, [{ invariant, what }])}\n`);
  }
}
const seconds = (performance.now() - started) / 1_000;
const cpu = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ played, failed, seed, seconds: Math.round(seconds), cpuSeconds: Math.round((cpu.user + cpu.system) / 1e6) })}\n`,
);
for (const [kind, times] of seen) process.stdout.write(`  ${times} x ${kind}\n`);
process.exit(failed > 0 ? 1 : 0);
