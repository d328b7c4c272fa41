/** Evidence: what a result can be held to, copied into tickets and reports, and checked again later. */
import { commands } from '../../contributions.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { EvidenceDependencies } from './dependencies.ts';
import { EvidenceDocuments } from './evidence-documents.ts';

export function registerEvidence(deps: EvidenceDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { log } = deps;
  const documents = disposables.add(new EvidenceDocuments());
  disposables.add(
    registerCommand(log, commands.resultsCopyEvidence, async (argument) => {
      const { copyEvidence } = await import('./copy-evidence.ts');
      return await copyEvidence(deps.results.shown, deps.extensionVersion, argument);
    }),
  );
  disposables.add(
    registerCommand(log, commands.evidenceVerify, async (argument) => {
      const { verifyEvidence } = await import('./verify-evidence.ts');
      return await verifyEvidence(deps, documents, argument);
    }),
  );
  return disposables;
}
