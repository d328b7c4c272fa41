/** Finds the literals that PostgreSQL accepts for a type. */
import type { PGlite } from '@electric-sql/pglite';

/** Session settings to try: a literal counts as accepted if PostgreSQL accepts it with any of them. */
const settings = ['MDY', 'DMY', 'YMD'].flatMap((order) =>
  ['postgres', 'sql_standard'].map(
    (intervals) => `SET DateStyle TO 'ISO, ${order}'; SET IntervalStyle TO ${intervals}`,
  ),
);

export async function readByPostgres(
  database: PGlite,
  type: string,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  for (const setting of /^(?:date|time|interval|ts)/.test(type) ? settings : settings.slice(0, 1)) {
    await database.exec(setting);
    for (const text of await readIn(database, type, texts)) read.add(text);
  }
  return read;
}

/** Returns the accepted literals. If PostgreSQL raises an error instead of rejecting one, retries each half. */
async function readIn(database: PGlite, type: string, texts: readonly string[]): Promise<readonly string[]> {
  try {
    const { rows } = await database.query<{ text: string }>(
      'SELECT text FROM unnest($1::text[]) AS given (text) WHERE pg_input_is_valid(text, $2)',
      [texts, type],
    );
    return rows.map(({ text }) => text);
  } catch (error) {
    if (texts.length === 0) throw error;
    if (texts.length === 1) return [];
    const middle = texts.length >> 1;
    return [
      ...(await readIn(database, type, texts.slice(0, middle))),
      ...(await readIn(database, type, texts.slice(middle))),
    ];
  }
}
