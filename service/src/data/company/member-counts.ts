/**
 * Member counts of roles, based on the same facts as the access assignments. A million accounts take seconds to count,
 * so the work can be spread between requests.
 */
import { setImmediate } from 'node:timers/promises';
import { rolesOf } from './access-facts.ts';
import type { World } from './world.ts';

/** Number of accounts to count before checking the clock again. */
const accountsAtOnce = 200;
/** Maximum delay that counting adds to a request. */
const sliceMs = 10;

export class MemberCounts {
  readonly #world: World;
  readonly #members: Uint32Array;
  readonly #active: Uint32Array;
  /** Index of the first account that is not counted yet. */
  #next = 0;

  constructor(world: World) {
    this.#world = world;
    this.#members = new Uint32Array(world.roleCount);
    this.#active = new Uint32Array(world.roleCount);
  }

  /** Number of accounts still to be counted. */
  get left(): number {
    return this.#world.accountCount - this.#next;
  }

  /** Returns a role's member count, and how many members used the role. Counts all remaining accounts first. */
  of(role: number): { members: number; active: number } {
    this.#count(this.#world.accountCount);
    return { members: this.#members[role] ?? 0, active: this.#active[role] ?? 0 };
  }

  /** Counts the remaining accounts, yielding to requests. Stops when the signal aborts. */
  async complete(signal: AbortSignal): Promise<void> {
    while (this.left > 0) {
      await setImmediate();
      if (signal.aborted) return;
      const until = performance.now() + sliceMs;
      do this.#count(Math.min(this.#next + accountsAtOnce, this.#world.accountCount));
      while (this.left > 0 && performance.now() < until);
    }
  }

  #count(end: number): void {
    for (; this.#next < end; this.#next += 1) {
      for (const { role, isUsed } of rolesOf(this.#world, this.#next)) {
        this.#members[role] = (this.#members[role] ?? 0) + 1;
        if (isUsed) this.#active[role] = (this.#active[role] ?? 0) + 1;
      }
    }
  }
}

const counted = new WeakMap<World, MemberCounts>();

/** Returns a world's counts. They stay valid because changes never affect roles. */
export function memberCountsOf(world: World): MemberCounts {
  let counts = counted.get(world);
  if (counts === undefined) {
    counts = new MemberCounts(world);
    counted.set(world, counts);
  }
  return counts;
}
