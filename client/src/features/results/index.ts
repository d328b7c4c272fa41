/**
 * Results: storage and display of rows. By default they open in the panel below the editors: the query stays visible,
 * wide rows get the full width, and the focus stays. A setting opens each result in an editor tab beside the query, or
 * in the query's group.
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
export type { RowsPage } from '../../../../core/src/rows/rows-page.ts';
export type { RowsSource } from './rows-source.ts';
export type { ResultsFeature, SelectedRows } from './results-feature.ts';

export function registerResults(deps: ResultsDependencies): ResultsFeature {
  const results = new Results(deps);
  results.register();
  return results;
}
