/** Checks an evidence record against the service, this machine, and another run of the statement. */
import * as vscode from 'vscode';
import { FileRefusal } from '#base/files/bounded-file.ts';
import { readFolderFile } from '#client/ui/folder-file.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import type { MadeDocuments } from '#client/ui/shown/made-documents.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { recordChecks, runChecks, statementIn, type Check, type FoundText } from '#core/evidence/checks.ts';
import { findEvidence, type FoundEvidence } from '#core/evidence/evidence-markdown.ts';
import { digestOfText, type Evidence } from '#core/evidence/evidence.ts';
import { reportText, summaryOf } from '#core/evidence/format-checks.ts';
import { parseEvidence } from '#core/evidence/parse-evidence.ts';
import { statementText, valuesOf } from '#core/evidence/statement-text.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { isLoaded } from '#core/reading/rows-writer.ts';
import type { Result } from '../results/index.ts';
import { readEvidence, withProgress } from './copy-evidence.ts';
import type { EvidenceDependencies } from './dependencies.ts';
import type { EvidenceArgument } from './evidence-argument.ts';

export interface EvidenceReport {
  /** URI of the report document. */
  readonly uri: vscode.Uri;
  readonly checks: readonly Check[];
}

/** Larger files are never evidence. */
const fileBytesMax = 4 * 1_048_576;

/**
 * Verifies an evidence record and shows the report.
 * @param asked a file or text; by default, the active editor's selection or text if it contains evidence, otherwise the
 * clipboard. `runAgain: true` skips the question of whether to run the statement again.
 */
export async function verifyEvidence(
  deps: EvidenceDependencies,
  documents: MadeDocuments,
  asked: EvidenceArgument,
): Promise<EvidenceReport | undefined> {
  const chosen = await chooseEvidence(await evidenceIn(asked));
  if (chosen === undefined) return undefined;
  const parsed = parseEvidence(chosen.json);
  if (parsed.kind !== 'evidence') throw new ExpectedError(problemWords(parsed));
  const { evidence, raw } = parsed;
  const [service, found] = await Promise.all([serviceOf(deps), findText(deps, evidence)]);
  const checks = recordChecks({ evidence, raw, readable: chosen.readable, service, found });
  const text = reportText(evidence, checks, { state: 'none' });
  const uri = documents.add(`${vscode.l10n.t('Evidence of {0}', evidence.query.name)}.md`, text);
  await showReport(uri);
  const statement = statementOf(evidence, found);
  const again = () => runAgain(deps, documents, { evidence, statement: statement ?? '', checks, uri });
  if (asked.runAgain === true && statement !== undefined) return { uri, checks: await again() };
  void offer(deps, { said: summaryOf(checks), canRun: statement !== undefined, again });
  return { uri, checks };
}

async function offer(
  deps: EvidenceDependencies,
  {
    said,
    canRun,
    again,
  }: { readonly said: string; readonly canRun: boolean; readonly again: () => Promise<unknown> },
): Promise<void> {
  const run = vscode.l10n.t('Run Again and Compare');
  const chosen = await showInformationMessage(said, ...(canRun ? [run] : []));
  if (chosen === run)
    await again().catch((error: unknown) => presentFailure(deps.log, 'compare evidence', error));
}

/**
 * Shows the report as a Markdown preview, where _Show Source_ opens the text, or as text if the preview is disabled.
 */
async function showReport(uri: vscode.Uri): Promise<void> {
  // Look up the extension rather than the command, which is only listed once the extension has started.
  if (vscode.extensions.getExtension('vscode.markdown-language-features') !== undefined)
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}

async function serviceOf({ session }: EvidenceDependencies): Promise<string | undefined> {
  const state = await session.settled();
  return state.kind === 'connected' ? serviceKeyOf(state.profile) : undefined;
}

async function findText(deps: EvidenceDependencies, evidence: Evidence): Promise<FoundText> {
  const { query, statement } = evidence;
  let reason: Extract<FoundText, { kind: 'missing' }>['reason'] =
    query.edited === true ? 'edited' : 'never-saved';
  if (query.id !== undefined && query.version !== undefined && query.edited !== true) {
    try {
      const version = await deps.readVersion(query.id, query.version);
      if (version.kind === 'found')
        return { kind: 'version', text: version.record.query_string, from: version.from };
      reason = version.kind === 'deleted' ? 'deleted' : version;
    } catch (error) {
      const failure = failureOf(error);
      reason = { kind: 'not-read', why: failure.kind === 'cancelled' ? '' : failure.message };
    }
  }
  const open = vscode.workspace.textDocuments.find(
    (document) => digestOfText(document.getText()) === query.sha256,
  );
  if (open !== undefined) return { kind: 'version', text: open.getText(), from: 'editor' };
  const run = await deps.findRun(({ sql }) => digestOfText(sql) === statement.sha256);
  return run === undefined ? { kind: 'missing', reason } : { kind: 'history', statement: run.sql };
}

function statementOf(evidence: Evidence, found: FoundText): string | undefined {
  if (found.kind === 'version') return statementIn(evidence, found.text);
  return found.kind === 'history' ? found.statement : undefined;
}

async function evidenceIn({ text, uri }: EvidenceArgument): Promise<readonly FoundEvidence[]> {
  if (text !== undefined) return findEvidence(text);
  if (uri !== undefined) return findEvidence(await readText(uri));
  const editor = vscode.window.activeTextEditor;
  const selected =
    editor === undefined || editor.selection.isEmpty ? '' : editor.document.getText(editor.selection);
  for (const place of [selected, editor?.document.getText() ?? '']) {
    const found = findEvidence(place).filter(({ json }) => parseEvidence(json).kind !== 'not-json');
    if (found.length > 0) return found;
  }
  return findEvidence(await vscode.env.clipboard.readText());
}

