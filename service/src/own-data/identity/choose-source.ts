/** What fills the identity model of this start: a preset, or a person's mapping. */
import { createHash } from 'node:crypto';
import { UsageError } from '../../process.ts';
import type { ServeRules } from '../served.ts';
import { readYamlText } from '../yaml-file.ts';
import { mappedSource, parseMapping, type Mapping } from './mapping.ts';
import { postgresqlPreset } from './postgresql.ts';

export interface ChosenSource {
  readonly identity: ServeRules['identity'];
  readonly classes: Mapping['classes'];
  /** Changes with what was chosen. */
  readonly digest: string;
}

const presets = ['postgresql'];

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
      digest: preset,
    };
  }
  if (file === undefined) return { identity: undefined, classes: new Map(), digest: '' };
  const text = await readYamlText('The mapping', file);
  const mapping = parseMapping(file, text);
  // Later, a value that does not fit is told to who reads it.
  let triesValues = true;
  return {
    identity: async (database, { extensionSchemas }) => {
      const source = await mappedSource(mapping, file, database, { extensionSchemas, triesValues });
      triesValues = false;
      return source;
    },
    classes: mapping.classes,
    digest: createHash('sha256').update(text).digest('base64url'),
  };
}
