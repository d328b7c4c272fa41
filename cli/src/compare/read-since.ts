/** `compare --since`: a result that a query kept, and its rows of now. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { recordedText } from '#base/words/moment-text.ts';
import {
  digestOfStatement,
  enteredParameters,
  hadParameters,
  type KeptQuery,
  type KeptRun,
} from '#core/kept-runs/kept-runs-store.ts';
import { runSince, sinceMoment } from '#core/kept-runs/since.ts';
import type { ComparedSides } from '#core/rows/compare/compare-sides.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { HeldRows } from '#core/rows/result-operations.ts';
import { keepText, type KeepRule } from '#server/language/text/keep-directive.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import { executeQuery, prepareQuery, type PreparedQuery } from '../run/execute.ts';
import { keepOf, keptQueryOf, keptRunsOf, keptWith, openKeeper } from '../run/keep-run.ts';
import { givenOf } from '../run/query-values.ts';
import { readQuery } from '../run/read-query.ts';
import { rowsText } from '../run/rows-text.ts';
import { storeTarget } from '../run/store-target.ts';
import { withService } from '../service.ts';
import type { SideOptions } from './read-side.ts';

export interface SinceQuery {
  readonly since: string;
  readonly file: string | undefined;
  readonly saved: string | undefined;
}

/** Runs the query, also for its next comparison. @throws CliError if nothing was kept that can be compared. */
export async function readSinceSides(
  context: CliContext,
  { since, file, saved }: SinceQuery,
  options: SideOptions,
  factory: ResultDataFactory,
): Promise<ComparedSides> {
  const moment = sinceMoment(since, new Date());
  if (moment === undefined)
    throw new CliError(`"${since}" is not a moment. Write --since 2026-10-01, or "today - 30 days".`);
  return await withService(context, options, async (service) => {
    const query = await readQuery(context, service, { file, saved, model: undefined });
    const kept = keptQueryOf(context, service, query);
    if (kept === undefined) throw new CliError('A query from standard input keeps no results.');
    const rule = keepOf(query);
    const prepared = await prepareQuery(query, givenOf(options), service, context.signal);
    const before = await readKept(context, { kept, moment, title: query.title, prepared, rule }, factory);
    const target = storeTarget(factory);
    const keeper =
      rule === undefined ? undefined : await openKeeper(context, { service, query, prepared, rule });
    await keptWith(keeper, target, (to) =>
      executeQuery(context, service, { prepared, target: to, isSilent: false, limit: undefined }),
    );
    return { before, after: target.held() };
  });
}

async function readKept(
  context: CliContext,
  {
    kept,
    moment,
    title,
    prepared,
    rule,
  }: {
    readonly kept: KeptQuery;
    readonly moment: number;
    readonly title: string;
    readonly prepared: PreparedQuery;
    readonly rule: KeepRule | undefined;
  },
  factory: ResultDataFactory,
): Promise<HeldRows> {
  const store = keptRunsOf(context);
  const all = await store.list(kept);
  const entered = enteredParameters(prepared.fields);
  const run = runSince(
    all.filter((each) => hadParameters(each, entered)),
    moment,
  );
  if (run === undefined)
    throw new CliError(
      all.length === 0
        ? `No result of ${title} was kept on this connection. ${howToKeep(rule)}`
        : `No result of ${title} was kept with these parameter values.`,
    );
  const file = await store.rowsOf(kept, run);
  if (file === undefined)
    throw new CliError(`The kept result of ${recordedText(run.at)} is damaged, so it is not compared.`);
  for (const note of notesOf(run, moment, prepared)) await write(context.stderr, `${forTerminal(note)}\n`);
  return await factory.read(
    { path: file, format: 'kept', rowLimit: Number.MAX_SAFE_INTEGER, nullText: '', isGuarded: false },
    { signal: context.signal },
  );
}

function howToKeep(rule: KeepRule | undefined): string {
  if (rule === undefined) return 'Write "-- @keep 10 runs" above the query, and run it.';
  if (rule.withSensitive) return 'Run it.';
  return `Run it. If it has sensitive columns, write first: -- @keep ${keepText({ ...rule, withSensitive: true })}`;
}

function notesOf(
  { at, version, rowCount, statement }: KeptRun,
  moment: number,
  { statement: { text } }: PreparedQuery,
): readonly string[] {
  const when = recordedText(at);
  const about = [...(version === undefined ? [] : [`version ${version}`]), rowsText(rowCount)].join(', ');
  return [
    at > moment
      ? `Nothing was kept so early. Compared with the first kept result, of ${when} (${about}).`
      : `Compared with the result of ${when} (${about}).`,
    ...(statement === digestOfStatement(text) ? [] : ['The query had another text then.']),
  ];
}
