/**
 * `controls run`: checks and runs every control, prints a line as each one ends, and writes reports. Its exit code is
 * for CI.
 */
import path from 'node:path';
import { typedText } from '#base/advice.ts';
import { eachOf } from '#base/async/each-of.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { exitCodeOf, isBad, type ControlResult } from '#core/controls/control-result.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import type { FoundControl, FoundControls } from '#core/controls/find-controls.ts';
import { knownOutcomeOf, type KnownOutcome } from '#core/controls/history/outcome-state.ts';
import { jsonOfControls } from '#core/controls/reports/json.ts';
import type { ControlReport } from '#core/controls/reports/report.ts';
import type { CheckedControl } from '#core/controls/run-control.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { tagText } from '#core/controls/tags.ts';
import type { EnteredValue } from '#core/parameters/parameter-field.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { placeholdersOf } from '#server/language/text/placeholders.ts';
import { advice } from '../advice.ts';
import { sharedAnalyser } from '../checks.ts';
import type { SeveralOptions } from '../connections/choose-several.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { plainFailureLines } from '../run/failure-text.ts';
import { enteredParameters } from '../run/parameters.ts';
import { withService, withSeveral, type Service } from '../service.ts';
import { createProgress } from '../terminal/progress.ts';
import { styleFor } from '../terminal/style.ts';
import { checkControl } from './check-controls.ts';
import { rootOf, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';
import { readDigestKey, type DigestKeyOptions } from './digest-key.ts';
import { keepHistory, requireHistory, type KeptRun } from './keep-history.ts';
import { notifyAll, readReceivers, type NotifyOptions } from './notify.ts';
import { requireReportFolders, writeReports, type ReportTarget } from './reports.ts';
import { resultLines, summaryLine } from './result-lines.ts';

export interface RunControlsOptions
  extends SeveralOptions, SelectionOptions, DigestKeyOptions, NotifyOptions {
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
  if (options.on === undefined)
    return await withService(context, options, (service) => runOn(context, [service], { paths, options }));
  // The baseline does not tell on which connection a row was known.
  if (options.newOnly === true)
    throw new CliError('--new-only works on one connection, since a baseline is of one. Leave out --on.');
  return await withSeveral(context, options, (services) => runOn(context, services, { paths, options }));
}

async function runOn(
  context: CliContext,
  services: readonly Service[],
  { paths, options }: { readonly paths: readonly string[]; readonly options: RunControlsOptions },
): Promise<number> {
  const isSeveral = options.on !== undefined;
  const receivers = await readReceivers(
    context,
    services.map(({ profile }) => profile),
    options,
  );
  if (options.history !== undefined) await requireHistory(context, options.history);
  const digests = await readDigestKey(context, options);
  const root = rootOf(context);
  const files = await readControlFiles(root);
  const selected = await selectOn(context, services, { paths, options });
  const found = selected.flatMap(({ controls }) => controls);
  const problems = selected.flatMap((each) => each.problems);
  await sayProblems(context, problems);
  // An empty run is not a pass.
  if (found.length === 0) throw nothingToRun(options);
  await requireOwnTargets(
    options.report.map(({ file }) => file),
    [
      ...found.flatMap(({ place }) => (place.savedQueryId === undefined ? [place.name] : [])),
      ...[options.connections, options.notify].filter((file) => typeof file === 'string'),
    ],
    context.cwd,
  );
  const parameters = enteredParameters(options.param);
  requireUsed(parameters, found);
  const lines = new OrderedLines(context, { count: found.length, isJson: options.json === true });
  const startedAt = new Date();
  const started = performance.now();
  let isStopped = false;
  const outcomes: KnownOutcome[] = [];
  const analyser = sharedAnalyser();
  const check = checkedOnce((one) => checkControl(analyser, one));
  const byService: (readonly ControlResult[])[] = [];
  await eachOf(selected.entries(), options.atATime, async ([index, { service, controls }]) => {
    const { name } = service.profile;
    byService[index] = await runControls(controls, {
      client: service.client,
      signal: context.signal,
      atATime: options.maxParallel,
      parameters,
      check,
      ...(isSeveral ? { connection: name } : {}),
      factsOf: ({ control }) =>
        factsFor(control, files, {
          ...(digests === undefined ? {} : { digests }),
          isNewOnly: options.newOnly === true,
          now: new Date(),
          connection: name,
          isOneOfSeveral: isSeveral,
        }),
      isStopped: () => isStopped,
      isEveryRow: options.history !== undefined,
      onEnd: (result, { text }) => {
        lines.put(result);
        // What --fail-fast did not start stays as it was.
        if (!isStopped || result.code !== 'NOT_RUN')
          outcomes.push(knownOutcomeOf(result, { connection: name, text }));
        if (options.failFast === true && isBad(result.outcome)) isStopped = true;
      },
      ...(options.withRows === undefined
        ? {}
        : { sampleRows: options.withRows === true ? sampleRowsDefault : options.withRows }),
      timeLimitMs: options.timeout === 0 ? Infinity : options.timeout * 1_000,
    });
  }).finally(() => lines.end());
  const results = byService.flat();
  const ms = performance.now() - started;
  const connection = services.map(({ profile }) => profile.name).join(', ');
  const plain: ControlReport = { results, startedAt, ms, connection, problems };
  const history =
    options.history === undefined
      ? undefined
      : await keptOrProblem(
          keepHistory(context, {
            folder: options.history,
            report: plain,
            outcomes,
            isStopped,
            connections: services.map(({ profile }) => profile.name),
            scope: scopeOf(pathsIn(root, paths, context), options),
            keyId: digests?.keyId,
          }),
        );
  const kept = history instanceof CliError ? undefined : history;
  const report: ControlReport = kept === undefined ? plain : { ...plain, history: kept.reported };
  // First: a report that cannot be written must not cost anyone the news.
  const isTold = kept === undefined || (await notifyAll(context, kept, receivers));
  const unwritten = await writeReports(context, options.report, report);
  if (options.json === true) await writeJson(context.stdout, jsonOfControls(report));
  else await write(context.stdout, `\n${summaryLine(results, ms)}\n`);
  const [failure, ...failures] = [...(history instanceof CliError ? [history] : []), ...unwritten];
  for (const each of failures)
    await write(context.stderr, `${plainFailureLines(each).map(forTerminal).join('\n')}\n`);
  if (failure !== undefined) throw failure;
  return problems.length > 0 || !isTold ? exitCodes.badInput : exitCodeOf(results);
}

/** A history that cannot be written must not cost the reports. */
async function keptOrProblem(keeping: Promise<KeptRun>): Promise<KeptRun | CliError> {
  try {
    return await keeping;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** Returns paths as they are from the root, so that the same ones are called the same, and no others. */
export function pathsIn(
  root: string,
  paths: readonly string[],
  { cwd }: Pick<CliContext, 'cwd'>,
): readonly string[] {
  return paths.map((each) => path.relative(root, path.resolve(cwd, each)).replaceAll(path.sep, '/'));
}

/**
 * Returns a text that is the same for the same choice of controls and connections.
 * @param paths from the root.
 */
export function scopeOf(
  paths: readonly string[],
  {
    tag,
    saved = false,
    under,
    on,
    connection,
  }: Pick<RunControlsOptions, 'tag' | 'saved' | 'under' | 'on' | 'connection'>,
): string {
  return JSON.stringify([
    [...paths].sort(),
    tag.map(tagText).sort(),
    saved,
    on?.toSorted() ?? connection ?? null,
    // Histories from before this option keep their scope.
    ...(under === undefined ? [] : [under]),
  ]);
}

/**
 * Selects the controls of each connection. Files are the same for all, and read once. If saved queries of one of several
 * cannot be read, which is a problem, the others still run.
 */
export async function selectOn(
  context: CliContext,
  services: readonly Service[],
  {
    paths,
    options,
  }: {
    readonly paths: readonly string[];
    readonly options: SelectionOptions & Pick<SeveralOptions, 'atATime'>;
  },
): Promise<readonly (FoundControls & { readonly service: Service })[]> {
  const ofFiles = async () => await selectControls(context, { paths, options, service: undefined });
  if (options.saved !== true) {
    const { controls, problems } = await ofFiles();
    return services.map((service, index) => ({ service, controls, problems: index === 0 ? problems : [] }));
  }
  const selected: (FoundControls & { readonly service: Service })[] = [];
  await eachOf(services.entries(), options.atATime, async ([index, service]) => {
    const found = await selectControls(context, { paths, options, service }).catch(async (error: unknown) => {
      if (services.length === 1 || context.signal.aborted) throw error;
      const { controls, problems } = await ofFiles();
      const [reason = ''] = error instanceof CliError ? [error.message] : plainFailureLines(error);
      const message = `${service.profile.name}: its saved queries cannot be read, so their controls did not run: ${reason}`;
      return { controls, problems: [...problems, { message }] };
    });
    selected[index] = { service, ...found };
  });
  return selected;
}

/** The verdict on a text is the same on every connection. */
function checkedOnce(
  check: (found: FoundControl) => Promise<CheckedControl>,
): (found: FoundControl) => Promise<CheckedControl> {
  const checked = new Map<FoundControl, Promise<CheckedControl>>();
  return async (found) => {
    const before = checked.get(found) ?? check(found);
    checked.set(found, before);
    return await before;
  };
}

/** A misspelled name would leave the default in place. @throws CliError */
export function requireUsed(
  parameters: readonly EnteredValue[],
  controls: readonly Pick<FoundControl, 'control' | 'text'>[],
): void {
  const isUsed = (name: string) =>
    controls.some(
      ({ control, text }) =>
        control.parameters.some((each) => each.name === name) ||
        hasPlaceholder([text, control.population?.sql], name),
    );
  const unused = parameters.filter(({ name }) => !isUsed(name)).map(({ name }) => `"${name}"`);
  if (unused.length > 0) throw new CliError(`No control has the parameter ${unused.join(', ')}.`);
}

/** Whether a query, or the one that counts its population, has a placeholder: `::date` casts, and texts hold none. */
function hasPlaceholder(texts: readonly (string | undefined)[], name: string): boolean {
  return texts.some((text = '') => placeholdersOf(lex(text).code).some((each) => each.name === name));
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
