/**
 * Save All, if saved queries are involved: saves them like Ctrl+S, so that problems are reported clearly and together.
 * The editor saves everything else.
 */
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { allTabs } from '#client/ui/shown-uris.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { saveOpenQuery, type SaveOpenQueryDependencies } from './save-open-query.ts';

/** @throws ExpectedError if any query could not be saved; its text is kept, and all other queries are saved. */
export async function saveAll(deps: SaveOpenQueryDependencies): Promise<void> {
  const isOurs = ({ uri }: vscode.TextDocument) => uri.scheme === savedQueryScheme;
  const documents = vscode.workspace.textDocuments.filter((each) => isOurs(each) && hasEdits(each));
  if (documents.length > 0) await deps.connections.ready();
  const failures: unknown[] = [];
  for (const document of documents) {
    try {
      await saveOpenQuery(document, { ...deps, isExplicit: false });
    } catch (error) {
      if (!(error instanceof UserAbort)) failures.push(error);
    }
  }
  await saveOthers();
  const [first] = failures;
  if (failures.length > 1) throw notAllSaved(failures, documents.length);
  if (first !== undefined)
    throw first instanceof Error ? first : new Error('saving failed', { cause: first });
}

/** Saves the rest, as the editor's Save All would: every other dirty tab, including untitled ones. */
async function saveOthers(): Promise<void> {
  const dirty = new Map<string, vscode.Uri>();
  for (const tab of allTabs()) {
    const uri = tab.isDirty ? uriOf(tab.input) : undefined;
    if (uri !== undefined && uri.scheme !== savedQueryScheme) dirty.set(uri.toString(), uri);
  }
  for (const uri of dirty.values()) await vscode.workspace.save(uri);
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return isFile ? input.uri : undefined;
}

/** Combines the failures into one message in which each reason appears once. */
function notAllSaved(failures: readonly unknown[], count: number): ExpectedError {
  const messages = failures.map((error) => {
    const failure = failureOf(error);
    return failure.kind === 'cancelled' ? '' : failure.message;
  });
  return new ExpectedError(
    vscode.l10n
      .t(
        '{0} of {1} saved queries were not saved; their texts are kept here. {2}',
        failures.length,
        count,
        messages[0] ?? '',
      )
      .trim(),
    [],
    { cause: failures[0] },
  );
}
