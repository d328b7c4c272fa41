/**
 * Answers pulled diagnostics. For a large statement, the first response has only its syntax errors; the
 * rest is checked in the background, and the editor is asked to pull again, if it supports that.
 */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { stackOf } from '../../../core/src/shown-text/stack-of.ts';
import type { Analysis } from '../language/checks/analysis.ts';
import { withCarriedOver, type Shown } from '../language/checks/carry-over.ts';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor } from '../state.ts';
import { toDiagnostic } from './convert.ts';
import type { DiagnosticsDeps } from './push-diagnostics.ts';

export interface DiagnosticsAnswers {
  /** External facts changed: asks the editor to pull again for unchanged texts. */
  refresh(uri: string): void;
  closed(uri: string): void;
}

/** Maximum delay of the second look, which otherwise waits as long as the first one took. */
const pauseMaxMs = 100;

/** @param canRefresh whether the editor can be asked to pull again. */
export function answerDiagnostics(deps: DiagnosticsDeps, canRefresh: () => boolean): DiagnosticsAnswers {
  const { connection, guard, state, analyser, documentAt } = deps;
  /** The last requested version of each document. */
  const asked = new Map<string, number>();
  /** The last fully checked version of each document. */
  const whole = new Map<string, number>();
  /** The shown findings of each document. */
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
      // The client pulls again: the text changed.
      throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The document has changed.', {
        retriggerRequest: !token.isCancellationRequested,
      });
    }
    if (analysis.isPartial === true) lookAgain(document, performance.now() - started);
    const findings = findingsOf(analysis, shown.get(uri));
    shown.set(uri, { text, findings });
    const lines = new LineIndex(text);
    return { kind: 'full', items: findings.map((finding) => toDiagnostic(lines, finding, state.explain)) };
  };

  /** Findings are cached, so the next pull gets an immediate response. */
  const lookAgain = ({ uri, version }: TextDocument, tookMs: number): void => {
    const isOutdated = (): boolean => documentAt(uri)?.version !== version;
    // The parser handles one text at a time: typing must not wait for the second look.
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
    const document = documentAt(textDocument.uri);
    return document === undefined
      ? nothing
      : ((await guard('a check', () => report(document, token))) ?? nothing);
  });

  return {
    refresh(uri) {
      whole.delete(uri);
      // If the text changed, the client pulls without being asked.
      if (asked.get(uri) === documentAt(uri)?.version) {
        void connection.languages.diagnostics.refresh();
      }
    },
    closed(uri) {
      for (const known of [asked, whole, shown]) known.delete(uri);
    },
  };
}

const findingsOf = (analysis: Analysis, before: Shown | undefined) =>
  analysis.isPartial === true && before !== undefined ? withCarriedOver(analysis, before) : analysis.findings;
