/** A document that lists every broken saved query and its problems. */
import * as vscode from 'vscode';
import type { Diagnostic, Range } from 'vscode-languageserver-types';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { reportOf, type CheckedQuery, type DriftResult } from '#core/models/drift.ts';
import type { DriftStore } from './drift-store.ts';
import { messageOf, toRange } from './drift-tree.ts';

const scheme = 'identity-queries-check';

export const driftUri = vscode.Uri.from({ scheme, path: '/Broken Saved Queries.md' });

/** @param uriOf returns the URI of a saved query; undefined if its connection is not the current one. */
export function registerDriftDocument(
  store: DriftStore,
  uriOf: (query: CheckedQuery) => vscode.Uri | undefined,
): DisposableLike {
  const disposables = new DisposableStore();
  const changed = disposables.add(new vscode.EventEmitter<vscode.Uri>());
  const problems = disposables.add(vscode.languages.createDiagnosticCollection('identityQueries.drift'));
  const report = () =>
    store.result === undefined ? undefined : reportOf(store.result, wordsOf(store.result));
  disposables.add(
    registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () =>
        report()?.text ?? vscode.l10n.t('Nothing has been checked yet. Run "Check All Saved Queries".'),
    }),
  );
  disposables.add(
    store.onDidChange(() => {
      problems.set(
        driftUri,
        (report()?.places ?? []).map(({ query, finding, range }) =>
          problemOf(query, finding, range, uriOf(query)),
        ),
      );
      changed.fire(driftUri);
    }),
  );
  return disposables;
}

function wordsOf(result: DriftResult): Parameters<typeof reportOf>[1] {
  return {
    title: vscode.l10n.t('Broken saved queries of {0}', result.connection),
    summary: vscode.l10n.t(
      result.broken.length === 1
        ? '{0} of {1} saved queries does not fit the current models. Each check rewrites this text.'
        : '{0} of {1} saved queries do not fit the current models. Each check rewrites this text.',
      result.broken.length,
      result.checked,
    ),
    query: ({ version, model }) => vscode.l10n.t('Version {0}, model {1}', version, model),
    finding: ({ range, message, code }) =>
      vscode.l10n.t('Line {0}: {1} ({2})', range.start.line + 1, messageOf(message), String(code ?? '')),
  };
}

function problemOf(
  query: CheckedQuery,
  finding: Diagnostic,
  range: Range,
  uri: vscode.Uri | undefined,
): vscode.Diagnostic {
  const problem = new vscode.Diagnostic(
    toRange(range),
    messageOf(finding.message),
    finding.severity === 1 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  problem.source = 'Identity Queries';
  if (finding.code !== undefined) problem.code = finding.code;
  if (uri !== undefined) {
    problem.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, toRange(finding.range)), query.name),
    ];
  }
  return problem;
}
