import type { PGlite } from '@electric-sql/pglite';
import type { DataSettings } from '../query/messages.ts';
export async function loadData(_database: PGlite, _settings: DataSettings): Promise<void> {
  await Promise.resolve();
}
