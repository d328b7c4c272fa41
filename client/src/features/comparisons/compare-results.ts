/** Creates a comparison from a result: finds or creates the other side, loads missing rows, and orders the sides. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import { recordedText } from '#base/words/moment-text.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';
import { isLoaded } from '#core/reading/rows-writer.ts';
import type { RowsFileSource } from '#core/rows/files/rows-file-source.ts';
import { nullTextFor, type Result } from '../results/index.ts';
import type { CompareRequest, OtherSide } from './compare-request.ts';
import { Comparison } from './comparison.ts';
import type { ComparisonsContext } from './context.ts';
import { keptRunSide, pickKeptRun } from './kept-runs.ts';
import { pickOtherSide } from './pick-other-side.ts';
import { inOrder, sideOfResult, sideOfRows, type Side } from './side.ts';

/** @returns the comparison shown, or undefined if the user cancels. */
export async function compareResult(
  context: ComparisonsContext,
  base: Result,
  request: CompareRequest,
): Promise<Comparison | undefined> {
  const other = request.with ?? (await pickOtherSide(base, await otherSides(context, base)));
  if (other === undefined) return undefined;
  if (!(await load(context, base, request.load))) return undefined;
  const one = await sideOfResult(context.results, base);
  let two: Side | undefined;
  try {
    two = await sideOf(context, base, { other, load: request.load });
  } finally {
    if (two === undefined) one.rows.data.dispose();
  }
  if (two === undefined) return undefined;
  const comparison = new Comparison(context, inOrder(one, two), request);
  await comparison.start();
  return comparison;
}

/** Compares a result with one that `-- @keep` kept. @returns undefined if the user cancels. */
export async function compareSince(
  context: ComparisonsContext,
  base: Result,
  request: CompareRequest,
): Promise<Comparison | undefined> {
  const id = await pickKeptRun(context, base);
  if (id === undefined) return undefined;
  return await compareResult(context, base, { ...request, with: { kind: 'keptRun', id } });
}

async function otherSides({ results, runs, savedQueries, kept }: ComparisonsContext, base: Result) {
  const document = await documentOf(base);
  const { version, isModified } = base.header;
  const versions = document === undefined ? [] : await savedQueries.versionsOf(document.uri);
  return {
    open: results.results.filter(
      (one) => one !== base && one.state.kind === 'rows' && one.state.comparison === undefined,
    ),
    kept: await kept.list(),
    // Modified text is not a version, so every version is a candidate.
    versions: versions.filter((one) => isModified === true || one.version !== version),
    valueSets: document === undefined ? [] : runs.valueSets(document),
    canSwitchConnection: document !== undefined,
  };
}

async function sideOf(
  context: ComparisonsContext,
  base: Result,
  { other, load: mayLoad }: { readonly other: OtherSide; readonly load: boolean | undefined },
): Promise<Side | undefined> {
  const { results, runs, savedQueries } = context;
  const running = async (uri: vscode.Uri, values: Values | undefined, isChosenHere = false) => {
    const result = await runSettled(context, uri, { values, isChosenHere });
    return result && (await sideOfResult(results, result));
  };
  switch (other.kind) {
    case 'result': {
      const result = results.results.find(({ id }) => id === other.id);
      if (result === undefined) throw new ExpectedError(vscode.l10n.t('This result was closed.'));
      return (await load(context, result, mayLoad)) ? await sideOfResult(results, result) : undefined;
    }
    case 'before':
      if (base.before === undefined)
        throw new ExpectedError(vscode.l10n.t('The rows of the run before are no longer there.'));
      return await sideOfRows(results, base.before);
    case 'kept':
      return await keptSide(context, other.id);
    case 'keptRun':
      return await keptRunSide(context, base, other.id);
    case 'run':
      return await running(vscode.Uri.parse(other.uri, true), other.values);
    case 'file':
      return await fileSide(context, other.path);
    case 'version': {
      const uri = (await documentOf(base))?.uri;
      const versions = uri === undefined ? [] : await savedQueries.versionsOf(uri);
      const seen = versions.find(({ version }) => version === other.version);
      if (seen === undefined) {
        throw new ExpectedError(
          vscode.l10n.t('Version {0} of this query was never opened here.', other.version),
        );
      }
      return await running(seen.uri, valuesOf(base));
    }
    case 'valueSet': {
      const document = await requireDocument(base);
      const set = runs.valueSets(document).find(({ name }) => name === other.name);
      if (set === undefined)
        throw new ExpectedError(vscode.l10n.t('The value set "{0}" no longer exists.', other.name));
      return await running(document.uri, set.values);
    }
    case 'connection': {
      const document = await requireDocument(base);
      const work = () => running(document.uri, valuesOf(base), true);
      return await elsewhere(context, { name: other.name, from: base.header.connection, work });
    }
    default:
      return other satisfies never;
  }
}

