/** Evidence: verifiable proof of a result, for tickets and reports. */
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import type { EvidenceDependencies } from './dependencies.ts';
import { evidenceArgument } from './evidence-argument.ts';
import { EvidenceDocuments } from './evidence-documents.ts';

export function registerEvidence(deps: EvidenceDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { log } = deps;
  const documents = disposables.add(new EvidenceDocuments());
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
