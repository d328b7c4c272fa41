/** Keeps the rows of runs whose query says `-- @keep`, and reads them for a comparison with a date. Loaded on use. */
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import type { Logger } from '#base/logger.ts';
import { ageText } from '#base/words/age-text.ts';
import { momentText, recordedText } from '#base/words/moment-text.ts';
import { sizeText } from '#base/words/size-text.ts';
import { sensitivePatterns } from '#client/session/sensitive-patterns.ts';
import type { ConnectionState } from '#client/session/session.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import {
  KeepRuleError,
  keepRuleOf,
  readOrigins,
  sensitiveNames,
  sensitiveWords,
} from '#core/kept-runs/keep-rule.ts';
import {
  hadParameters,
  keptRunLimits,
  KeptRunsStore,
  NotKeptError,
  type EnteredParameters,
  type KeptQuery,
  type KeptRun,
} from '#core/kept-runs/kept-runs-store.ts';
import type { Result } from '../results/index.ts';
import type { ComparisonsContext } from './context.ts';
import type { Side } from './side.ts';

/** The key of a result's query among the kept ones; undefined if none of its runs are kept. */
function keptQueryOf(
  { session }: Pick<ComparisonsContext, 'session'>,
  result: Result,
): KeptQuery | undefined {
  const { header, key } = result;
  const facts = result.actions?.facts?.();
  const { state } = session;
  // Rows of another connection than today's have a key that is not known any more.
  if (state.kind !== 'connected' || state.profile.name !== header.connection) return undefined;
  const connectionKey = connectionKeyOf(state.profile);
  if (facts?.savedQuery !== undefined) return { connectionKey, query: { saved: facts.savedQuery.id } };
  const uri = key === undefined ? undefined : vscode.Uri.parse(key);
  return uri?.scheme === 'file' ? { connectionKey, query: { file: uri.fsPath } } : undefined;
}

/** What was entered; undefined if a value is secret, since the result does not know it. */
function parametersOf({ header: { parameters } }: Result): EnteredParameters | undefined {
  if (parameters.some(({ isSecret }) => isSecret === true)) return undefined;
  return Object.fromEntries(parameters.map(({ name, text, isNull }) => [name, isNull ? null : text]));
}

/** The kept results of the editor and the terminal. */
export function keptRunsStore(): KeptRunsStore {
  return new KeptRunsStore(dataFolder(process.env));
}

/** Keeps the rows of a run once all of them are there. Never rejects. */
export async function keepOnce(
  prepared: () => Promise<ComparisonsContext>,
  result: Result,
  log: Logger,
): Promise<void> {
  try {
    const context = await prepared();
    const { looked } = context.keeping;
    const facts = isAllThere(result) ? result.actions?.facts?.() : undefined;
    if (facts === undefined || looked.has(facts)) return;
    looked.add(facts);
    await keepRun(context, result);
  } catch (error) {
    log.warn(`the result of a run was not kept: ${errorName(error)}`);
  }
}

/** Whether every row of a run is loaded. */
function isAllThere({ state, header }: Result): boolean {
  return (
    state.kind === 'rows' &&
    header.origin !== 'rows' &&
    state.extent === 'complete' &&
    state.laterRun === undefined &&
    state.loading.kind === 'none'
  );
}

/** What is in the way is told once, and never disturbs the result. */
async function keepRun(context: ComparisonsContext, result: Result): Promise<void> {
  const why = await whyNotKept(context, result);
  if (why === undefined) return;
  context.log.info('the result of a run was not kept');
  const key = `${result.key ?? ''} ${why}`;
  const { told } = context.keeping;
  if (told.has(key)) return;
  told.add(key);
  void showInformationMessage(vscode.l10n.t('The result of {0} was not kept: {1}', result.header.title, why));
}

