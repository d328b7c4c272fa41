/**
 * `controls run`: checks and runs every control, prints a line as each one ends, and writes reports. Its exit code is
 * for CI.
 */
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { exitCodeOf, type ControlResult } from '#core/controls/control-result.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import type { FoundControl } from '#core/controls/find-controls.ts';
import { jsonOfControls } from '#core/controls/reports/json.ts';
import type { ControlReport } from '#core/controls/reports/report.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { tagText } from '#core/controls/tags.ts';
import type { EnteredValue } from '#core/parameters/parameter-field.ts';
import { advice } from '../advice.ts';
import { withAnalyser } from '../checks.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { enteredParameters } from '../run/parameters.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { createProgress } from '../terminal/progress.ts';
import { styleFor } from '../terminal/style.ts';
import { checkControl } from './check-controls.ts';
import { rootOf, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';
import { readDigestKey, type DigestKeyOptions } from './digest-key.ts';
import { requireReportFolders, writeReports, type ReportTarget } from './reports.ts';
import { resultLines, summaryLine } from './result-lines.ts';

export interface RunControlsOptions extends ConnectionOptions, SelectionOptions, DigestKeyOptions {
  readonly newOnly?: boolean;
  readonly maxParallel: number;
  readonly param: readonly string[];
  /** Seconds; 0 for no limit. */
  readonly timeout: number;
  readonly json?: boolean;
  readonly report: readonly ReportTarget[];
  readonly withRows?: number | true;
}

/** Default number of rows per control in a report. */
const sampleRowsDefault = 20;

export async function runAll(
  context: CliContext,
  paths: readonly string[],
  options: RunControlsOptions,
): Promise<number> {
  await requireReportFolders(context, options.report);
  const digests = await readDigestKey(context, options);
  const files = await readControlFiles(await rootOf(context));
  return await withService(context, options, async (service) => {
    const { controls, problems } = await selectControls(context, {
      paths,
      options,
      service: options.saved === true ? service : undefined,
    });
    await sayProblems(context, problems);
    // An empty run is not a pass.
    if (controls.length === 0) throw nothingToRun(options);
    requireOwnTargets(
      options.report.map(({ file }) => file),
      controls.flatMap(({ place }) => (place.savedQueryId === undefined ? [place.name] : [])),
      context.cwd,
    );
    const parameters = enteredParameters(options.param);
    requireUsed(parameters, controls);
    const lines = new OrderedLines(context, { count: controls.length, isJson: options.json === true });
    const startedAt = new Date();
    const started = performance.now();
    const results = await withAnalyser((analyser) =>
      runControls(controls, {
        client: service.client,
        signal: context.signal,
        atATime: options.maxParallel,
        parameters,
        check: (found) => checkControl(analyser, found),
        factsOf: ({ control }) =>
          factsFor(control, files, {
            ...(digests === undefined ? {} : { digests }),
            isNewOnly: options.newOnly === true,
            now: new Date(),
          }),
        onEnd: (result) => lines.put(result),
        ...(options.withRows === undefined
          ? {}
          : { sampleRows: options.withRows === true ? sampleRowsDefault : options.withRows }),
        timeLimitMs: options.timeout === 0 ? Infinity : options.timeout * 1_000,
      }),
    ).finally(() => lines.end());
    const ms = performance.now() - started;
    const report: ControlReport = { results, startedAt, ms, connection: service.profile.name, problems };
    await writeReports(context, options.report, report);
    if (options.json === true) await writeJson(context.stdout, jsonOfControls(report));
    else await write(context.stdout, `\n${summaryLine(results, ms)}\n`);
    return problems.length > 0 ? exitCodes.badInput : exitCodeOf(results);
  });
}

/** A misspelled name would leave the default in place. @throws CliError */
export function requireUsed(
  parameters: readonly EnteredValue[],
  controls: readonly Pick<FoundControl, 'control' | 'text'>[],
): void {
  const isUsed = (name: string) =>
    controls.some(
      ({ control, text }) =>
        control.parameters.some((each) => each.name === name) || hasPlaceholder(text, name),
    );
  const unused = parameters.filter(({ name }) => !isUsed(name)).map(({ name }) => `"${name}"`);
  if (unused.length > 0) throw new CliError(`No control has the parameter ${unused.join(', ')}.`);
}

function hasPlaceholder(text: string, name: string): boolean {
  const written = `:${name}`;
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1))
    if (!/^[\p{L}\p{N}_$]/u.test(text.slice(at + written.length, at + written.length + 2))) return true;
  return false;
}

function nothingToRun({ tag }: SelectionOptions): CliError {
  if (tag.length > 0) {
    const tags = tag.map((each) => `"${tagText(each)}"`).join(' or ');
    return new CliError(`No control has the tag ${tags}.`, [
      `List them with: ${typedText(advice.listControls())}`,
    ]);
  }
  return new CliError('There is no control to run.', [
    'A control is a query in a *.identity.sql file whose first lines contain, for example: -- @control MFA-01 Admins without MFA',
  ]);
}

/** Prints each control as it ends and, on a terminal, a progress line. */
class OrderedLines {
  readonly #context: CliContext;
  readonly #options: { readonly count: number; readonly isJson: boolean };
  readonly #progress;
  #ended = 0;

  constructor(context: CliContext, options: { readonly count: number; readonly isJson: boolean }) {
    this.#context = context;
    this.#options = options;
    this.#progress = createProgress(context.stderr);
  }

  put(result: ControlResult): void {
    this.#ended += 1;
    this.#progress.clear();
    const { stdout, environment } = this.#context;
    if (!this.#options.isJson) stdout.write(`${resultLines(result, styleFor(stdout, environment))}\n`);
    if (this.#ended < this.#options.count)
      this.#progress.show(forTerminal(`${this.#ended} of ${this.#options.count} controls`));
  }

  end(): void {
    this.#progress.clear();
  }
}
