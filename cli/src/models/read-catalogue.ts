/** The models of a service with their tables and columns, as the checks want them. */
import type { ServiceClient } from '../../../api/client/client.ts';
import { readModelSchema } from '../../../core/src/models/model-schema.ts';
import type { CatalogueModel } from '../../../server/src/protocol.ts';

/**
 * @param options.only the one model that is of interest.
 * @throws ApiError, ContractError when the service does not tell its models.
 */
export async function readCatalogue(
  client: ServiceClient,
  { signal, only }: { readonly signal: AbortSignal; readonly only?: string | undefined },
): Promise<readonly CatalogueModel[]> {
  const listed = await client.models.list({ signal });
  const models: CatalogueModel[] = [];
  for (const { name, description } of listed) {
    if (only !== undefined && name !== only) continue;
    const tables = await readModelSchema(client, name, { signal });
    models.push({ name, description, tables });
  }
  return models;
}
