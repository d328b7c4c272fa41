/** What fills the identity model of this start: a preset, or a person's mapping. */
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { UsageError } from '../../process.ts';
import { OwnDatabaseError } from '../database.ts';
import type { ServeRules } from '../served.ts';
import { mappedSource, parseMapping, type Mapping } from './mapping.ts';
import { postgresqlPreset } from './postgresql.ts';

export interface ChosenSource {
  readonly identity: ServeRules['identity'];
  readonly classes: Mapping['classes'];
}

const presets = ['postgresql'];
const mostMappingBytes = 1_048_576;

/** @throws UsageError or OwnDatabaseError if the choice cannot be used. */
export async function chooseSource({
  preset,
  mapping: file,
}: {
  readonly preset: string | undefined;
  readonly mapping: string | undefined;
}): Promise<ChosenSource> {
  if (preset !== undefined && file !== undefined)
    throw new UsageError('--preset and --mapping both make the identity model. Choose one.');
  if (preset !== undefined) {
    if (!presets.includes(preset))
      throw new UsageError(`There is no preset "${preset.slice(0, 40)}". There are: ${presets.join(', ')}.`);
    return {
      identity: (_database, { major }) => Promise.resolve(postgresqlPreset(major)),
      classes: new Map(),
    };
  }
  if (file === undefined) return { identity: undefined, classes: new Map() };
  const mapping = parseMapping(file, await textOf(file));
  return {
    identity: (database, { extensionSchemas }) => mappedSource(mapping, file, database, extensionSchemas),
    classes: mapping.classes,
  };
}

async function textOf(file: string): Promise<string> {
  try {
    const bytes = await readBounded(file, { maxBytes: mostMappingBytes });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof FileRefusal)
      throw new OwnDatabaseError(`The mapping ${file} cannot be used: ${error.message}.`, { cause: error });
    if (error instanceof TypeError)
      throw new OwnDatabaseError(`The mapping ${file} is not UTF-8 text.`, { cause: error });
    throw error;
  }
}
