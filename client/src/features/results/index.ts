/**
 * Results: where rows are kept and shown. The default place is the panel below the editors: the query stays in sight
 * above its rows, wide rows get the whole width, and opening it never takes the focus. A setting puts each result into an
 * editor tab beside the query, or into the query's own group.
 */
import { Results } from './results.ts';
import type { ResultsDependencies, ResultsFeature } from './results-feature.ts';

export type {
  ComparedSide,
  ComparisonState,
  FormRequest,
  ParameterFormState,
  ResultState,
} from '../../../../panel-protocol/messages.ts';
export type { Result, ResultActions, ResultWriter } from './result.ts';
export type { PagedRows } from './export/export-result.ts';
export type { ExportChoice } from './export/export-rows.ts';
export type { RowsPage } from '../../../../core/src/rows/rows-page.ts';
export type { RowsSource } from './rows-source.ts';
export type { ResultsFeature, SelectedRows } from './results-feature.ts';

export function registerResults(deps: ResultsDependencies): ResultsFeature {
  const results = new Results(deps);
  results.register();
  return results;
}
