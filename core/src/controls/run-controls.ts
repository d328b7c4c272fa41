/** Runs many controls, a few at a time, and reports each result as soon as it is known. */
import { eachOf } from '#base/async/each-of.ts';
import { t } from '#base/texts.ts';
import { ExpectedError } from '../failures/failure.ts';
import type { ControlResult } from './control-result.ts';
import type { ControlFacts } from './control-rows.ts';
import { withoutTwins, type FoundControl } from './find-controls.ts';
import { notRun, runControl, type CheckedControl, type RunControlOptions } from './run-control.ts';

export interface RunControlsOptions extends RunControlOptions {
  readonly atATime: number;
  /**
   * Checks a query.
   * @throws if the checks fail.
   */
  readonly check: (found: FoundControl) => Promise<CheckedControl>;
  readonly factsOf: (found: FoundControl) => ControlFacts;
  /** The name of the connection, if the controls run on several. */
  readonly connection?: string;
  /** Whether to start no more controls. Those left are in error, since their outcomes are unknown. */
  readonly isStopped?: () => boolean;
  readonly onStart?: (found: FoundControl) => void;
  readonly onEnd?: (result: ControlResult, found: FoundControl) => void;
}

/**
 * Returns the results in the order of the controls, not of completion.
 * @throws AbortError if cancelled.
 */
export async function runControls(
  found: readonly FoundControl[],
  { atATime, check, factsOf, connection, isStopped, onStart, onEnd, ...options }: RunControlsOptions,
): Promise<readonly ControlResult[]> {
  const { controls, twins } = withoutTwins(found);
  const results: ControlResult[] = [];
  await eachOf(controls.entries(), atATime, async ([index, one]) => {
    options.signal.throwIfAborted();
    onStart?.(one);
    const twin = twins.get(one);
    const outcome = twin === undefined ? await run(one) : notRun(one, twinProblem(one, twin));
    const result = connection === undefined ? outcome : { ...outcome, connection };
    results[index] = result;
    onEnd?.(result, one);
  });
  return results;

  async function run(one: FoundControl): Promise<ControlResult> {
    if (isStopped?.() === true)
      return notRun(one, { code: 'NOT_RUN', message: t('Not run, since another control did not pass.') });
    try {
      const checked = await check(one);
      return await runControl({ ...one, checked, facts: factsOf(one) }, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      // A failure of one control must not hide the results of the others.
      if (error instanceof ExpectedError) return notRun(one, { code: 'NOT_RUN', message: error.message });
      const name = error instanceof Error ? error.name : typeof error;
      return notRun(one, {
        code: 'UNEXPECTED',
        message: t('An unexpected error occurred ({0}).', name),
      });
    }
  }
}

function twinProblem(
  { control }: FoundControl,
  twin: FoundControl,
): { readonly code: string; readonly message: string } {
  return {
    code: 'ID_TAKEN',
    message: t(
      'The ID {0} is also used by {1}:{2}.',
      control.id,
      twin.place.name,
      twin.control.lines.control,
    ),
  };
}
