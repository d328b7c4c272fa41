/**
 * `run --on`: one query on several connections, as one result. A failed connection is told at once, and what is missing
 * never looks like a complete result: a file gets its name only if every connection answered in full.
 */
import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '#api/contract/limits.ts';
import { saveFile } from '#base/files/target-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { sendQueryPacked } from '#core/policy/send-query.ts';
import { IterationFeed } from '#core/reading/feeds.ts';
import { PageReader, type ReadOutcome } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { PipedWriter } from '#core/runs/piped-writer.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { outcomeWords, shapeNotes } from '#core/runs/several/several-messages.ts';
import {
  isAnswered,
  isPending,
  SeveralRuns,
  type PartOutcome,
  type SeveralPart,
} from '#core/runs/several/several-runs.ts';
import { CliError, type CliContext } from '../context.ts';
import { write, writeJson } from '../output.ts';
import { namedFiles, requireOwnTargets } from '../report-files.ts';
import { requireFolder } from '../require-folder.ts';
import { requireAllowed } from '../run/allow.ts';
import { prepareQuery } from '../run/execute.ts';
import { adviceAbout, failureLines, failureOfRun, type ToldFailure } from '../run/failure-text.ts';
import { keepOf } from '../run/keep-run.ts';
import { bindParameters } from '../run/parameters.ts';
import { givenOf } from '../run/query-values.ts';
import { readQuery } from '../run/read-query.ts';
import type { ClosedTarget, FinishingTarget } from '../run/rows-target.ts';
import type { RunOptions } from '../run/run-options.ts';
import { sendRows } from '../run/send-rows.ts';
import { checkQuery, type CheckedQuery, type QueryText } from '../run/statement.ts';
import { completenessOf, type RunResult } from '../run/write-rows.ts';
import { withSeveral, type Service } from '../service.ts';
import { createProgress } from '../terminal/progress.ts';
import { timeLimitOf } from '../time-limit.ts';

export async function runOnSeveral(
  context: CliContext,
  file: string | undefined,
  options: RunOptions,
): Promise<number> {
  if (options.partial === true && options.out === undefined)
    throw new CliError('--partial is for --out: rows on standard output are always printed.');
  if (options.partial === true && options.out !== undefined)
    await requireFolder(partialName(path.resolve(context.cwd, options.out)));
  return await withSeveral(context, options, async (services) => {
    const [first] = services;
    if (first === undefined) throw new CliError('--on names no connection.');
    await requireOwnTargets([options.out], namedFiles(file), context.cwd);
    const query = await readQuery(context, first, { file, saved: options.saved, model: options.model });
    if (options.saved !== undefined)
      await write(
        context.stderr,
        `${forTerminal(`The query is the one saved on "${first.profile.name}".`)}\n`,
      );
    if (keepOf(query) !== undefined)
      await write(context.stderr, 'The result was not kept: it is that of several connections.\n');
    const checked = await checkQuery(query, undefined);
    // Each connection has its own gate; what none would send is refused once.
    requireAllowed(query.title, checked.statement, options.allow);
    bindParameters(checked.statement, query.text, { ...givenOf(options), now: new Date() });
    return await sendRows(context, options, {
      subject: 'The query',
      send: (target, isSilent, draft) =>
        readInto(context, { services, query, checked, options, target, isSilent, draft }),
    });
  });
}

interface Reading {
  readonly services: readonly Service[];
  readonly query: QueryText;
  readonly checked: CheckedQuery;
  readonly options: RunOptions;
  readonly target: FinishingTarget;
  readonly isSilent: boolean;
  readonly draft: string | undefined;
}

