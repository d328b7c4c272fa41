/** `controls run --history`: adds a run to a history of outcomes, and says what is new in it. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingPath } from '#base/errors.ts';
import { FileRefusal } from '#base/files/bounded-file.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { ControlResult } from '#core/controls/control-result.ts';
import { changeLine } from '#core/controls/history/change-labels.ts';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import { recordKey, type HistoryProblem } from '#core/controls/history/history-format.ts';
import { changesBetween, historyIdOf, type KnownOutcome } from '#core/controls/history/outcome-state.ts';
import type { RunMessage } from '#core/controls/notify/run-message.ts';
import { runsShown } from '#core/controls/reports/html.ts';
import type { ControlReport, ReportedHistory } from '#core/controls/reports/report.ts';
import { findGit } from '#core/sync/git/git-program.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';

export interface KeptRun {
  readonly folder: HistoryFolder;
  readonly news: RunMessage;
  readonly reported: ReportedHistory;
}

export interface RunToKeep {
  readonly folder: string;
  readonly report: ControlReport;
  readonly outcomes: readonly KnownOutcome[];
  /** Whether the run stopped at a failure: the outcomes are not those of all controls. */
  readonly isStopped: boolean;
  readonly connections: readonly string[];
  /** The controls that were chosen. */
  readonly scope: string;
  readonly keyId: string | undefined;
}

/** Says what would keep a run from being written before anything runs. @throws CliError */
export async function requireHistory({ cwd }: CliContext, name: string): Promise<void> {
  for (let at = path.resolve(cwd, name); ; at = path.dirname(at)) {
    try {
      const isFolder = (await stat(at)).isDirectory();
      if (!isFolder) throw new CliError(`The history in ${name} cannot be written: ${at} is not a folder.`);
      await access(at, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      if (error instanceof CliError) throw error;
      // The folder is made later, if the one that is to hold it allows that.
      if (isMissingPath(error) && at !== path.dirname(at)) continue;
      throw new CliError(
        `The history in ${name} cannot be written: ${diskWords(error) ?? String(error)}.`,
        [],
        {
          cause: error,
        },
      );
    }
  }
}

/** @throws CliError if the run cannot be written. */
export async function keepHistory(
  context: CliContext,
  { folder: name, report, outcomes, isStopped, connections, scope, keyId }: RunToKeep,
): Promise<KeptRun> {
  const folder = new HistoryFolder(path.resolve(context.cwd, name));
  const commit = await commitOf(context);
  try {
    const { head, before, state, told } = await folder.add({
      startedAt: report.startedAt,
      ms: report.ms,
      outcomes,
      isStopped,
      connections,
      scope,
      problems: report.problems.length,
      ...(keyId === undefined ? {} : { keyId }),
      ...(commit === undefined ? {} : { commit }),
    });
    await sayHistoryProblems(context, told);
    const changes = changesBetween(before, state);
    await write(
      context.stderr,
      changes.length === 0
        ? 'Nothing new since the run before.\n'
        : `${before.size === 0 ? 'New in this first run' : 'New since the run before'}:\n${changes.map((change) => `  ${forTerminal(changeLine(change))}\n`).join('')}`,
    );
    const known = (result: ControlResult) =>
      state.get(
        recordKey({
          control: historyIdOf(result),
          connection: result.connection ?? connections[0] ?? '',
        }),
      );
    return {
      folder,
      news: { head, changes },
      reported: {
        run: head.id,
        commit,
        runs: (await folder.heads(runsShown)).heads,
        changes,
        sinceOf: (result) => known(result)?.since,
        textOf: (result) => known(result)?.text,
      },
    };
  } catch (error) {
    const reason = error instanceof FileRefusal ? error.message : diskWords(error);
    if (reason === undefined) throw error;
    throw new CliError(`The history in ${name} could not be written: ${reason}.`, [], { cause: error });
  }
}

export async function sayHistoryProblems(
  { stderr }: CliContext,
  problems: readonly HistoryProblem[],
): Promise<void> {
  for (const { file, line, message } of problems)
    await write(stderr, `${forTerminal(`${file}:${line}: ${message}`)}\n`);
}

/** Variables in which build services name the commit. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BUILD_SOURCEVERSION'];

/** Returns the commit of the controls; undefined outside of a repository. */
async function commitOf({ cwd, environment, signal }: CliContext): Promise<string | undefined> {
  const named = commitVariables.map((variable) => environment[variable]).find((each) => each !== undefined);
  if (named !== undefined && /^[0-9a-f]{40,64}$/.test(named)) return named;
  try {
    const git = await findGit(environment, cwd);
    const { code, stdout } = await git.run(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], {
      cwd,
      signal,
    });
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  } catch {
    return undefined; // without Git, the run has no commit
  }
}
