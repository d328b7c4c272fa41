/**
 * Measures the processor time of a process and of all that it starts, however they end: a browser or an extension host
 * that nobody waits for is in no total of the operating system. On Linux only.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second, of every Linux that Node.js runs on. */
const ticks = 100;
const intervalMs = 1_000;

/**
 * @typedef {object} Used
 * @property {number} own ticks
 * @property {number} waited ticks of ended children that it waited for, and of theirs
 * @property {string} parent
 */

/**
 * @param {number | undefined} root process ID
 * @returns {() => number | undefined} ends the measurement; the seconds, undefined if they cannot be measured
 */
export function measureProcessorTime(root) {
  if (process.platform !== 'linux' || root === undefined) return () => undefined;
  /** By process ID and start, since process IDs are reused. @type {Map<string, Used>} */
  const members = new Map();
  /** @type {Set<string>} */
  let alive = new Set();
  const sample = () => {
    const all = processes();
    alive = new Set();
    for (const [pid, { key, parentPid, own, waited }] of all) {
      const parent = all.get(parentPid)?.key ?? '';
      if (pid !== root && !members.has(key) && !members.has(parent)) continue;
      alive.add(key);
      // A process whose parent has ended gets another one, which did not start it.
      members.set(key, { own, waited, parent: members.get(key)?.parent ?? parent });
    }
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return () => {
    clearInterval(timer);
    sample();
    return totalOf(members, alive) / ticks;
  };
}

/**
 * Returns the sum of all, each counted once.
 * @param {ReadonlyMap<string, Used>} members
 * @param {ReadonlySet<string>} alive
 */
export function totalOf(members, alive) {
  let total = 0;
  /** What the samples have of children that ended, by parent. @type {Map<string, number>} */
  const seen = new Map();
  for (const [key, { own, waited, parent }] of members) {
    total += own;
    if (!alive.has(key)) seen.set(parent, (seen.get(parent) ?? 0) + own + waited);
  }
  // The rest of what was waited for ended between two samples.
  for (const [key, { waited }] of members) total += Math.max(0, waited - (seen.get(key) ?? 0));
  return total;
}

/** Returns all processes by ID, parents before their children as far as IDs tell. */
function processes() {
  /** @type {Map<number, { key: string, parentPid: number, own: number, waited: number }>} */
  const all = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const line = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name in parentheses may contain anything.
      const fields = line
        .slice(line.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parentPid = 0] = fields.slice(1);
      const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11);
      const started = fields[19];
      all.set(Number(name), {
        key: `${name}:${started}`,
        parentPid,
        own: user + system,
        waited: waitedUser + waitedSystem,
      });
    } catch {
      // It ended in the meantime.
    }
  }
  return new Map([...all].sort(([a], [b]) => a - b));
}
