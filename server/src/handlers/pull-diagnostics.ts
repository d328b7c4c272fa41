/** Answers editors that ask for diagnostics. */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor } from '../state.ts';
import { toDiagnostic } from './convert.ts';
import type { DiagnosticsDeps } from './push-diagnostics.ts';

export interface DiagnosticsAnswers {
  /** What is known beside the document may have changed: has the editor ask again if its text is as it was. */
  refresh(uri: string): void;
  closed(uri: string): void;
}

export function answerDiagnostics(deps: DiagnosticsDeps): DiagnosticsAnswers {
  const { connection, guard, state, analyser, documentAt } = deps;
  /** The version of each document that was asked for last. */
  const asked = new Map<string, number>();

  const report = async (
    document: TextDocument,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> => {
    const { uri, version } = document;
    const isOutdated = (): boolean => token.isCancellationRequested || documentAt(uri)?.version !== version;
    asked.set(uri, version);
    const text = document.getText();
    const analysis = await analyser.analyse(text, optionsFor(state, uri), isOutdated);
    if (analysis === undefined) {
      // The client asks again by itself: the text has changed.
      throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The document has changed.', {
        retriggerRequest: !token.isCancellationRequested,
      });
    }
    const lines = new LineIndex(text);
    return {
      kind: 'full',
      items: analysis.findings.map((finding) => toDiagnostic(lines, finding, state.explain)),
    };
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
      // Where the text has changed, the client asks by itself.
      if (asked.get(uri) === documentAt(uri)?.version) {
        void connection.languages.diagnostics.refresh();
      }
    },
    closed(uri) {
      asked.delete(uri);
    },
  };
}
