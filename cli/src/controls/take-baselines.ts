/** `controls baseline`: records the current rows, so that `run --new-only` reports only later ones. */
import path from 'node:path';
import { eachOf } from '#base/async/each-of.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { baselineName, putBaseline, type BaselineEntry } from '#core/controls/files/baseline.ts';
import { controlFolder } from '#core/controls/files/control-file.ts';
import { utcDay } from '#core/controls/files/waivers.ts';
import { withoutTwins } from '#core/controls/find-controls.ts';
import { takeBaseline } from '#core/controls/take-baseline.ts';
import { sharedAnalyser } from '../checks.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';
import { enteredParameters } from '../run/parameters.ts';
import { rowsText } from '../run/rows-text.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { checkControl } from './check-controls.ts';
import { noteLine, rootOf, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';
import { requireDigestKey, type DigestKeyOptions } from './digest-key.ts';
import { requireUsed, type RunControlsOptions } from './run-controls.ts';

export interface BaselineOptions
  extends
    ConnectionOptions,
    SelectionOptions,
    DigestKeyOptions,
    Pick<RunControlsOptions, 'maxParallel' | 'param' | 'timeout'> {}

export async function takeBaselines(
  context: CliContext,
  paths: readonly string[],
  options: BaselineOptions,
): Promise<number> {
  const digests = await requireDigestKey(context, options, 'A baseline');
  const target = path.join(rootOf(context), controlFolder, baselineName);
  const entries = new Map<string, BaselineEntry>();
  const left: string[] = [];
  const tell = async (file: string, line: number, message: string) => {
    left.push(file);
    await write(context.stderr, `${noteLine({ file, line, message })}\n`);
  };
  await withService(context, options, async (service) => {
    const found = await selectControls(context, {
      paths,
      options,
      service: options.saved === true ? service : undefined,
    });
    await sayProblems(context, found.problems);
    const parameters = enteredParameters(options.param);
    requireUsed(parameters, found.controls);
    const { controls, twins } = withoutTwins(found.controls);
    const analyser = sharedAnalyser();
    await eachOf(controls, options.maxParallel, async (one) => {
      const { control, place } = one;
      // Without key columns, rows cannot be identified.
      if (control.key.length === 0 && control.problems.length === 0) return;
      if (twins.has(one)) {
        await tell(
          place.name,
          control.lines.control,
          `The ID ${control.id} is also used by another control.`,
        );
        return;
      }
      const taken = await takeBaseline(
        { ...one, checked: await checkControl(analyser, one) },
        {
          client: service.client,
          signal: context.signal,
          digests,
          day: utcDay(new Date()),
          parameters,
          timeLimitMs: options.timeout === 0 ? Infinity : options.timeout * 1_000,
        },
      );
      if (taken.kind === 'failed')
        await tell(place.name, control.lines.expect, `${taken.code}: ${taken.message}`);
      else {
        entries.set(control.id, taken.entry);
        await write(context.stdout, `${forTerminal(control.id)}: ${rowsText(taken.entry.rows.length)}\n`);
      }
    });
  });
  if (entries.size > 0) await putBaseline(target, entries, digests);
  await write(
    context.stderr,
    entries.size === 0
      ? 'No control with a @key was read, so no baseline was written.\n'
      : `The baseline of ${entries.size} ${entries.size === 1 ? 'control' : 'controls'} is in ${forTerminal(target)}.\n`,
  );
  return left.length === 0 && entries.size > 0 ? exitCodes.clean : exitCodes.badInput;
}
