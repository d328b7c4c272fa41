/**
 * Tables and columns of a model. The service has no operation for them, so information_schema is asked through
 * execute (assumption `model-columns`).
 */
import type { ServiceClient } from '../../../api/client/client.ts';
import { limits } from '../../../api/contract/limits.ts';
import type { CatalogueColumn, CatalogueTable } from '../../../server/src/protocol.ts';
import { describeTables } from './descriptions.ts';

const columnsQuery = `SELECT table_name, column_name, data_type, udt_name, is_nullable
FROM information_schema.columns
WHERE table_schema = :model
ORDER BY table_name, ordinal_position`;

/** @throws ApiError when the service does not answer this, which leaves tables and columns unknown. */
export async function readModelSchema(
  client: ServiceClient,
  model: string,
  signal?: AbortSignal,
): Promise<readonly CatalogueTable[]> {
  const tables = new Map<string, CatalogueColumn[]>();
  let pageToken: string | undefined;
  do {
    const page = await client.queries.execute(
      {
        query_string: columnsQuery,
        model,
        parameters: { model },
        pageSize: limits.executePageSizeMax,
        ...(pageToken === undefined ? {} : { pageToken }),
      },
      { signal },
    );
    for (const [table, name, dataType, udtName, isNullable] of page.rows) {
      if (typeof table !== 'string' || typeof name !== 'string') continue;
      const columns = tables.get(table) ?? [];
      columns.push({ name, type: typeName(dataType, udtName), nullable: isNullable !== 'NO' });
      tables.set(table, columns);
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return describeTables([...tables].map(([name, columns]) => ({ name, columns })));
}

/** `ARRAY` says nothing of the elements: PostgreSQL names an array type by its element with an underscore in front. */
function typeName(dataType: unknown, udtName: unknown): string {
  if (dataType === 'ARRAY' && typeof udtName === 'string') return `${udtName.replace(/^_/, '')}[]`;
  return typeof dataType === 'string' ? dataType : 'unknown';
}
