/** What a command is about: the document and place its arguments name, else the active editor. */
import * as vscode from 'vscode';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';

export interface RunTarget {
  readonly document: vscode.TextDocument;
  readonly selection: vscode.Selection;
}

/**
 * @param argument an address; `{ uri, range? }`, as a code lens has it; or nothing.
 * @param position `{ line, character }` beside an address.
 * @throws ExpectedError where there is no query.
 */
export async function targetOf(argument: unknown, position?: unknown): Promise<RunTarget> {
  const uri = uriOf(argument) ?? uriOf(field(argument, 'uri'));
  const active = vscode.window.activeTextEditor;
  if (uri === undefined || uri.toString() === active?.document.uri.toString()) {
    if (active?.document.languageId !== languageId) throw noQuery();
    const at = placeOf(position) ?? placeOf(field(field(argument, 'range'), 'start'));
    return { document: active.document, selection: at ?? active.selection };
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== languageId) throw noQuery();
  const at = placeOf(position) ?? placeOf(field(field(argument, 'range'), 'start'));
  return { document, selection: at ?? new vscode.Selection(0, 0, 0, 0) };
}

function noQuery(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('Open a query first: there is nothing to run here.'), [
    { title: vscode.l10n.t('New Query'), command: commands.queryNew },
  ]);
}

function uriOf(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  return typeof value === 'string' && /^[a-z][\w+.-]*:/i.test(value)
    ? vscode.Uri.parse(value, true)
    : undefined;
}

function placeOf(value: unknown): vscode.Selection | undefined {
  const line = field(value, 'line');
  const character = field(value, 'character');
  const isPlace =
    Number.isInteger(line) && Number.isInteger(character) && Number(line) >= 0 && Number(character) >= 0;
  return isPlace
    ? new vscode.Selection(Number(line), Number(character), Number(line), Number(character))
    : undefined;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key] // read as unknown
    : undefined;
}
