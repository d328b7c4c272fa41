/** Follows activities to completion: exports until they are ready, and changes until every target has an outcome. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { commands } from '#client/contributions.ts';
import type { ChangeState, Confirmation } from '#core/changes/change.ts';
import type { KnownExport } from '#core/exports/export-store.ts';
import { until } from './support.ts';

export async function knownExports(): Promise<readonly KnownExport[]> {
  return await vscode.commands.executeCommand<readonly KnownExport[]>(commands.exportsCurrent);
}

export async function exportWithStatus(id: string, status: string): Promise<KnownExport> {
  let found: KnownExport | undefined;
  await until(`the export is ${status}`, async () => {
    found = (await knownExports()).find((one) => one.id === id && one.status === status);
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

/** Fetches an export's file through its link. */
export async function exportedText(client: ServiceClient, id: string): Promise<string> {
  const { url } = await client.downloads.get(id);
  assert.ok(url);
  return await (await fetch(url)).text();
}

export async function confirmations(): Promise<readonly Confirmation[]> {
  return await vscode.commands.executeCommand<readonly Confirmation[]>(commands.changesCurrent);
}

/** Waits until none of a confirmation's targets is pending, and returns their final states. */
export async function endOfChange(id: string): Promise<readonly ChangeState[]> {
  let states: readonly ChangeState[] = [];
  const settled = new Set<ChangeState['kind']>([
    'not-sent',
    'refused',
    'ended',
    'found-changed',
    'found-unchanged',
    'unknown',
  ]);
  await until('every target has its outcome', async () => {
    const confirmation = (await confirmations()).find((one) => one.id === id);
    states = confirmation?.targets.map(({ state }) => state) ?? [];
    return states.length > 0 && states.every(({ kind }) => settled.has(kind));
  });
  return states;
}