/**
 * Runs a document and loads all rows of the new result. Returns undefined if there are none; the panel explains why.
 */
export async function runSettled(
  context: ComparisonsContext,
  uri: vscode.Uri,
  options: { readonly values?: Values | undefined; readonly isChosenHere?: boolean } = {},
): Promise<Result | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const result = await context.runs.run(document, { ...options, isNew: true });
  return (await settled(context, result)) && (await load(context, result, true)) ? result : undefined;
}

type Values = Readonly<Record<string, RememberedValue>>;

/** Returns the parameter values of a result's run. Secrets are not stored, so the form asks for them. */
function valuesOf({ header }: Result): Values {
  return Object.fromEntries(
    header.parameters
      .filter(({ isSecret }) => isSecret !== true)
      .map(({ name, text, isNull, isEmpty }) => [name, { text, isNull, isEmpty: isEmpty === true }]),
  );
}

/** Returns the document of a result, reopening it if it was closed; undefined if it no longer exists. */
async function documentOf({ key, header }: Result): Promise<vscode.TextDocument | undefined> {
  if (header.origin === 'rows' || key === undefined) return undefined;
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  if (open !== undefined) return open;
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(key, true));
  } catch {
    // The document was deleted or its connection is gone: the result can be compared but not run again.
    return undefined;
  }
}

async function requireDocument(result: Result): Promise<vscode.TextDocument> {
  const document = await documentOf(result);
  if (document === undefined)
    throw new ExpectedError(vscode.l10n.t('The query of {0} can no longer be opened.', result.header.title));
  return document;
}

/**
 * Runs `work` on another connection, then restores the previous one.
 * @param from the rows' connection, which cannot be chosen.
 * @returns undefined if the user cancels or connecting fails; the session reports the failure.
 */
async function elsewhere<T>(
  { session }: ComparisonsContext,
  options: {
    readonly name: string | undefined;
    readonly from: string | undefined;
    readonly work: () => Promise<T>;
  },
): Promise<T | undefined> {
  const nameNow = () => (session.state.kind === 'disconnected' ? undefined : session.state.profile.name);
  const connect = (name: string | undefined) =>
    vscode.commands.executeCommand(commands.connectionConnect, name);
  const before = nameNow();
  await connect(options.name);
  const there = nameNow();
  try {
    if (there === undefined || session.state.kind !== 'connected') return undefined;
    if (there === options.from) {
      throw new ExpectedError(
        vscode.l10n.t('These rows already come from {0}. Choose another connection.', there),
      );
    }
    return await options.work();
  } finally {
    // Keep the connection if the user switched in the meantime or cancelled.
    const isStill = there !== undefined && nameNow() === there;
    if (isStill && before !== undefined && before !== there) await connect(before);
  }
}

/** Waits until a run has rows. @returns false if it ends without rows, which the panel explains. */
async function settled({ results }: ComparisonsContext, result: Result): Promise<boolean> {
  const outcome = (): boolean | undefined => {
    const { state } = result;
    switch (state.kind) {
      case 'rows':
        return state.loading.kind === 'none' || state.loading.kind === 'failed' ? true : undefined;
      case 'checking':
      case 'running':
      case 'parameters':
      case 'question':
        return undefined;
      case 'refused':
      case 'failed':
      case 'cancelled':
      case 'disconnected':
      case 'restored':
        return false;
      default:
        return state satisfies never;
    }
  };
  const known = outcome();
  if (known !== undefined) return known;
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Waiting for {0}', result.header.title),
      cancellable: true,
    },
    (_progress, signal) =>
      new Promise<boolean>((resolve) => {
        const end = (value: boolean) => {
          listener.dispose();
          resolve(value);
        };
        const listener = results.onDidChange(() => {
          const now = results.results.includes(result) ? outcome() : false;
          if (now !== undefined) end(now);
        });
        signal.addEventListener('abort', () => end(false), { once: true });
      }),
  );
}

