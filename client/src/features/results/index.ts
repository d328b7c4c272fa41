/**
 * Stores and displays results. By default they open in the panel below the editors, so that the query stays visible,
 * wide rows get the full width, and the focus stays in the editor. A setting opens each result in an editor tab
 * instead, beside the query or in the query's editor group.
 */
import type { ResultsDependencies, ResultsFeature } from './results-feature.ts';
import { Results } from './results.ts';

export type {
  ComparedSide,
  ComparisonState,
  FormRequest,
  ParameterFormState,
  ResultState,
} from '#panel-protocol/messages.ts';
export type { Result, ResultActions, ResultWriter, RowsOfRun } from './result.ts';
export { nullTextFor } from './as-text/text-options.ts';
export type { RowsSource } from './rows-source.ts';
export type { ResultsFeature, SelectedRows } from './results-feature.ts';

export function registerResults(deps: ResultsDependencies): ResultsFeature {
  const results = new Results(deps);
  results.register();
  return results;
}
