/** The columns that the queries of a pack read, for its manifest. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceClient } from '#api/client/client.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import type { IndexEntry } from '#core/sync/format/query-index.ts';
import { findReferences } from '#server/handlers/text-requests.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import { createState } from '#server/state.ts';

/** Returns the columns that each query reads, according to the language server with the service's models. */
export async function columnsRead({
  client,
  analyser,
  folder,
  entries,
}: {
  readonly client: ServiceClient;
  readonly analyser: Analyser;
  readonly folder: string;
  readonly entries: readonly IndexEntry[];
}): Promise<Record<string, readonly string[]>> {
  const state = createState();
  const models = await readCatalogue(client, { signal: new AbortController().signal });
  state.catalogues.set('service', { models });
  const requires: Record<string, readonly string[]> = {};
  for (const { file, model } of entries) {
    const sql = readFileSync(path.join(folder, file), 'utf8');
    const found = await findReferences(
      { analyser, state },
      { sql, connection: 'service', model },
      () => false,
    );
    const statements = found?.statements ?? [];
    assert.deepEqual(
      statements.map(({ isComplete }) => isComplete),
      [true],
      file,
    );
    const names = statements.flatMap(({ tables }) =>
      tables.flatMap((table) => table.columns.map((column) => `${table.model}.${table.table}.${column}`)),
    );
    requires[file] = [...new Set(names)].sort();
  }
  return requires;
}
