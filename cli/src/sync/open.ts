/** The context of all commands for saved queries in Git. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { countedText } from '#base/words/counted-text.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { AgreedStore } from '#core/sync/agreed-store.ts';
import { compare, type Comparison, type OpenSync } from '#core/sync/compare.ts';
import type { Choices } from '#core/sync/plan/plan.ts';
import { isUnder, type Under } from '#core/sync/scope.ts';
import { openWorkspace, type Workspace } from '#core/sync/workspace.ts';
import type { CliContext } from '../context.ts';
import { memoryOf } from '../memory-of.ts';
import { write } from '../output.ts';
import type { ConnectionOptions, Service } from '../service.ts';
import { createProgress } from '../terminal/progress.ts';

export interface SyncOptions extends ConnectionOptions {
  readonly folder?: string;
  readonly under?: string;
  readonly json?: boolean;
}

/** Opens and validates the folder before any request is sent. @throws SyncError */
export async function openFolder(
  { environment, cwd, signal }: CliContext,
  { folder, under }: SyncOptions,
): Promise<Workspace> {
  return await openWorkspace({ environment, cwd, folder, under, signal });
}

/** @param isOptional whether local data may be missing: see `AgreedStore`. */
export function openSync(
  context: CliContext,
  { profile }: Service,
  workspace: Workspace,
  isOptional = false,
): OpenSync {
  const service = serviceKeyOf(profile);
  const store = new AgreedStore(memoryOf(context), workspace.root, service, isOptional);
  return { workspace, service, store };
}

export async function compareWith(
  { stderr, signal }: CliContext,
  { client }: Service,
  { workspace, service, store }: OpenSync,
  { from, choices }: { readonly from: 'commit' | 'files'; readonly choices: Choices },
): Promise<Comparison> {
  const progress = createProgress(stderr);
  try {
    const comparison = await compare({
      workspace,
      client,
      service,
      store,
      from,
      choices,
      signal,
      onProgress: (count) => progress.show(`${countedText(count, 'saved query', 'saved queries')} read`),
    });
    progress.clear();
    await noteEmptyScope(stderr, comparison, workspace.under);
    for (const note of comparison.notes) await write(stderr, `${forTerminal(note)}\n`);
    return comparison;
  } finally {
    progress.clear();
  }
}

/** A misspelled scope would otherwise look like one where all is well. */
async function noteEmptyScope(
  stderr: CliContext['stderr'],
  { folder, there }: Comparison,
  under: Under | undefined,
): Promise<void> {
  const isIn = ({ draft }: { readonly draft: { readonly name: string } }) => isUnder(draft.name, under);
  if (under === undefined || folder.queries.some(isIn) || there.some(isIn)) return;
  await write(stderr, `No saved query, here or on the service, is in "${forTerminal(under)}".\n`);
}
