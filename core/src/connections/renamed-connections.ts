/** Distinguishes a renamed connection from a removed one. Independent of the editor. */

export interface Named {
  readonly name: string;
  /** `connectionKeyOf` */
  readonly key: string;
  /** `serviceKeyOf` */
  readonly service: string;
}

/** The target of a connection. */
export type Home = Pick<Named, 'key' | 'service'>;

/**
 * The current name of a connection; undefined if it is gone.
 * @param meant its old name and, if known, its target: the name may now belong to another connection.
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
  // A different client ID or token address of the same service is still the same connection.
  if (bearers.some(({ service }) => home === undefined || service === home.service)) return name;
  const key = home?.key ?? remembered.get(name);
  // If several have the same target, the newest is the renamed one.
  const order = [...remembered.keys()];
  return present
    .filter((each) => each.key === key)
    .toSorted((a, b) => order.indexOf(b.name) - order.indexOf(a.name))[0]?.name;
}
