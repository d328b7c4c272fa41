/** Writes small packs to folders, for tests. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeManifest } from '#core/packs/pack-manifest.ts';
import { writeIndex } from '#core/sync/format/query-index.ts';

export interface PackShape {
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
  /** Query text by file name, in the order of the index. */
  readonly queries?: Readonly<Record<string, string>>;
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  /** Query names by file name; the default is the file name. */
  readonly names?: Readonly<Record<string, string>>;
}

export const plainQueries = {
  'one.identity.sql': '-- @control P-1 One\nSELECT alias FROM accounts\n',
  'two/three.identity.sql': '-- @control P-2 Two\nSELECT name FROM roles\n',
};

export async function writePack(folder: string, shape: PackShape = {}): Promise<void> {
  const { name = 'small', title = 'Small', version = '1.0.0', queries = plainQueries } = shape;
  const entries = Object.keys(queries).map((file) => ({
    file,
    name: shape.names?.[file] ?? file.replace('.identity.sql', ''),
    model: 'platform_identity',
    description: '',
    ids: {},
  }));
  const put = async (file: string, text: string) => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  };
  const { requires = {} } = shape;
  await put(
    'pack.json',
    writeManifest({
      name,
      title,
      version,
      license: 'MIT',
      description: 'For tests.',
      requires,
      benchmarks: [],
    }),
  );
  await put('queries/saved-queries.json', writeIndex(entries));
  for (const [file, text] of Object.entries(queries)) await put(`queries/${file}`, text);
}
