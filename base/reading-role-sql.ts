/** The SQL of a login that can only read. */
import { quoteIdentifier, quoteText } from './sql-names.ts';

export interface ReadingRole {
  readonly role: string;
  readonly password: string;
  readonly schemas: readonly string[];
  /** Undefined if it is not known; the line for it then says so. */
  readonly database: string | undefined;
}

/** Returns statements for the owner of the tables, one a line, with comments. */
export function readingRoleSql({ role, password, schemas, database }: ReadingRole): string {
  const login = quoteIdentifier(role);
  return `${[
    '-- A login that can only read. Run this as the owner of the tables, who may also create roles.',
    '-- Keep the password in a password file (PGPASSFILE), and nowhere else.',
    `CREATE ROLE ${login} LOGIN NOINHERIT PASSWORD ${quoteText(password)} CONNECTION LIMIT 8;`,
    database === undefined
      ? `-- GRANT CONNECT ON DATABASE ... TO ${login};`
      : `GRANT CONNECT ON DATABASE ${quoteIdentifier(database)} TO ${login};`,
    ...schemas
      .map(quoteIdentifier)
      .flatMap((schema) => [
        `GRANT USAGE ON SCHEMA ${schema} TO ${login};`,
        `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${login};`,
        `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT ON TABLES TO ${login};`,
      ]),
    '-- Only a superuser can limit what its queries write to the disk of the server:',
    `-- ALTER ROLE ${login} SET temp_file_limit = '2GB';`,
  ].join('\n')}\n`;
}
