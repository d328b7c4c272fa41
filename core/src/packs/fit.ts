/** Which queries of a pack fit the models of a service: what is missing, and who needs it. Pure. */
import type { CatalogueModel } from '../../../server/src/protocol.ts';
import { t } from '../util/texts.ts';
import type { PackManifest } from './pack-manifest.ts';

export interface FitReport {
  readonly queries: number;
  /** Files whose every column is there. */
  readonly fitting: readonly string[];
  /** By what is missing (`model.table.column`, `model.table` or `model`): the files that need it; most needed first. */
  readonly missing: readonly { readonly name: string; readonly files: readonly string[] }[];
  /** Files of which it is not known: they declare nothing, or the service does not tell its columns. */
  readonly unknown: readonly string[];
}

/** @param files as `saved-queries.json` lists them. */
export function fitOf(
  files: readonly string[],
  requires: PackManifest['requires'],
  models: readonly CatalogueModel[],
): FitReport {
  const known = new Map(models.map((model) => [model.name, model]));
  const fitting: string[] = [];
  const unknown: string[] = [];
  const missing = new Map<string, Set<string>>();
  for (const file of files) {
    const columns = Object.hasOwn(requires, file) ? requires[file] : undefined;
    const outcomes = (columns ?? []).map((column) => lookUp(column, known));
    const absent = outcomes.filter((outcome) => outcome !== 'there' && outcome !== 'unknown');
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

/** `there`, `unknown`, or the largest part of the name that is missing. */
function lookUp(column: string, models: ReadonlyMap<string, CatalogueModel>): string {
  const [modelName = '', tableName = '', name = ''] = column.split('.');
  const model = models.get(modelName);
  if (model === undefined) return modelName;
  // Assumed tables are the specification's, not the service's.
  if (model.tables === undefined || model.tables.length === 0 || model.isAssumed === true) return 'unknown';
  const table = model.tables.find((each) => each.name === tableName);
  if (table === undefined) return `${modelName}.${tableName}`;
  if (table.columns === undefined) return 'unknown';
  return table.columns.some((each) => each.name === name) ? 'there' : column;
}

/** What a file lacks, in order. */
export function missingFor(report: FitReport, file: string): readonly string[] {
  return report.missing.filter(({ files }) => files.includes(file)).map(({ name }) => name);
}

const shownMax = 10;

/** "37 of 40 fit your models. 3 lack roles.privileged." One sentence a line. */
export function fitSentences(report: FitReport): readonly string[] {
  const sentences = [t('{0} of {1} queries fit your models.', report.fitting.length, report.queries)];
  for (const { name, files } of report.missing.slice(0, shownMax)) {
    sentences.push(files.length === 1 ? t('1 lacks {0}.', name) : t('{0} lack {1}.', files.length, name));
  }
  const more = report.missing.length - shownMax;
  if (more > 0) sentences.push(t('{0} more names are missing.', more));
  if (report.unknown.length > 0)
    sentences.push(
      t('For {0} it is unknown: the service or the pack does not tell the columns.', report.unknown.length),
    );
  return sentences;
}
