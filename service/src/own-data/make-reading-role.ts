/** Makes a login that can only read, as the owner of the tables. */
import { readingRoleSql, type ReadingRole } from '#base/reading-role-sql.ts';
import { reasonOf } from '../postgres/connection.ts';
import { OwnDatabaseError, type OwnDatabase } from './database.ts';

/** Everything is done, or nothing. @throws OwnDatabaseError */
export async function makeReadingRole(database: OwnDatabase, role: ReadingRole): Promise<void> {
  const connection = await database.connect();
  try {
    // The password goes to the server as a verifier only where it makes one; so keep the text out of its log.
    await connection.exec('BEGIN');
    await connection.exec(`SET LOCAL log_statement = 'none'`).catch(async () => {
      await connection.exec('ROLLBACK; BEGIN'); // only superusers may
    });
    await connection.exec(readingRoleSql(role));
    await connection.exec('COMMIT');
  } catch (error) {
    throw new OwnDatabaseError(
      `The login ${role.role} was not made, and nothing was changed: ${reasonOf(error)}. ${adviceFor(error)}`,
      { cause: error },
    );
  } finally {
    await connection.close().catch(() => connection.destroy());
  }
}

function adviceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case '42710':
      return 'Choose another name, or drop that role first.';
    case '42501':
      return 'Use the owner of the tables, who may also create roles (CREATEROLE).';
    case '3F000':
      return 'Check the names of the schemas.';
    default:
      return 'Look at the SQL, and run it yourself.';
  }
}
