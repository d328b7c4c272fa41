/** Reads models from a file, as written by `models --json`. */
import { typedText } from '#base/advice.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { readText } from '../text-file.ts';
import { noteMembers } from './note-members.ts';
import { parseModels } from './parse-models.ts';

/** @throws CliError */
export async function readModelsFile(file: string, context: CliContext): Promise<readonly CatalogueModel[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(file, context));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`Cannot read "${file}": it is not JSON.`, [], { cause: error });
  }
  const list = typeof value === 'object' && value !== null && 'models' in value ? value.models : value;
  const models = parseModels(list, noteMembers(context.stderr));
  if (models === undefined || models === null)
    throw new CliError(`"${file}" must hold a list of models: names, or { "name", "tables" }.`, [
      `Write one with: ${typedText(advice.writeModels())}`,
    ]);
  return models;
}
