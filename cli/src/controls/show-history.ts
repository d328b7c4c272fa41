/** `controls history`: the runs of a history, or the outcomes of one control over time. */
import path from 'node:path';
import { FileRefusal } from '#base/files/bounded-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { minuteText } from '#base/words/minute-text.ts';
import { outcomes } from '#core/controls/control-result.ts';
import { controlTimeline, type TimelineEntry } from '#core/controls/history/control-timeline.ts';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import type { RunHead } from '#core/controls/history/history-format.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { TextTable } from '../terminal/text-table.ts';
import { sayHistoryProblems } from './keep-history.ts';

export interface HistoryOptions {
  readonly history: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function showHistory(
  context: CliContext,
  id: string | undefined,
  options: HistoryOptions,
): Promise<number> {
  const folder = new HistoryFolder(path.resolve(context.cwd, options.history));
  try {
    return id === undefined
      ? await showRuns(context, folder, options)
      : await showControl(context, { folder, id, options });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    throw new CliError(`${options.history} cannot be read: ${error.message}.`, [], { cause: error });
  }
}

async function showRuns(
  context: CliContext,
  folder: HistoryFolder,
  { history, limit, json }: HistoryOptions,
): Promise<number> {
  const { heads, problems } = await folder.heads(limit);
  await sayHistoryProblems(context, problems);
  if (heads.length === 0)
    throw new CliError(`There is no run in ${history}. "controls run" with --history keeps one.`);
  const shown = heads.slice(-limit);
  if (json === true) await writeJson(context.stdout, { runs: shown, problems });
  else {
    const table = new TextTable(
      ['run', 'started (UTC)', 'connections', 'outcomes', 'new', 'commit'].map((name) => ({ name })),
    );
    await write(context.stdout, table.rows(shown.map(rowOf)));
    if (shown.length < heads.length)
      await write(context.stderr, `The last ${shown.length} of ${heads.length} runs. More: --limit\n`);
  }
  return problems.length > 0 ? exitCodes.badInput : exitCodes.clean;
}

function rowOf({ id, startedAt, connections, counts, news, commit }: RunHead): readonly string[] {
  const told = outcomes.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const { bad, good, gone } = news;
  const changed = bad + good > 0 ? [`${bad} worse, ${good} better`] : [];
  return [
    id.slice(-12),
    minuteText(startedAt),
    connections.join(', '),
    told.join(', '),
    [...changed, ...(gone === 0 ? [] : [`${gone} gone`])].join(', '),
    commit?.slice(0, 12) ?? '',
  ];
}

async function showControl(
  context: CliContext,
  {
    folder,
    id,
    options,
  }: { readonly folder: HistoryFolder; readonly id: string; readonly options: HistoryOptions },
): Promise<number> {
  const { entries, problems } = await controlTimeline(folder, id);
  await sayHistoryProblems(context, problems);
  if (entries.length === 0) throw new CliError(`There is no outcome of ${id} in ${options.history}.`);
  const shown = entries.slice(-options.limit);
  if (options.json === true) await writeJson(context.stdout, { control: id, outcomes: shown, problems });
  else {
    const table = new TextTable(
      ['since (UTC)', 'connection', 'outcome', 'rows', 'population', 'new', 'gone', 'message'].map(
        (name) => ({
          name,
        }),
      ),
    );
    await write(context.stdout, table.rows(shown.map(entryRow)));
  }
  return problems.length > 0 ? exitCodes.badInput : exitCodes.clean;
}

function entryRow(entry: TimelineEntry): readonly string[] {
  const { startedAt, connection, outcome, rows, population, added, removed, message } = entry;
  return [
    minuteText(startedAt),
    connection,
    outcome ?? 'gone',
    rows === undefined ? '' : String(rows),
    population ?? '',
    added === undefined ? '' : String(added),
    removed === undefined ? '' : String(removed),
    forTerminal(message ?? ''),
  ];
}