/**
 * @param mayLoad whether to load missing rows; undefined to ask. @returns false if the user cancels or loading fails.
 */
async function load(
  { results }: ComparisonsContext,
  result: Result,
  mayLoad: boolean | undefined,
): Promise<boolean> {
  const { state, header } = result;
  if (state.kind !== 'rows')
    throw new ExpectedError(vscode.l10n.t('{0} has no rows to compare. Run it first.', header.title));
  if (isLoaded(state) || mayLoad === false) return true;
  let isWanted: boolean = mayLoad ?? true;
  if (mayLoad === undefined) {
    const chosen = await showQuickPick(
      [
        {
          label: vscode.l10n.t('Load All Rows First'),
          detail: vscode.l10n.t('Up to the row limit'),
          isWanted: true,
        },
        {
          label: vscode.l10n.t('Compare Loaded Rows'),
          detail: vscode.l10n.t(
            'Rows that were not loaded would look removed or added; the comparison says so',
          ),
          isWanted: false,
        },
      ],
      {
        title: vscode.l10n.t('{0}: {1} loaded, the service has more', header.title, rowWords(state.rowCount)),
      },
    );
    if (chosen === undefined) throw new UserAbort();
    isWanted = chosen.isWanted;
  }
  return isWanted ? await results.loadAll(result) : true;
}

async function keptSide({ results, kept }: ComparisonsContext, id: string): Promise<Side> {
  const one = (await kept.list()).find((each) => each.id === id);
  if (one === undefined) throw new ExpectedError(vscode.l10n.t('This kept result was forgotten.'));
  const rows = await results.operations.read({ ...fileOptions(), path: kept.rowsPath(one), format: 'kept' });
  return { rows, words: one.words, name: one.name, at: one.at, version: one.version };
}

const formats: Readonly<Record<string, RowsFileSource['format']>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.txt': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

async function fileSide({ results }: ComparisonsContext, given: string): Promise<Side | undefined> {
  let file = given;
  if (file === '') {
    const [chosen] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Compare with a File'),
        openLabel: vscode.l10n.t('Compare'),
        filters: { [vscode.l10n.t('Exported rows')]: Object.keys(formats).map((ending) => ending.slice(1)) },
      })) ?? [];
    if (chosen === undefined) return undefined;
    file = chosen.fsPath;
  }
  const name = path.basename(file);
  const format = formats[path.extname(file).toLowerCase()];
  if (format === undefined) {
    throw new ExpectedError(
      vscode.l10n.t("{0} can't be read as rows. Export as CSV, JSON Lines or JSON.", name),
    );
  }
  try {
    const { mtimeMs } = await stat(file);
    const rows = await results.operations.read({ ...fileOptions(), path: file, format });
    const count = rowWords(rows.outcome.rowCount);
    return {
      rows,
      name,
      // Timestamp 0, so that a file always counts as the earlier side.
      at: 0,
      words: {
        title: name,
        facts: [vscode.l10n.t('file of {0}', recordedText(mtimeMs)), count],
        warning: rows.isCut ? vscode.l10n.t('only the first {0}, the row limit', count) : undefined,
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExpectedError(vscode.l10n.t('{0} could not be read: {1}', name, why), [], { cause: error });
  }
}

/** Uses the same NULL text and formula guard as exports. */
function fileOptions(): Pick<RowsFileSource, 'rowLimit' | 'nullText' | 'isGuarded'> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return {
    rowLimit: Math.max(1, configuration.get(settings.resultsRowLimit, 1_000_000)),
    nullText: nullTextFor('exported'),
    isGuarded: configuration.get(settings.resultsGuardFormulas, true),
  };
}
