/** Finds a window's controls: in workspace files and in the connection's saved queries. */
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import { FileRefusal, refusedWords } from '#base/files/bounded-file.ts';
import { readFolderFile } from '#client/ui/folder-file.ts';
import { isFileSystemError } from '#client/ui/shown/file-system-errors.ts';
import { readControl } from '#core/controls/control.ts';
import type { FoundControl } from '#core/controls/find-controls.ts';
import { failureOf } from '#core/failures/failure.ts';
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

/** Where a control may be that was not found. */
export interface ControlProblem {
  readonly label: string;
  readonly message: string;
  readonly uri?: vscode.Uri;
}

export interface FoundControls {
  readonly controls: readonly EditorControl[];
  readonly problems: readonly ControlProblem[];
}

const filesMax = 10_000;
const bytesMax = 1_000_000;

/** Reads missing text, a few queries at a time. A saved query whose file is in the workspace is listed as that file. */
export async function findEditorControls(
  { queries, uriOf, fileOfQuery, log }: ControlsDependencies,
  signal: AbortSignal,
): Promise<FoundControls> {
  const found: EditorControl[] = [];
  const problems: ControlProblem[] = [];
  const uris = await vscode.workspace.findFiles('**/*.identity.sql', '**/node_modules/**', filesMax);
  if (uris.length === filesMax)
    problems.push({
      label: vscode.l10n.t('Files'),
      message: vscode.l10n.t('Only {0} files were looked through for controls.', filesMax),
    });
  for (const uri of uris) {
    if (signal.aborted) break;
    const name = vscode.workspace.asRelativePath(uri);
    let text: string;
    try {
      text = await textOf(uri);
    } catch (error) {
      const isGone = error instanceof FileRefusal && error.code === 'missing';
      if (!isGone) problems.push({ label: name, message: refusedWords(error), uri });
      continue;
    }
    const control = readControl(text);
    if (control === undefined) continue;
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
    if (!(error instanceof UserAbort)) {
      log.warn(`saved queries were not all looked through for controls`);
      const failure = failureOf(error);
      if (failure.kind !== 'cancelled')
        problems.push({ label: vscode.l10n.t('Saved queries'), message: failure.message });
    }
  }
  return { controls: found, problems };
}

/** @throws FileRefusal or TypeError if it is not text. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const bytes = await readFolderFile(uri, bytesMax).catch((error: unknown) => {
    // Of another provider of files than the disk.
    if (!isFileSystemError(error)) throw error;
    throw new FileRefusal(error.code === 'FileNotFound' ? 'missing' : 'unreadable', { cause: error });
  });
  if (bytes.length > bytesMax) throw new FileRefusal('too-large');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
