/** Draws services by lot, covers all pairs of deviations, and reduces a failing service to the deviations it needs. */
import { randomFrom } from '#test/helpers/random.ts';
import { dimensions, plainService, space, type Dimension, type Service } from './space.ts';

/** Each dimension deviates in about one of three services. */
export function drawService(seed: number): Service {
  const below = randomFrom(seed * 7_919 + 17);
  return Object.fromEntries(
    dimensions.map((name) => {
      const others: readonly string[] = space[name].slice(1);
      return [name, below(3) === 0 ? others[below(others.length)] : plainService[name]];
    }),
  ) as Service; // one way for each dimension
}

/**
 * Returns services that together contain every pair of ways of any two dimensions: each service takes the ways that
 * cover most pairs not yet covered.
 */
export function pairwiseServices(seed = 1): readonly Service[] {
  const below = randomFrom(seed);
  const open = new Set<string>();
  for (const [at, one] of dimensions.entries())
    for (const other of dimensions.slice(at + 1))
      for (const way of space[one])
        for (const otherWay of space[other]) open.add(keyOf([one, way], [other, otherWay]));
  const services: Service[] = [];
  while (open.size > 0) {
    const chosen = new Map<Dimension, string>();
    // Starts with a pair that is still open, so that every service adds something.
    const [first = ''] = open;
    for (const part of first.split('&')) {
      const [name = '', way = ''] = part.split('=');
      chosen.set(name as Dimension, way); // written by keyOf
    }
    const rest = dimensions.filter((name) => !chosen.has(name));
    for (const name of shuffled(rest, below)) {
      const scores = shuffled(space[name] as readonly string[], below).map((way) => ({
        way,
        score: [...chosen].filter(([other, otherWay]) => open.has(pairOf(name, way, other, otherWay))).length,
      }));
      const best = scores.reduce((most, each) => (each.score > most.score ? each : most));
      chosen.set(name, best.way);
    }
    const all = [...chosen];
    for (const [at, [name, way]] of all.entries())
      for (const [other, otherWay] of all.slice(at + 1)) open.delete(pairOf(name, way, other, otherWay));
    services.push(Object.fromEntries(chosen) as Service); // one way for each dimension
  }
  return services;
}

/** Sets each deviation back as long as the service still fails. */
export async function shrink(
  service: Service,
  fails: (service: Service) => Promise<boolean>,
): Promise<Service> {
  let smallest = service;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const name of dimensions) {
      if (smallest[name] === plainService[name]) continue;
      const simpler: Service = { ...smallest, [name]: plainService[name] };
      if (!(await fails(simpler))) continue;
      smallest = simpler;
      isSmaller = true;
    }
  }
  return smallest;
}

function pairOf(one: Dimension, way: string, other: Dimension, otherWay: string): string {
  return dimensions.indexOf(one) < dimensions.indexOf(other)
    ? keyOf([one, way], [other, otherWay])
    : keyOf([other, otherWay], [one, way]);
}

function keyOf([one, way]: readonly [string, string], [other, otherWay]: readonly [string, string]): string {
  return `${one}=${way}&${other}=${otherWay}`;
}

function shuffled<Item>(items: readonly Item[], below: (max: number) => number): readonly Item[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    const [left, right] = [mixed[at], mixed[other]];
    if (left !== undefined && right !== undefined) [mixed[at], mixed[other]] = [right, left];
  }
  return mixed;
}
