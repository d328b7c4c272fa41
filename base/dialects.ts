/** Names of the SQL dialects, which the editor's setting and the server share. */

/** The dialects of the parser package, except `postgresql`, which has its own parser here. */
export const dialects = [
  'athena',
  'bigquery',
  'db2',
  'flinksql',
  'hive',
  'mariadb',
  'mysql',
  'noql',
  'redshift',
  'snowflake',
  'sqlite',
  'transactsql',
  'trino',
] as const;
