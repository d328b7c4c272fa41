/** Reads models from a file, as written by `models --json`. */
import { typedText } from '#base/advice.ts';
import { readBoundedText, refusedWords } from '#base/files/bounded-file.ts';
import { modelsBytesMax } from '#server/models/folder-models.ts';
import { parseModelsText } from '#server/models/parse-models.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { readText } from '../text-file.ts';
import { noteMembers } from './note-members.ts';

/** Reads a file that the person named. @throws CliError */
export async function readModelsFile(file: string, context: CliContext): Promise<readonly CatalogueModel[]> {
  return parsed(file, await readText(file, context), context);
}

/** Reads a file of a folder that a stranger may have made. @throws CliError */
export async function readModelsWithin(
  within: string,
  file: string,
  context: CliContext,
): Promise<readonly CatalogueModel[]> {
  const text = await readBoundedText(file, { maxBytes: modelsBytesMax, within }).catch((error: unknown) => {
    throw new CliError(`Cannot read "${file}": ${refusedWords(error)}.`, [], { cause: error });
  });
  return parsed(file, text, context);
}

function parsed(file: string, text: string, { stderr }: CliContext): readonly CatalogueModel[] {
  let models: readonly CatalogueModel[] | undefined;
  try {
    models = parseModelsText(text, noteMembers(stderr));
  } catch (error) {
    throw new CliError(`Cannot read "${file}": it is not JSON.`, [], { cause: error });
  }
  if (models === undefined)
    throw new CliError(`"${file}" must hold a list of models: names, or { "name", "tables" }.`, [
      `Write one with: ${typedText(advice.writeModels())}`,
    ]);
  return models;
}
