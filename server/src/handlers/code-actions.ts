/** Code actions using protocol types. Rechecks the text only if it changed, since results are cached. */
import type { ClientCapabilities } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { CodeAction, Range, WorkspaceEdit } from 'vscode-languageserver-types';
import { forLine } from '#base/shown-text/for-places.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import type { Finding, Fix } from '../language/checks/finding.ts';
import { shownFindings } from '../language/checks/shown-findings.ts';
import { isTooLong, limitOf } from '../language/checks/text-limits.ts';
import type { Action } from '../language/fixes/action.ts';
import { actionsAt } from '../language/fixes/actions.ts';
import type { Edit } from '../language/text/edits.ts';
import { keptApart } from '../language/text/kept-apart.ts';
import { LineIndex } from '../language/text/lines.ts';
import { reportFalsePositiveCommand } from '../protocol.ts';
import { nameContextFor, optionsFor, type ServerState } from '../state.ts';
import { toDiagnostic, toRange } from './convert.ts';

export interface CodeActionDeps {
  readonly analyser: Analyser;
  readonly state: ServerState;
  /** Whether the client supports the command that copies a report. */
  readonly canReport: boolean;
}

export const codeActionKinds = ['quickfix', 'refactor.extract', 'refactor.rewrite'];

/** Reads the client's untrusted `initializationOptions`. */
export const readsReports = (options: unknown): boolean =>
  typeof options === 'object' &&
  options !== null &&
  'reportsFalsePositives' in options &&
  options.reportsFalsePositives === true;

export const editsWithSnippets = ({ workspace }: ClientCapabilities): boolean =>
  workspace?.workspaceEdit?.documentChanges === true && workspace.workspaceEdit.snippetEditSupport === true;

/**
 * What is looked at for one answer, in characters: each fix is compared with the whole text, and a fix that is proven is
 * analyzed with it. So a text with thousands of findings is not read thousands of times.
 */
const charsMax = { compared: 1_000_000, proven: 200_000 } as const;

export async function codeActions(
  { analyser, state, canReport }: CodeActionDeps,
  document: TextDocument,
  range: Range,
  only: readonly string[] | undefined,
  isCancelled: () => boolean,
): Promise<CodeAction[] | null> {
  const text = document.getText();
  const options = optionsFor(state, document.uri);
  const analysis = await analyser.analyse(text, options, isCancelled);
  if (analysis === undefined) return null;
  if (isTooLong(text) || limitOf(analysis.lexed) !== undefined) return [];
  const lines = new LineIndex(text);
  const names = nameContextFor(state, document.uri, analysis.lexed);
  const wanted = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const editsOf = (fix: Fix) =>
    names.nameQuotes === undefined ? keptApart(analysis.lexed, fix.edits) : fix.edits;
  const isProven = ({ code }: Finding, edits: readonly Edit[]): Promise<boolean> =>
    code === 'QUERY_PARSE_ERROR'
      ? analyser.isMendedBy(text, edits, isCancelled)
      : analyser.isValidAfter(text, edits, options, isCancelled);
  let proofsLeft = Math.ceil(charsMax.proven / text.length);
  const mayProve = (): boolean => proofsLeft-- > 0;
  const findings: Finding[] = [];
  const near = shownFindings(analysis.findings).filter((finding) => touches(finding, wanted));
  for (const finding of near.slice(0, Math.ceil(charsMax.compared / text.length))) {
    const { unprovenFix, alternatives = [], ...plain } = finding;
    const better: Fix[] = [];
    for (const each of alternatives) {
      if (mayProve() && (await analyser.isBetterAfter(text, editsOf(each), options, isCancelled)))
        better.push(each);
    }
    const isOffered =
      unprovenFix !== undefined && mayProve() && (await isProven(finding, editsOf(unprovenFix)));
    findings.push({
      ...plain,
      ...(isOffered ? { fix: unprovenFix } : {}),
      ...(better.length === 0 ? {} : { alternatives: better }),
    });
  }
  const offered: Action[] = [];
  for (const action of actionsAt({ ...analysis, findings }, names, wanted)) {
    const isRewrite = action.kind !== 'quickfix' && action.edits.length > 0;
    if (!isRewrite || (await analyser.isValidAfter(text, action.edits, options, isCancelled)))
      offered.push(action);
  }
  return offered
    .filter(
      ({ kind }) => only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`)),
    )
    .filter(({ report }) => report === undefined || canReport)
    .map((action): CodeAction => {
      const { title, kind, finding, report } = action;
      return {
        title: forLine(title),
        kind,
        ...(finding === undefined ? {} : { diagnostics: [toDiagnostic(lines, finding, state.explain)] }),
        ...(report === undefined
          ? { edit: toEdit(document, lines, action, state.editsWithSnippets) }
          : { command: { title: forLine(title), command: reportFalsePositiveCommand, arguments: [report] } }),
        ...(finding?.fix?.title === title ? { isPreferred: true } : {}),
      };
    });
}

function toEdit(
  { uri, version }: TextDocument,
  lines: LineIndex,
  { edits, placeholder }: Action,
  withSnippets: boolean,
): WorkspaceEdit {
  const textEdits = edits.map(({ start, end, newText }) => ({ range: toRange(lines, start, end), newText }));
  if (placeholder === undefined || !withSnippets) return { changes: { [uri]: textEdits } };
  const snippets = textEdits.map(({ range, newText }) => ({
    range,
    snippet: { kind: 'snippet' as const, value: newText.replace(placeholder, `\${1:${placeholder}}`) },
  }));
  return { documentChanges: [{ textDocument: { uri, version }, edits: snippets }] };
}

const touches = (finding: Finding, range: { readonly start: number; readonly end: number }): boolean =>
  finding.start <= range.end && range.start <= finding.end;
