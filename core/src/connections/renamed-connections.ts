/** Distinguishes a renamed connection from a removed one. Does not depend on the editor. */

export interface Named {
  readonly name: string;
  /** The result of `connectionKeyOf`. */
  readonly key: string;
  /** The result of `serviceKeyOf`. */
  readonly service: string;
}

export type Home = Pick<Named, 'key' | 'service'>;

/**
 * Returns the current name of a connection; undefined if it no longer exists.
 * @param meant its old name and, if known, its target, since the name may now belong to another connection.
 * @param present the existing connections.
 * @param remembered names and their keys in the order first seen, including removed ones.
 */
export function nameNow(
  meant: { readonly name: string; readonly home?: Home | undefined },
  present: readonly Named[],
  remembered: ReadonlyMap<string, string>,
): string | undefined {
  const { name, home } = meant;
  const bearers = present.filter((each) => each.name === name);
  // The connection is the same even if its client ID or token address changed.
  if (bearers.some(({ service }) => home === undefined || service === home.service)) return name;
  const key = home?.key ?? remembered.get(name);
  // If several connections have the same target, the newest is the renamed one.
  const order = [...remembered.keys()];
  return present
    .filter((each) => each.key === key)
    .toSorted((a, b) => order.indexOf(b.name) - order.indexOf(a.name))[0]?.name;
}
