/** The name of a type as schemas, records and hovers spell it. */
const words: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
]);

/** Services name the types of a result by PostgreSQL's internal names. Other names stay. */
export function typeWord(type: string): string {
  const element = type.replace(/\[\]$/, '');
  return (words.get(element) ?? element) + type.slice(element.length);
}
