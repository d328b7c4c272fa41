/** The input for `check` if no file is named: the folder's saved queries, with the models next to them. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { typedLine, typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { readQueryFolder, shown } from '#core/sync/folder/read-folder.ts';
import { diskSource } from '#core/sync/folder/sources.ts';
import { metadataFileOf, modelsFile, queriesFolder } from '#core/sync/format/layout.ts';
import { sayIndexProblem } from '#core/sync/format/problem-messages.ts';
import { nearestHolder } from '#core/sync/workspace.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { readModelsWithin } from '../models/models-file.ts';
import { write } from '../output.ts';

export interface CheckedFolder {
  /** Display paths, relative to the current folder. */
  readonly files: readonly string[];
  /** Whether every query of the folder could be used. */
  readonly isComplete: boolean;
  readonly modelOf: (file: string) => string | undefined;
  /** If undefined, names are not checked. */
  readonly models: readonly CatalogueModel[] | undefined;
}

/** @throws CliError if there is no such folder; SyncError if it is malformed. */
export async function readCheckedFolder(context: CliContext): Promise<CheckedFolder> {
  const holder = await nearestHolder(context.cwd);
  if (holder === undefined)
    throw new CliError(
      `No file was named, and there is no folder ${queriesFolder} with saved queries here or above.`,
      [typedLine(advice.checkFile('query.identity.sql'))],
    );
  const root = path.join(holder, queriesFolder);
  const source = await diskSource(root);
  const { queries, held, unlisted } = await readQueryFolder(source);
  const renamed = new Set(held.map(({ problem }) => (problem.kind === 'file' ? problem.renamed : undefined)));
  for (const { problem, source: of } of held)
    await write(context.stderr, `identity-queries: ${forTerminal(sayIndexProblem(problem, shown(of)))}\n`);
  for (const file of unlisted.filter((each) => !renamed.has(each)))
    await write(
      context.stderr,
      `${forTerminal(shown(file))} is not checked: ${forTerminal(shown(metadataFileOf(file)))} is missing.\n`,
    );
  if (held.length > 0 && (await realpath(context.cwd)) !== holder)
    await write(
      context.stderr,
      `These files are in another folder: ${forTerminal(typedText(advice.goTo(holder)))}\n`,
    );
  const placeOf = (file: string) => path.relative(context.cwd, path.join(root, file));
  const models = new Map(queries.map(({ file, draft }) => [placeOf(file), draft.model]));
  const snapshot = source.files.get(modelsFile) === 'file' ? path.join(root, modelsFile) : undefined;
  return {
    files: [...models.keys()],
    isComplete: held.length === 0,
    modelOf: (file) => models.get(file),
    models: snapshot === undefined ? undefined : await readModelsWithin(root, snapshot, context),
  };
}
