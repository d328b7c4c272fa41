/** Evidence: verifiable proof of a result, for tickets and reports. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { MadeDocuments } from '#client/ui/shown/made-documents.ts';
import type { EvidenceDependencies } from './dependencies.ts';
import { evidenceArgument } from './evidence-argument.ts';

export function registerEvidence(deps: EvidenceDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { log } = deps;
  const documents = disposables.add(
    new MadeDocuments('identity-query-evidence', () => {
      throw new Error(vscode.l10n.t('This report is no longer available. Verify the evidence again.'));
    }),
  );
  const on = commandsIn(disposables, log);
  on(commands.resultsCopyEvidence, [evidenceArgument], async ({ uri }) => {
    const { copyEvidence } = await import('./copy-evidence.ts');
    return await copyEvidence(deps.results.shown, deps.extensionVersion, uri);
  });
  on(commands.evidenceVerify, [evidenceArgument], async (asked) => {
    const { verifyEvidence } = await import('./verify-evidence.ts');
    return await verifyEvidence(deps, documents, asked);
  });
  return disposables;
}
