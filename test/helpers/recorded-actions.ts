/** Result actions that only record their calls. */
import type { ResultActions } from '#client/features/results/result.ts';

/** Creates result actions that append each call to `calls`. */
export function recordedActions(calls: string[]): ResultActions {
  const record = (name: string) => () => void calls.push(name);
  return {
    cancel: record('cancel'),
    runAgain: record('runAgain'),
    runAnyway: record('runAnyway'),
    editParameters: record('editParameters'),
    submit: (values) => void calls.push(`submit ${JSON.stringify(values)}`),
    form: (request) => void calls.push(`form ${JSON.stringify(request)}`),
    load: (all) => void calls.push(all ? 'load all' : 'load more'),
    goToError: record('goToError'),
    goToQuery: record('goToQuery'),
    openProofSetting: record('openProofSetting'),
    step: (index) => void calls.push(`step ${index}`),
    nextStep: record('nextStep'),
  };
}
