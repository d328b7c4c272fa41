/** Determines which of a pack's queries fit a service's models, and which needed names are missing. Pure. */
import { t } from '#base/texts.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import type { PackManifest } from './pack-manifest.ts';

export interface FitReport {
  readonly queries: number;
  /** Files whose required columns all exist. */
  readonly fitting: readonly string[];
  /** Missing names (`model.table.column`, `model.table` or `model`) and the files that need them, most needed first. */
  readonly missing: readonly { readonly name: string; readonly files: readonly string[] }[];
  /** Files that declare no columns, or whose columns the service does not list. */
  readonly unknown: readonly string[];
}

/**
 * @param files the query files of the pack.
 * @param unknownIn names in the text of a query that the models lack, since a pack may declare too little.
 */
export function fitOf(
  files: readonly string[],
  requires: PackManifest['requires'],
  models: readonly CatalogueModel[],
  unknownIn: ReadonlyMap<string, readonly string[]> = new Map(),
): FitReport {
  const known = new Map(models.map((model) => [model.name, model]));
  const fitting: string[] = [];
  const unknown: string[] = [];
  const missing = new Map<string, Set<string>>();
  for (const file of files) {
    const columns = Object.hasOwn(requires, file) ? requires[file] : undefined;
    const outcomes = (columns ?? []).map((column) => lookUp(column, known));
    const declared = outcomes.filter((outcome) => outcome !== 'there' && outcome !== 'unknown');
    const absent = declared.length > 0 ? declared : (unknownIn.get(file) ?? []);
    for (const name of absent) missing.set(name, (missing.get(name) ?? new Set()).add(file));
    if (absent.length > 0) continue;
    if (columns === undefined || columns.length === 0 || outcomes.includes('unknown')) unknown.push(file);
    else fitting.push(file);
  }
  return {
    queries: files.length,
    fitting,
    unknown,
    missing: [...missing]
      .map(([name, needing]) => ({ name, files: [...needing] }))
      .sort((a, b) => b.files.length - a.files.length || (a.name < b.name ? -1 : 1)),
  };
}

/** Returns `there`, `unknown`, or the longest missing part of the name. */
function lookUp(column: string, models: ReadonlyMap<string, CatalogueModel>): string {
  const [modelName = '', tableName = '', name = ''] = column.split('.');
  const model = models.get(modelName);
  if (model === undefined) return modelName;
  // Assumed tables come from the specification rather than from the service.
  if (model.tables === undefined || model.tables.length === 0 || model.isAssumed === true) return 'unknown';
  const table = model.tables.find((each) => each.name === tableName);
  if (table === undefined) return `${modelName}.${tableName}`;
  if (table.columns === undefined) return 'unknown';
  return table.columns.some((each) => each.name === name) ? 'there' : column;
}

/** Returns the missing names that a file needs, in report order. */
export function missingFor(report: FitReport, file: string): readonly string[] {
  return report.missing.filter(({ files }) => files.includes(file)).map(({ name }) => name);
}

const shownMax = 10;

/** Returns one sentence per line, such as "37 of 40 queries fit your models." and "3 lack roles.privileged." */
export function fitSentences(report: FitReport): readonly string[] {
  const sentences = [t('{0} of {1} queries fit your models.', report.fitting.length, report.queries)];
  for (const { name, files } of report.missing.slice(0, shownMax))
    sentences.push(files.length === 1 ? t('1 lacks {0}.', name) : t('{0} lack {1}.', files.length, name));
  const more = report.missing.length - shownMax;
  if (more > 0)
    sentences.push(more === 1 ? t('1 more name is missing.') : t('{0} more names are missing.', more));
  if (report.unknown.length > 0)
    sentences.push(
      t('Fit unknown for {0}: the service or the pack does not list the columns.', report.unknown.length),
    );
  return sentences;
}
