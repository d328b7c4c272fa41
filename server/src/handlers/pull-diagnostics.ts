/**
 * Answers editors that ask for diagnostics. Of a large statement the answer says at once what its grammar says; the rest is
 * looked into behind it, and then the editor is told to ask again, where it can be told.
 */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { describeError } from '../guard.ts';
import type { Analysis } from '../language/checks/analyser.ts';
import { withCarriedOver, type Shown } from '../language/checks/carry-over.ts';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor } from '../state.ts';
import { toDiagnostic } from './convert.ts';
import type { DiagnosticsDeps } from './push-diagnostics.ts';

export interface DiagnosticsAnswers {
  /** What is known beside the document may have changed: has the editor ask again if its text is as it was. */
  refresh(uri: string): void;
  closed(uri: string): void;
}

/** The second look begins as long after the first one as that took, and no later than this. */
const pauseMaxMs = 100;

/** @param canRefresh whether the editor can be told to ask again. */
export function answerDiagnostics(deps: DiagnosticsDeps, canRefresh: () => boolean): DiagnosticsAnswers {
  const { connection, guard, state, analyser, documentAt } = deps;
  /** The version of each document that was asked for last. */
  const asked = new Map<string, number>();
  /** The version of each document that was looked into to the end. */
  const whole = new Map<string, number>();
  /** What each document shows. */
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
      // The client asks again by itself: the text has changed.
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

  /** What is found is kept, so that the question that follows is answered at once. */
  const lookAgain = ({ uri, version }: TextDocument, tookMs: number): void => {
    const isOutdated = (): boolean => documentAt(uri)?.version !== version;
    // The parser takes one text at a time: a person who goes on typing must not wait behind the second look.
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
          (error: unknown) => connection.console.error(`a check failed: ${describeError(error)}`),
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
      // Where the text has changed, the client asks by itself.
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
