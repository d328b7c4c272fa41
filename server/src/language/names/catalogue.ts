/** Known facts about the service's models. A model's tables and a table's columns may be unknown. */
import type { CatalogueColumn, CatalogueModel, CatalogueTable, ColumnName } from '#server/protocol.ts';

export interface Catalogue {
  readonly models: readonly CatalogueModel[];
}

/** PostgreSQL's own schemas, which are not models. */
const systemSchemas = new Set(['pg_catalog', 'information_schema', 'pg_temp', 'pg_toast', 'public']);

export function isSystemSchema(name: string): boolean {
  return systemSchemas.has(name) || /^pg_(toast_)?temp_\d+$/.test(name);
}

export function findModel(catalogue: Catalogue, name: string): CatalogueModel | undefined {
  return catalogue.models.find((model) => model.name === name);
}

/** Returns the model of queries that name none; undefined if the models do not say which. */
export function markedModel(catalogue: Catalogue | undefined): string | undefined {
  return catalogue?.models.find(({ isDefault }) => isDefault === true)?.name;
}

export function findTable(model: CatalogueModel, name: string): CatalogueTable | undefined {
  return model.tables?.find((table) => table.name === name);
}

export function findColumn(
  catalogue: Catalogue,
  { model, table, column }: ColumnName,
): CatalogueColumn | undefined {
  const owner = findModel(catalogue, model);
  const columns = owner && findTable(owner, table)?.columns;
  return columns?.find(({ name }) => name === column);
}

/** Longer names are not compared, since the comparison is quadratic. PostgreSQL itself keeps only 63 bytes. */
const comparedLengthMax = 128;

/** Returns the known name closest to a mistyped one, or undefined if none is close. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > comparedLengthMax) return undefined;
  const lower = name.toLowerCase();
  const limit = name.length < 4 ? 1 : Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

const choicesMax = 3;

/** Splits a name into its lower-case words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '');

/**
 * Returns the known names that contain the words of another one, such as `created_date` for `created`: those that start
 * with them first, then the shortest ones.
 */
export function namesWithWords(name: string, known: Iterable<string>): readonly string[] {
  const wanted = wordsOf(name).join('_');
  if (wanted === '') return [];
  return [...new Set(known)]
    .map((candidate) => ({ candidate, at: `_${wordsOf(candidate).join('_')}_`.indexOf(`_${wanted}_`) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0) || a.candidate.length - b.candidate.length)
    .slice(0, choicesMax)
    .map(({ candidate }) => candidate);
}

/** Returns the edit distance, with transpositions, or `limit` if it is not lower. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? limit, limit);
}
