/**
 * Handles pull diagnostics. The first response for a large statement contains only its syntax errors. The rest is
 * checked in the background; then the editor is asked to pull again, if it supports that.
 */
import type { CancellationToken, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { stackOf } from '#base/shown-text/stack-of.ts';
import type { Analysis } from '../language/checks/analysis.ts';
import { withCarriedOver, type Shown } from '../language/checks/carry-over.ts';
import { shownFindings } from '../language/checks/shown-findings.ts';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor } from '../state.ts';
import { toDiagnostic } from './convert.ts';
import type { DiagnosticsDeps } from './push-diagnostics.ts';

export interface DiagnosticsAnswers {
  /** Asks the editor to pull again even though the text is unchanged, for example after the catalog changed. */
  refresh(uri: string): void;
  closed(uri: string): void;
}

/** Maximum delay before the second pass. Below this limit, the delay equals the duration of the first pass. */
const pauseMaxMs = 100;

/** @param canRefresh whether the client supports refresh requests */
export function answerDiagnostics(deps: DiagnosticsDeps, canRefresh: () => boolean): DiagnosticsAnswers {
  const { connection, guard, state, analyser, documentAt } = deps;
  /** The last requested version of each document. */
  const asked = new Map<string, number>();
  /** The last version of each document whose check is complete. */
  const whole = new Map<string, number>();
  const shown = new Map<string, Shown>();

  const report = async (
    document: TextDocument,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> => {
    const { uri, version } = document;
    const isOutdated = (): boolean => token.isCancellationRequested || documentAt(uri)?.version !== version;
    asked.set(uri, version);
    const text = document.getText();
    const isFirstLook = canRefresh() && whole.get(uri) !== version;
    const started = performance.now();
    const analysis = await analyser.analyse(text, { ...optionsFor(state, uri), isFirstLook }, isOutdated);
    if (analysis === undefined) {
      // The text changed, so the client should pull again.
      throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The document has changed.', {
        retriggerRequest: !token.isCancellationRequested,
      });
    }
    if (analysis.isPartial === true) lookAgain(document, performance.now() - started);
    const findings = findingsOf(analysis, shown.get(uri));
    shown.set(uri, { text, findings });
    const lines = new LineIndex(text);
    return {
      kind: 'full',
      items: shownFindings(findings).map((finding) => toDiagnostic(lines, finding, state.explain)),
    };
  };

  /** Runs the second pass in the background. Findings are cached, so the next pull gets an immediate response. */
  const lookAgain = ({ uri, version }: TextDocument, tookMs: number): void => {
    const isOutdated = (): boolean => documentAt(uri)?.version !== version;
    // The parser takes one input at a time, so typing must not wait for the second pass.
    setTimeout(
      () => {
        const document = documentAt(uri);
        if (document === undefined || isOutdated()) return;
        analyser.analyse(document.getText(), optionsFor(state, uri), isOutdated).then(
          (analysis) => {
            if (analysis === undefined || isOutdated()) return;
            whole.set(uri, version);
            void connection.languages.diagnostics.refresh();
          },
          (error: unknown) => connection.console.error(`a check failed: ${stackOf(error)}`),
        );
      },
      Math.min(pauseMaxMs, tookMs),
    ).unref();
  };
  const nothing: DocumentDiagnosticReport = { kind: 'full', items: [] };

  connection.languages.diagnostics.on(async ({ textDocument }, token) => {
    await deps.ready(textDocument.uri);
    const document = documentAt(textDocument.uri);
    return document === undefined
      ? nothing
      : ((await guard('a check', () => report(document, token))) ?? nothing);
  });

  return {
    refresh(uri) {
      whole.delete(uri);
      // If the text changed, the client pulls anyway.
      if (asked.get(uri) === documentAt(uri)?.version) void connection.languages.diagnostics.refresh();
    },
    closed(uri) {
      for (const known of [asked, whole, shown]) known.delete(uri);
    },
  };
}

const findingsOf = (analysis: Analysis, before: Shown | undefined) =>
  analysis.isPartial === true && before !== undefined ? withCarriedOver(analysis, before) : analysis.findings;
