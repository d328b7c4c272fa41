/** The catalogue of types, read from a file beside this one on first use. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { TypeCatalogue, type WrittenTypeCatalogue } from '../language/types/catalogue/catalogue.ts';

let loaded: TypeCatalogue | undefined;

/** Throws if the file is missing. */
export function loadTypeCatalogue(): TypeCatalogue {
  loaded ??= new TypeCatalogue(
    // The script that writes it writes this shape.
    JSON.parse(inflateRawSync(readFileSync(file())).toString()) as WrittenTypeCatalogue,
  );
  return loaded;
}

// In a bundle, the file is beside it.
function file(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  const own = 'type-catalogue.bin';
  return isBundle
    ? path.join(import.meta.dirname, own)
    : path.join(import.meta.dirname, '../language/types/catalogue', own);
}
