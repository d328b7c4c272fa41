/** Code actions using protocol types. Rechecks the text only if it changed, since results are cached. */
import type { CodeAction, Range } from 'vscode-languageserver-types';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { forLine } from '../../../core/src/shown-text/for-places.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import { actionsAt } from '../language/fixes/actions.ts';
import type { Finding } from '../language/checks/finding.ts';
import { LineIndex } from '../language/text/lines.ts';
import { isTooLong, limitOf } from '../language/checks/text-limits.ts';
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

export async function codeActions(
  { analyser, state, canReport }: CodeActionDeps,
  document: TextDocument,
  range: Range,
  only: readonly string[] | undefined,
  isCancelled: () => boolean,
): Promise<CodeAction[] | null> {
  const text = document.getText();
  const analysis = await analyser.analyse(text, optionsFor(state, document.uri), isCancelled);
  if (analysis === undefined) {
    return null;
  }
  if (isTooLong(text) || limitOf(analysis.lexed) !== undefined) {
    return [];
  }
  const lines = new LineIndex(text);
  const names = nameContextFor(state, document.uri, analysis.lexed);
  const wanted = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const findings: Finding[] = [];
  for (const finding of analysis.findings) {
    findings.push(
      touches(finding, wanted) ? await withProvenFix(analyser, text, finding, isCancelled) : finding,
    );
  }
  return actionsAt({ ...analysis, findings }, names, wanted)
    .filter(
      ({ kind }) => only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`)),
    )
    .filter(({ report }) => report === undefined || canReport)
    .map(({ title, kind, edits, finding, report }): CodeAction => {
      const textEdits = edits.map(({ start, end, newText }) => ({
        range: toRange(lines, start, end),
        newText,
      }));
      return {
        title: forLine(title),
        kind,
        ...(finding === undefined ? {} : { diagnostics: [toDiagnostic(lines, finding, state.explain)] }),
        ...(report === undefined
          ? { edit: { changes: { [document.uri]: textEdits } } }
          : { command: { title: forLine(title), command: reportFalsePositiveCommand, arguments: [report] } }),
        ...(finding?.fix?.title === title ? { isPreferred: true } : {}),
      };
    });
}

const touches = (finding: Finding, range: { readonly start: number; readonly end: number }): boolean =>
  finding.start <= range.end && range.start <= finding.end;

/** Adds the unproven fix for a syntax error if the fixed text parses. */
async function withProvenFix(
  analyser: Analyser,
  text: string,
  finding: Finding,
  isCancelled: () => boolean,
): Promise<Finding> {
  const { unprovenFix } = finding;
  return unprovenFix !== undefined && (await analyser.isMendedBy(text, unprovenFix.edits, isCancelled))
    ? { ...finding, fix: unprovenFix }
    : finding;
}
