/** Waits for the machine to become idle, so that other load does not distort the measurement. */
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const sampleMs = 500;
const quietSamples = 3;
const idleShare = 0.85;

/** @returns whether the machine became idle within the limit: 85% idle time across all processors for 1.5 s */
export async function quietMachine(limitMs = 120_000): Promise<boolean> {
  const end = performance.now() + limitMs;
  let quiet = 0;
  let before = times();
  while (performance.now() < end) {
    await delay(sampleMs);
    const now = times();
    quiet = (now.idle - before.idle) / (now.total - before.total) >= idleShare ? quiet + 1 : 0;
    before = now;
    if (quiet === quietSamples) return true;
  }
  return false;
}

/** Returns milliseconds since boot, summed over all processors. */
function times(): { readonly idle: number; readonly total: number } {
  let idle = 0;
  let total = 0;
  for (const { times: each } of cpus()) {
    idle += each.idle;
    total += each.user + each.nice + each.sys + each.irq + each.idle;
  }
  return { idle, total };
}
