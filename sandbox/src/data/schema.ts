import type { PGlite } from '@electric-sql/pglite';
export async function installSchema(database: PGlite): Promise<void> {
  for (const s of ['platform_identity', 'platform_governance'])
    await database.exec(
      `CREATE SCHEMA ${s}; CREATE ROLE reader_${s}; GRANT USAGE ON SCHEMA ${s} TO reader_${s}`,
    );
}
