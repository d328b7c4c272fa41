/** Loads the catalog of types from a file on first use. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { TypeCatalogue, type WrittenTypeCatalogue } from '../language/types/catalogue/catalogue.ts';

let loaded: TypeCatalogue | undefined;

/** @throws if the file is missing */
export function loadTypeCatalogue(): TypeCatalogue {
  loaded ??= new TypeCatalogue(
    // The script that generates the file guarantees the shape.
    JSON.parse(inflateRawSync(readFileSync(file())).toString()) as WrittenTypeCatalogue,
  );
  return loaded;
}

// The file is next to the bundle, or in its folder when run from source.
function file(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  const own = 'type-catalogue.bin';
  return isBundle
    ? path.join(import.meta.dirname, own)
    : path.join(import.meta.dirname, '../language/types/catalogue', own);
}
