/** Repeated names get a number. Names that occur in the result stay with their columns. */
export function distinctNames(names: readonly string[]): string[] {
  const real = new Set(names);
  const taken = new Set<string>();
  /** The next number of each name: those before it are taken. */
  const counts = new Map<string, number>();
  return names.map((name) => {
    let distinct = name;
    let count = counts.get(name) ?? 2;
    while (taken.has(distinct) || (distinct !== name && real.has(distinct))) distinct = `${name}_${count++}`;
    counts.set(name, count);
    taken.add(distinct);
    return distinct;
  });
}