async function whyNotKept(context: ComparisonsContext, result: Result): Promise<string | undefined> {
  const { results, session, keptRuns } = context;
  const facts = result.actions?.facts?.();
  const { header, state, data } = result;
  if (facts === undefined || state.kind !== 'rows' || data === undefined) return undefined;
  const isWhole = header.part === undefined && header.lines === undefined && header.isModified !== true;
  const query = keptQueryOf(context, result);
  if (!isWhole || query === undefined || session.state.kind !== 'connected') return undefined;
  const { client, profile } = session.state;
  let rule;
  try {
    rule = keepRuleOf(facts.text);
  } catch (error) {
    if (error instanceof KeepRuleError) return error.message;
    throw error;
  }
  if (rule === undefined) return undefined;
  const parameters = parametersOf(result);
  if (parameters === undefined) return vscode.l10n.t('it has a secret value.');
  if (!rule.withSensitive) {
    const names = state.columns.map(({ name }) => name);
    const words = sensitiveWords(
      rule,
      await sensitiveIn({ text: facts.statement.text, model: facts.model, names }, { client, profile }),
    );
    if (words !== undefined) return words;
  }
  const rows = await results.operations.fork(data);
  let draft: string | undefined;
  try {
    draft = await keptRuns.draftFor(query);
    await results.operations.keep(rows.data, draft);
    await keptRuns.add(query, {
      ...{ draft, parameters, runs: rule.runs },
      at: state.finishedAt,
      title: header.title,
      version: header.version,
      connection: header.connection ?? profile.name,
      rowCount: rows.outcome.rowCount,
      statement: facts.statement.text,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof NotKeptError)) throw error;
    return error.reason === 'run-bytes'
      ? vscode.l10n.t('it is larger than {0}.', sizeText(keptRunLimits.runBytes))
      : vscode.l10n.t(
          'the kept results of all queries have {0}, the limit. Keep fewer runs, or delete them: Clear Local Data...',
          sizeText(keptRunLimits.bytes),
        );
  } finally {
    rows.data.dispose();
    if (draft !== undefined) await rm(draft, { force: true });
  }
}

async function sensitiveIn(
  { names, ...query }: { readonly text: string; readonly model: string; readonly names: readonly string[] },
  { client, profile }: Pick<Extract<ConnectionState, { kind: 'connected' }>, 'client' | 'profile'>,
): Promise<readonly string[]> {
  const reading = { patterns: sensitivePatterns(profile), signal: AbortSignal.timeout(60_000) };
  try {
    return sensitiveNames(await readOrigins(client, query, reading), names);
  } catch {
    return names; // what is unknown counts as sensitive
  }
}

/** Lists the kept runs that the result can be compared with, the newest first. */
async function keptRunsOf(
  context: ComparisonsContext,
  result: Result,
): Promise<{ readonly query: KeptQuery; readonly runs: readonly KeptRun[] } | undefined> {
  const query = keptQueryOf(context, result);
  const parameters = parametersOf(result);
  if (query === undefined || parameters === undefined) return undefined;
  const own = result.state.kind === 'rows' ? result.state.finishedAt : undefined;
  const runs = (await context.keptRuns.list(query)).filter(
    (run) => run.at !== own && hadParameters(run, parameters),
  );
  return { query, runs };
}

/** @returns the ID of the chosen run; undefined if the user cancels. @throws ExpectedError if nothing was kept. */
export async function pickKeptRun(context: ComparisonsContext, result: Result): Promise<string | undefined> {
  const kept = await keptRunsOf(context, result);
  if (kept === undefined || kept.runs.length === 0)
    throw new ExpectedError(
      vscode.l10n.t(
        'No earlier result of this query is kept with these values. Write {0} above the query, save it, and run it: from then on, its results are kept on this machine once all rows are loaded.',
        '-- @keep 10 runs',
      ),
    );
  const chosen = await showQuickPick(
    kept.runs.map(({ id, at, version, rowCount, connection }) => ({
      label: momentText(at),
      description: ageText(at, Date.now(), vscode.env.language),
      detail: [version === undefined ? undefined : `v${version}`, connection, rowWords(rowCount)]
        .filter((fact) => fact !== undefined)
        .join(' · '),
      id,
    })),
    { title: vscode.l10n.t('What Changed Since...'), matchOnDescription: true, matchOnDetail: true },
  );
  return chosen?.id;
}

/** @throws ExpectedError if the run is gone or damaged. */
export async function keptRunSide(context: ComparisonsContext, result: Result, id: string): Promise<Side> {
  const kept = await keptRunsOf(context, result);
  const run = kept?.runs.find((each) => each.id === id);
  if (kept === undefined || run === undefined)
    throw new ExpectedError(vscode.l10n.t('This kept result was forgotten.'));
  const path = await context.keptRuns.rowsOf(kept.query, run);
  if (path === undefined)
    throw new ExpectedError(
      vscode.l10n.t('The kept result of {0} is damaged, so it is not compared.', momentText(run.at)),
    );
  const rows = await context.results.operations.read({
    ...{ path, format: 'kept', rowLimit: Number.MAX_SAFE_INTEGER, nullText: '', isGuarded: false },
  });
  const { title, connection, at, version, rowCount } = run;
  return {
    ...{ rows, name: title, connection, at },
    version: version === undefined ? undefined : { query: title, version },
    words: {
      title: version === undefined ? title : `${title} v${version}`,
      facts: [connection, recordedText(at), rowWords(rowCount)],
    },
  };
}
