/**
 * How many members each role has, counted from the same facts as the access assignments. A million accounts take
 * seconds, so that counting can be done a little at a time, between requests.
 */
import { setImmediate } from 'node:timers/promises';
import { rolesOf } from './access-facts.ts';
import type { World } from './world.ts';

/** Accounts counted before the clock is looked at. */
const accountsAtOnce = 200;
/** A request waits no longer than this for the turn of the event loop. */
const sliceMs = 10;

export class MemberCounts {
  readonly #world: World;
  readonly #members: Uint32Array;
  readonly #active: Uint32Array;
  /** Accounts before this one are counted. */
  #next = 0;

  constructor(world: World) {
    this.#world = world;
    this.#members = new Uint32Array(world.roleCount);
    this.#active = new Uint32Array(world.roleCount);
  }

  /** Accounts that are not counted yet. */
  get left(): number {
    return this.#world.accountCount - this.#next;
  }

  /** Members of a role, and those of them who used it. Counts first what is not counted yet, all of it. */
  of(role: number): { members: number; active: number } {
    this.#count(this.#world.accountCount);
    return { members: this.#members[role] ?? 0, active: this.#active[role] ?? 0 };
  }

  /** Counts to the end, letting others have their turn; ends early when told. */
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

/** The counts of a world; no change of the service touches roles, so they hold as long as it does. */
export function memberCountsOf(world: World): MemberCounts {
  let counts = counted.get(world);
  if (counts === undefined) {
    counts = new MemberCounts(world);
    counted.set(world, counts);
  }
  return counts;
}
