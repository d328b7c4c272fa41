/**
 * The tables of a model as the service lists them, or else those of the specification, labelled: for the editor, the
 * terminal and agents alike. One model that cannot be read does not affect the others.
 */
import type { ModelListOptions, ServiceClient } from '#api/client/client.ts';
import { eachOf } from '#base/async/each-of.ts';
import { t } from '#base/texts.ts';
import type { CatalogueModel, CatalogueTable } from '#server/protocol.ts';
import { failureOf } from '../failures/failure.ts';
import { readModelTables } from './model-schema.ts';

export type ReadSchema =
  | { readonly kind: 'loaded'; readonly tables: readonly CatalogueTable[] }
  /** The service does not list its tables, or perhaps not all; they come from the specification at least in part. */
  | { readonly kind: 'assumed'; readonly tables: readonly CatalogueTable[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface ReadSchemaOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the error that made the tables unknown. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** @throws UserAbort; no other error. */
export async function readSchema(
  client: ServiceClient,
  model: string,
  { signal, onFailure }: ReadSchemaOptions = {},
): Promise<ReadSchema> {
  try {
    const { tables, isPartial } = await readModelTables(client, model, { signal });
    if (isPartial)
      return await assumed(model, t('The service may have more tables and columns than it lists.'), tables);
    if (tables.length > 0) return { kind: 'loaded', tables };
    const schema = await assumed(model, t('The service lists no tables for this model.'));
    return schema.kind === 'assumed' ? schema : { kind: 'loaded', tables };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'cancelled') throw error;
    onFailure?.(error);
    return await assumed(model, failure.message);
  }
}

/** Adds the tables of the specification to those that were read. */
async function assumed(
  model: string,
  reason: string,
  read: readonly CatalogueTable[] = [],
): Promise<ReadSchema> {
  const { contractTables } = await import('./contract-tables.ts');
  const names = new Set(read.map(({ name }) => name));
  const tables = [...read, ...(contractTables(model) ?? []).filter(({ name }) => !names.has(name))];
  return tables.length > 0 ? { kind: 'assumed', tables, reason } : { kind: 'failed', reason };
}

/** A model with its tables; `reason` says why they are not known, or not from the service. */
export type ReadModel = CatalogueModel & { readonly reason?: string };

const atOnce = 3;

/**
 * Reads the models with their tables.
 * @param options.only the name of the only model to read.
 * @throws ApiError, ContractError if the service does not list its models.
 */
export async function readCatalogue(
  client: ServiceClient,
  {
    only,
    ...listing
  }: ModelListOptions & { readonly signal: AbortSignal; readonly only?: string | undefined },
): Promise<readonly ReadModel[]> {
  const { signal } = listing;
  const listed = (await client.models.list(listing)).filter(
    ({ name }) => only === undefined || name === only,
  );
  const schemas = new Map<string, ReadSchema>();
  await eachOf(listed, atOnce, async ({ name }) => {
    schemas.set(name, await readSchema(client, name, { signal }));
  });
  return listed.map(({ name, description, default: isDefault }) => ({
    name,
    description,
    ...(isDefault === true ? { isDefault } : {}),
    ...membersOf(schemas.get(name)),
  }));
}

export function membersOf(schema: ReadSchema | undefined): Omit<ReadModel, 'name'> {
  switch (schema?.kind) {
    case 'loaded':
      return { tables: schema.tables };
    case 'assumed':
      return { tables: schema.tables, isAssumed: true, reason: schema.reason };
    case 'failed':
      return { reason: schema.reason };
    case undefined:
      return {};
    default:
      return schema satisfies never;
  }
}
