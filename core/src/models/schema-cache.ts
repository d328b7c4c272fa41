/**
 * Caches the models of each connection in local files, so that names are known before the service responds. Contains
 * names, types and descriptions, but no rows.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SemanticModel } from '#api/contract/models.ts';
import { Queue } from '#base/async/queue.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { isObject } from '#base/values/is-object.ts';
import type { CatalogueColumn, CatalogueTable, ColumnTarget } from '#server/protocol.ts';
import { relateTables } from './relate-tables.ts';

export interface CachedSchema {
  /** Milliseconds since 1970. */
  readonly readAt: number;
  readonly tables: readonly CatalogueTable[];
}

export interface CachedModels {
  readonly readAt: number;
  readonly models: readonly SemanticModel[];
  readonly schemas: Readonly<Record<string, CachedSchema>>;
}

/** Incremented when older files can no longer be parsed. */
const format = 1;
/** Maximum number of cached connections; the least recently used are dropped. */
const keptConnections = 20;

export class SchemaCache {
  readonly #folder: string;
  readonly #writes = new Queue();

  /** @param folder created on the first write. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns undefined if the cache has no usable entry. */
  async load(key: string): Promise<CachedModels | undefined> {
    try {
      return parseCache(JSON.parse(await readFile(this.#file(key), 'utf8')));
    } catch {
      return undefined; // a missing file, or one truncated by a crash, counts as absent
    }
  }

  /** Replaces the entry atomically. @throws a file system error. */
  async save(key: string, models: CachedModels): Promise<void> {
    const text = JSON.stringify({ format, ...models });
    await this.#writes.add(async () => {
      await makePrivateFolder(this.#folder);
      await writePrivateFile(this.#file(key), text);
      await this.#removeOldest();
    });
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'));
    if (names.length <= keptConnections) return;
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        return { file, at: (await stat(file)).mtimeMs };
      }),
    );
    files.sort((a, b) => b.at - a.at);
    await Promise.all(files.slice(keptConnections).map(({ file }) => rm(file, { force: true })));
  }

  #file(key: string): string {
    return path.join(this.#folder, `${key}.json`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** @returns undefined if the format or shape does not match. */
export function parseCache(value: unknown): CachedModels | undefined {
  const file = fieldsOf(value);
  if (file?.['format'] !== format || typeof file['readAt'] !== 'number') return undefined;
  const schemas: [string, CachedSchema][] = [];
  for (const [model, each] of Object.entries(fieldsOf(file['schemas']) ?? {})) {
    const schema = fieldsOf(each);
    if (typeof schema?.['readAt'] !== 'number') continue;
    schemas.push([
      model,
      { readAt: schema['readAt'], tables: relateTables(listOf(schema['tables'], parseTable)) },
    ]);
  }
  return {
    readAt: file['readAt'],
    models: listOf(file['models'], (fields) =>
      typeof fields['name'] === 'string'
        ? {
            name: fields['name'],
            description: textOf(fields['description']) ?? '',
            ...(fields['default'] === true ? { default: true } : {}),
          }
        : undefined,
    ),
    schemas: Object.fromEntries(schemas),
  };
}

function parseTable(fields: Fields): CatalogueTable | undefined {
  if (typeof fields['name'] !== 'string') return undefined;
  return {
    name: fields['name'],
    ...described(fields),
    columns: listOf(fields['columns'], parseColumn),
  };
}

function parseColumn(fields: Fields): CatalogueColumn | undefined {
  const { name, type, nullable, values, isOwnId } = fields;
  const found = textOf(fields['class']);
  if (typeof name !== 'string' || typeof type !== 'string') return undefined;
  const refersTo = listOf(fields['refersTo'], parseTarget);
  const known = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return {
    name,
    type,
    ...(typeof nullable === 'boolean' ? { nullable } : {}),
    ...described(fields),
    ...(known.length === 0 ? {} : { values: known }),
    ...(found === undefined ? {} : { class: found }),
    ...(isOwnId === true ? { isOwnId } : {}),
    ...(refersTo.length === 0 ? {} : { refersTo }),
  };
}

function parseTarget({ model, table, column, rank }: Fields): ColumnTarget | undefined {
  return typeof table === 'string' && typeof column === 'string' && typeof rank === 'number'
    ? { ...(typeof model === 'string' ? { model } : {}), table, column, rank }
    : undefined;
}

function described(fields: Fields): { readonly description?: string } {
  const description = textOf(fields['description']);
  return description === undefined ? {} : { description };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listOf<T>(value: unknown, parse: (fields: Fields) => T | undefined): T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const fields = fieldsOf(each);
    const parsed = fields === undefined ? undefined : parse(fields);
    return parsed === undefined ? [] : [parsed];
  });
}