/** @throws CliError if the result is not whole. */
async function readInto(context: CliContext, reading: Reading): Promise<RunResult> {
  const { services, query, checked, options, target, isSilent, draft } = reading;
  const { signal, stderr } = context;
  const progress = createProgress(stderr);
  const started = performance.now();
  const failures = new Map<string, ToldFailure>();
  const given = { ...givenOf(options), checked };
  const rowLimit = options.limit ?? Number.MAX_SAFE_INTEGER;
  const several: SeveralRuns = new SeveralRuns(
    services.map((service): SeveralPart => {
      const { name } = service.profile;
      const kept = (failure: ToldFailure) => {
        failures.set(name, failure);
        return failure;
      };
      return {
        connection: name,
        explain: (error, locate = () => undefined) => kept(failureOfRun(error, locate)),
        prepare: async (reading, within) => {
          const prepared = await prepareQuery(query, given, service, within);
          const scanner = new PageScanner('texts');
          return new QueryRun({
            ...reading,
            execute: (request, each) =>
              sendQueryPacked(service.client, prepared.permit, { request, scanner, options: each }),
            request: prepared.request,
            pageSize: Math.min(limits.executePageSizeMax, rowLimit),
            explain: (error) => reading.explain(error, prepared.locate),
          });
        },
      };
    }),
    {
      signal,
      atATime: options.atATime,
      timeLimitMs: limitMs(timeLimitOf(options)),
      rowLimit,
      isFailFast: options.failFast === true,
      onState: ({ connection, state }) => {
        // Each fails once.
        if (state.kind === 'failed') {
          progress.clear();
          const failure = failures.get(connection) ?? state.failure;
          const told = adviceAbout(
            { connection, connections: options.connections },
            failureLines(`"${connection}"`, failure),
          );
          stderr.write(`${told.map(forTerminal).join('\n')}\n`);
        }
        const left = several.outcomes.filter(isPending).map((each) => each.connection);
        if (!isSilent && left.length > 0) progress.show(forTerminal(`Reading ${left.join(', ')}`));
      },
    },
  );
  const incomplete = new Error('incomplete');
  const pages = several.wholePages(() => incomplete);
  const writer = new PipedWriter(target);
  const feed = new IterationFeed(pages);
  const reader = new PageReader({
    feed,
    writer,
    signal,
    rowLimit: Number.MAX_SAFE_INTEGER,
    deadline: limitedByCaller(),
  });
  try {
    const outcome = await writer.readAll(reader);
    if (outcome.kind === 'failed' && outcome.error !== incomplete) throw outcome.error;
    const closed = reader.isOpen ? await target.finish() : { cutCells: 0 };
    progress.clear();
    const result = resultOf(several, outcome, { ...closed, ms: Math.round(performance.now() - started) });
    for (const note of shapeNotes(several)) await write(stderr, `${forTerminal(note)}\n`);
    if (outcome.kind === 'rows') return result;
    const kept = !reader.isOpen || draft === undefined ? undefined : await keepPart(context, options, draft);
    if (options.json === true && options.out !== undefined)
      await writeJson(context.stdout, { file: kept ?? null, ...result });
    throw notWhole(several.outcomes, { kept, options });
  } finally {
    reader.end();
    progress.clear();
    await target.close();
  }
}

/** Keeps an incomplete file under a name that says so. @returns the name. */
async function keepPart(
  { cwd, signal }: CliContext,
  { out, partial }: RunOptions,
  draft: string,
): Promise<string | undefined> {
  if (partial !== true || out === undefined) return undefined;
  const file = partialName(path.resolve(cwd, out));
  await saveFile(file, (copy) => copyFile(draft, copy, constants.COPYFILE_EXCL), { signal });
  return file;
}

/** Returns `admins.partial.csv` for `admins.csv`. */
function partialName(file: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.partial${ext}`);
}

function notWhole(
  outcomes: readonly PartOutcome[],
  { kept, options }: { readonly kept: string | undefined; readonly options: RunOptions },
): CliError {
  const answered = outcomes.filter(isAnswered);
  const lines = outcomes.map((outcome) => `  "${outcome.connection}": ${outcomeWords(outcome)}`);
  const file =
    options.out === undefined ? [] : [`${options.out} was not written. ${partWords(kept, options)}`];
  return new CliError(
    answered.length === outcomes.length
      ? 'Incomplete: the connections answered in different columns.'
      : `Incomplete: ${answered.length} of ${outcomes.length} connections answered in full.`,
    [...lines, ...file],
  );
}

function partWords(kept: string | undefined, { partial }: RunOptions): string {
  if (kept !== undefined) return `What is there is in ${kept}.`;
  return partial === true ? 'No connection sent a row.' : 'To write what is there, add --partial.';
}

function resultOf(
  several: SeveralRuns,
  outcome: ReadOutcome,
  end: ClosedTarget & { readonly ms: number },
): RunResult {
  const { outcomes, missing, mixed } = several;
  return {
    ...end,
    rowCount: outcomes.reduce((sum, { rowCount }) => sum + rowCount, 0),
    ...completenessOf(outcome),
    connections: outcomes.map(({ connection, state, rowCount }) => ({
      name: connection,
      state: state.kind,
      rowCount,
      ...(state.kind === 'failed' ? { code: state.failure.code, problem: state.failure.message } : {}),
    })),
    missingColumns: missing,
    mixedColumns: mixed,
  };
}

function limitMs(seconds: number): number {
  return seconds === 0 ? Infinity : seconds * 1_000;
}
