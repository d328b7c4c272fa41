/** Explains before installation whether a pack fits the known models, from a file or the service. */
import { readCatalogue } from '#core/models/read-schema.ts';
import { fitOf, fitSentences, type FitReport } from '#core/packs/fit.ts';
import type { Pack } from '#core/packs/read-pack.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { sharedAnalyser } from '../checks.ts';
import { CliError, type CliContext } from '../context.ts';
import { readModelsFile } from '../models/models-file.ts';
import { withService, type ConnectionOptions } from '../service.ts';

export interface FitOptions extends ConnectionOptions {
  readonly models?: string;
}

/** Returns undefined if neither a service nor a file lists the models. */
export async function fitFor(
  context: CliContext,
  pack: Pack,
  options: FitOptions,
): Promise<FitReport | undefined> {
  const models = await modelsFor(context, options);
  const files = pack.queries.map(({ file }) => file);
  if (models === undefined) return undefined;
  return fitOf(files, pack.manifest.requires, models, await unknownNames(pack, models));
}

/** Reads the queries themselves: what a pack says about them may be incomplete. */
async function unknownNames(
  { queries }: Pack,
  models: readonly CatalogueModel[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const analyser = sharedAnalyser();
  const unknown = new Map<string, readonly string[]>();
  for (const { file, text, model } of queries) {
    const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue: { models }, model });
    const names = (analysis?.findings ?? [])
      .filter(({ code }) => nameCodes.has(code))
      .map(({ start, end }) => text.slice(start, end));
    unknown.set(file, [...new Set(names)]);
  }
  return unknown;
}

const nameCodes: ReadonlySet<string> = new Set(['UNKNOWN_MODEL', 'UNKNOWN_TABLE', 'UNKNOWN_COLUMN']);

export function fitLines(report: FitReport | undefined): readonly string[] {
  return report === undefined
    ? ['Whether its queries fit is unknown: add --connection NAME, or --models FILE.']
    : fitSentences(report);
}

async function modelsFor(
  context: CliContext,
  options: FitOptions,
): Promise<readonly CatalogueModel[] | undefined> {
  if (options.models !== undefined) return await readModelsFile(options.models, context);
  const { signal } = context;
  try {
    return await withService(context, options, ({ client }) => readCatalogue(client, { signal }));
  } catch (error) {
    // A pack can be installed without a connection, but a connection that was named must work.
    const isOptional = options.connection === undefined && options.connections === undefined;
    if (error instanceof CliError && isOptional) return undefined;
    throw error;
  }
}
