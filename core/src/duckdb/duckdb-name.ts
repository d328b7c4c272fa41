/** Quotes a name for DuckDB, whose reserved words are not those of PostgreSQL. */
export function duckDbName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
