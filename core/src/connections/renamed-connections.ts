/** Telling a connection that got another name from one that is gone. No editor API. */

export interface Named {
  readonly name: string;
  /** `connectionKeyOf` */
  readonly key: string;
  /** `serviceKeyOf` */
  readonly service: string;
}

/** What a connection connects to. */
export type Home = Pick<Named, 'key' | 'service'>;

/**
 * What a connection is called now; undefined when there is none any more.
 * @param meant the name it had and, where known, what it connected to: its name may have been given to another.
 * @param present the connections that there are.
 * @param remembered names and their keys in the order in which they were first seen, those that are gone included.
 */
export function nameNow(
  meant: { readonly name: string; readonly home?: Home | undefined },
  present: readonly Named[],
  remembered: ReadonlyMap<string, string>,
): string | undefined {
  const { name, home } = meant;
  const bearers = present.filter((each) => each.name === name);
  // Another client id or token address of the same service does not make it another connection.
  if (bearers.some(({ service }) => home === undefined || service === home.service)) return name;
  const key = home?.key ?? remembered.get(name);
  // Of several that connect to the same, the one that came last is the one that was renamed.
  const order = [...remembered.keys()];
  return present
    .filter((each) => each.key === key)
    .toSorted((a, b) => order.indexOf(b.name) - order.indexOf(a.name))[0]?.name;
}
