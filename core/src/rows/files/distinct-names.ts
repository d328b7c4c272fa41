/** Repeated names get a number. Names that occur in the result stay with their columns. */
export function distinctNames(names: readonly string[]): string[] {
  const real = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let count = 2; taken.has(distinct) || (distinct !== name && real.has(distinct)); count += 1)
      distinct = `${name}_${count}`;
    taken.add(distinct);
    return distinct;
  });
}
