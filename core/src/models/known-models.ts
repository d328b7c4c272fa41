/** The known models of one connection, read in this window or cached by an earlier one. */
import type { SemanticModel } from '#api/contract/models.ts';
import type { CatalogueModel, CatalogueTable } from '#server/protocol.ts';
import type { CachedModels } from './schema-cache.ts';

export type SchemaState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'loaded';
      readonly tables: readonly CatalogueTable[];
      /** Milliseconds since 1970. */
      readonly readAt: number;
      /** Whether the schema was cached by an earlier window and not reread in this one. */
      readonly isKept: boolean;
    }
  /** The service did not list its tables; these come from the specification. */
  | { readonly kind: 'assumed'; readonly tables: readonly CatalogueTable[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Where asking whether anything changed is one answer without a body. */
const listedMinutes = 5;

/**
 * How old known models may become, in milliseconds. Undefined if only the person has them read again.
 * @param minutes what the person chose
 */
export function modelsAgeMax(
  minutes: unknown,
  models: readonly SemanticModel[],
): { readonly ms: number; readonly isListed: boolean } | undefined {
  if (typeof minutes !== 'number' || !(minutes > 0)) return undefined;
  const isListed = models.length > 0 && models.every(({ listsTables }) => listsTables === true);
  return { ms: (isListed ? Math.min(minutes, listedMinutes) : minutes) * 60_000, isListed };
}

export class KnownModels {
  readonly connection: string;
  /** The name of the cache file. */
  readonly key: string;
  /** Undefined until the models are read from the service or the cache. */
  models: readonly SemanticModel[] | undefined;
  /** When the model list was read, in milliseconds since 1970; 0 if never. */
  readAt = 0;
  readonly schemas = new Map<string, SchemaState>();
  /** Pending reads by model. */
  readonly reading = new Map<string, Promise<SchemaState>>();
  /** Resolves once the cache has been read. */
  readonly whenLooked: Promise<void>;

  constructor(connection: string, key: string, cached: Promise<CachedModels | undefined>) {
    this.connection = connection;
    this.key = key;
    this.whenLooked = cached.then((found) => {
      if (found !== undefined) this.#fill(found);
    });
  }

  setModels(models: readonly SemanticModel[], readAt: number): void {
    this.models = models;
    this.readAt = readAt;
    const names = new Set(models.map((model) => model.name));
    for (const name of this.schemas.keys()) {
      if (!names.has(name)) this.schemas.delete(name);
    }
  }

  /** When the oldest known data was read, in milliseconds since 1970; undefined if unknown. */
  oldestReadAt(): number | undefined {
    if (this.models === undefined) return undefined;
    return [...this.schemas.values()].reduce(
      (oldest, schema) => (schema.kind === 'loaded' ? Math.min(oldest, schema.readAt) : oldest),
      this.readAt,
    );
  }

  catalogue(): readonly CatalogueModel[] | undefined {
    return this.models?.map((model) => {
      const schema = this.schemas.get(model.name);
      return {
        name: model.name,
        description: model.description,
        ...(model.default === true ? { isDefault: true } : {}),
        ...(schema?.kind === 'loaded' ? { tables: schema.tables } : {}),
        ...(schema?.kind === 'assumed' ? { tables: schema.tables, isAssumed: true } : {}),
      };
    });
  }

  toCache(): CachedModels | undefined {
    if (this.models === undefined) return undefined;
    const schemas = [...this.schemas].flatMap(([name, schema]) =>
      schema.kind === 'loaded' ? [[name, { readAt: schema.readAt, tables: schema.tables }] as const] : [],
    );
    return { readAt: this.readAt, models: this.models, schemas: Object.fromEntries(schemas) };
  }

  /** Fills gaps only: data that was read in the meantime is newer than the cache. */
  #fill(cached: CachedModels): void {
    if (this.models === undefined) {
      this.models = cached.models;
      this.readAt = cached.readAt;
    }
    const names = new Set(this.models.map((model) => model.name));
    for (const [name, { tables, readAt }] of Object.entries(cached.schemas)) {
      const known = this.schemas.get(name)?.kind;
      if (names.has(name) && (known === undefined || known === 'loading'))
        this.schemas.set(name, { kind: 'loaded', tables, readAt, isKept: true });
    }
  }
}
