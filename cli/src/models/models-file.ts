/** Reads models from a file, as written by `models --json`. */
import { typedText } from '#base/advice.ts';
import { parseModelsText } from '#server/models/parse-models.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { readText } from '../text-file.ts';
import { noteMembers } from './note-members.ts';

/** @throws CliError */
export async function readModelsFile(file: string, context: CliContext): Promise<readonly CatalogueModel[]> {
  let models: readonly CatalogueModel[] | undefined;
  try {
    models = parseModelsText(await readText(file, context), noteMembers(context.stderr));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`Cannot read "${file}": it is not JSON.`, [], { cause: error });
  }
  if (models === undefined)
    throw new CliError(`"${file}" must hold a list of models: names, or { "name", "tables" }.`, [
      `Write one with: ${typedText(advice.writeModels())}`,
    ]);
  return models;
}
