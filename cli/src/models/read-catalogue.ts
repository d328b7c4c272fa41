/** Reads a service's models, with their tables and columns, for the checks. */
import type { ServiceClient } from '#api/client/client.ts';
import { readModelSchema } from '#core/models/model-schema.ts';
import type { CatalogueModel } from '#server/protocol.ts';

/**
 * @param options.only the name of the only model to read.
 * @throws ApiError, ContractError if the service does not list its models.
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
