/** Finds a window's controls: in workspace files and in the connection's saved queries. */
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import { readFolderFile } from '#client/ui/folder-file.ts';
import { readControl } from '#core/controls/control.ts';
import type { FoundControl } from '#core/controls/find-controls.ts';
import type { ControlsDependencies } from './dependencies.ts';

export interface EditorControl {
  readonly found: FoundControl;
  readonly uri: vscode.Uri;
  /** Name of the control's group in a tree: its folder, or the saved queries. */
  readonly folder: string;
  readonly control: FoundControl['control'];
  /** Key of the stored last outcome. */
  readonly key: string;
}

const filesMax = 2_000;
const bytesMax = 1_000_000;

/** Reads missing text, a few queries at a time. A saved query whose file is in the workspace is listed as that file. */
export async function findEditorControls(
  { queries, uriOf, fileOfQuery, log }: ControlsDependencies,
  signal: AbortSignal,
): Promise<readonly EditorControl[]> {
  const found: EditorControl[] = [];
  for (const uri of await vscode.workspace.findFiles('**/*.identity.sql', '**/node_modules/**', filesMax)) {
    if (signal.aborted) return found;
    const text = await textOf(uri);
    const control = text === undefined ? undefined : readControl(text);
    if (text === undefined || control === undefined) continue;
    const name = vscode.workspace.asRelativePath(uri);
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : vscode.l10n.t('Files');
    found.push({ found: { control, place: { name }, text }, uri, folder, control, key: uri.toString() });
  }
  try {
    for await (const { query, text } of queries.withTexts({ signal })) {
      const control = text === undefined ? undefined : readControl(text);
      const uri = control === undefined ? undefined : uriOf(query);
      if (text === undefined || control === undefined || uri === undefined) continue;
      if (fileOfQuery(query.query_id) !== undefined) continue;
      const place = { name: query.name, savedQueryId: query.query_id };
      found.push({
        found: { control, place, text, model: query.model },
        uri,
        folder: vscode.l10n.t('Saved queries'),
        control,
        key: query.query_id,
      });
    }
  } catch (error) {
    if (!(error instanceof UserAbort)) log.warn(`saved queries were not all looked through for controls`);
  }
  return found;
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    const bytes = await readFolderFile(uri, bytesMax);
    return bytes.length > bytesMax ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // unreadable text is not a query
  }
}