async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await readFolderFile(uri, fileBytesMax));
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'too-large')
      throw new ExpectedError(vscode.l10n.t('This file is too large to be an evidence record.'));
    throw error;
  }
}

/** @throws ExpectedError if nothing was found. */
async function chooseEvidence(found: readonly FoundEvidence[]): Promise<FoundEvidence | undefined> {
  const [first] = found;
  if (first === undefined) {
    throw new ExpectedError(
      vscode.l10n.t(
        'There is no evidence in the selection, the active editor or the clipboard. Copy a block of evidence, or open its record, then try again.',
      ),
    );
  }
  if (found.length === 1) return first;
  const items = found.map((one) => {
    const parsed = parseEvidence(one.json);
    return parsed.kind === 'evidence'
      ? { label: parsed.evidence.query.name, description: parsed.evidence.finishedAt, one }
      : { label: vscode.l10n.t('A record that cannot be read'), one };
  });
  return (await showQuickPick(items, { title: vscode.l10n.t('Choose Evidence to Verify') }))?.one;
}

function problemWords(parsed: Exclude<ReturnType<typeof parseEvidence>, { kind: 'evidence' }>): string {
  switch (parsed.kind) {
    case 'not-json':
      return vscode.l10n.t(
        'The record is not valid JSON. Its quotation marks may have been changed in transit. Open its file, or copy it again.',
      );
    case 'other-format':
      return parsed.format === ''
        ? vscode.l10n.t('This JSON is not an evidence record.')
        : vscode.l10n.t(
            'The record has the format {0}, which this version of the extension does not know.',
            parsed.format,
          );
    case 'misshapen':
      return vscode.l10n.t(
        'The record is incomplete or was changed: {0} does not match the format.',
        parsed.place === '' ? '/' : parsed.place,
      );
    default:
      return parsed satisfies never;
  }
}

/** Reruns the statement and compares the new result's rows. Resolves after all checks. */
async function runAgain(
  deps: EvidenceDependencies,
  documents: MadeDocuments,
  report: {
    readonly evidence: Evidence;
    readonly statement: string;
    readonly checks: readonly Check[];
    readonly uri: vscode.Uri;
  },
): Promise<readonly Check[]> {
  const { evidence, checks, uri } = report;
  const draw = (all: readonly Check[], run: Parameters<typeof reportText>[2]) =>
    documents.change(uri, reportText(evidence, all, run));
  draw(checks, { state: 'running' });
  const statementUri = documents.add(
    `${evidence.query.name}.identity.sql`,
    statementText(evidence, report.statement),
  );
  const document = await vscode.workspace.openTextDocument(statementUri);
  await deps.runs.run(document, { values: valuesOf(evidence), isNew: true });
  const result = deps.results.results.findLast((one) => one.key === statementUri.toString());
  if (result === undefined) return checks;
  const outcome = await rowsOf(deps, result, evidence.rows);
  if (outcome.kind === 'ended') {
    draw(checks, { state: 'ended', why: outcome.why });
    return checks;
  }
  const now = await withProgress(vscode.l10n.t('Comparing rows'), (signal, onProgress) =>
    readEvidence(result, {
      extensionVersion: evidence.extension,
      // If more rows exist, compare only as many as were recorded.
      rowsMax: evidence.rows.truncated ? evidence.rows.count : undefined,
      signal,
      onProgress,
    }),
  );
  const all = [...checks, ...runChecks(evidence, now)];
  draw(all, { state: 'done' });
  void showInformationMessage(summaryOf(all));
  return all;
}

type RowsOutcome = { readonly kind: 'rows' } | { readonly kind: 'ended'; readonly why: string };

/** Waits until the recorded number of rows is loaded, without a timeout. */
async function rowsOf(
  { results }: EvidenceDependencies,
  result: Result,
  wanted: Evidence['rows'],
): Promise<RowsOutcome> {
  const isHere = () => results.results.includes(result);
  const { promise, resolve } = Promise.withResolvers<RowsOutcome>();
  const look = () => {
    const outcome = isHere()
      ? outcomeOf(result, wanted)
      : ({ kind: 'ended', why: vscode.l10n.t('its result was closed.') } as const);
    if (outcome !== undefined) resolve(outcome);
  };
  // Listen to every result, since closing a result does not fire a separate event. Check after the event, because more
  // rows can be requested only then.
  const listener = results.onDidChange(() => setImmediate(look));
  setImmediate(look);
  try {
    return await promise;
  } finally {
    listener.dispose();
  }
}

function outcomeOf(
  { state, actions }: Result,
  { count, truncated }: Evidence['rows'],
): RowsOutcome | undefined {
  switch (state.kind) {
    case 'rows':
      if (state.loading.kind === 'failed') return { kind: 'ended', why: state.loading.failure.message };
      if (state.loading.kind !== 'none') return undefined;
      if (isLoaded(state) || (truncated && state.rowCount >= count)) return { kind: 'rows' };
      // A partial record needs only as many rows as it contains.
      actions?.load?.(!truncated);
      return undefined;
    case 'failed':
    case 'refused':
      return { kind: 'ended', why: state.failure.message };
    case 'cancelled':
      return { kind: 'ended', why: vscode.l10n.t('it was cancelled.') };
    case 'disconnected':
      return { kind: 'ended', why: state.message };
    case 'checking':
    case 'running':
    case 'parameters':
    case 'question':
    case 'restored':
      return undefined;
    default:
      return state satisfies never;
  }
}
