/** Locates a run in its document: goes to the query or to an error, and rewrites the executed statement. */
import * as vscode from 'vscode';
import { showDocument } from '#client/ui/show-document.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { relocate, type TextPosition } from '#core/runs/source-positions.ts';
import { rangeOf, type Prepared } from './sending/prepared-run.ts';

/** @param place the 1-based line and column. */
export async function goToPlace(
  document: vscode.TextDocument,
  place: { readonly line: number; readonly column: number },
): Promise<void> {
  const at = new vscode.Position(place.line - 1, place.column - 1);
  await showDocument(document, new vscode.Range(at, at));
}

/** @param statement where to place the cursor; if undefined, the document is shown as the user left it. */
export async function goToQuery(
  document: vscode.TextDocument,
  statement: Prepared['statement'] | undefined,
): Promise<void> {
  const range = statement === undefined ? undefined : rangeOf(statement);
  // A tab that was hidden gets its cursor and scroll position back with this, so it comes first.
  const editor = await showDocument(document, undefined);
  // If the cursor is already in the statement, leave it where it is.
  if (range === undefined || range.contains(editor.selection)) return;
  await showDocument(document, new vscode.Range(range.start, range.start));
}

/** Gives the focus back to the editor in which the person was, if it is still in view. */
export async function returnTo(editor: vscode.TextEditor | undefined): Promise<void> {
  const { document, viewColumn } = editor ?? {};
  const isInView = ({ document: shown, viewColumn: column }: vscode.TextEditor) =>
    shown === document && column === viewColumn;
  if (document === undefined || !vscode.window.visibleTextEditors.some(isInView)) return;
  await vscode.window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
}

/**
 * Rewrites the executed statement.
 * @throws ExpectedError if the statement has changed since, because a different statement must not be rewritten.
 */
export async function rewriteStatement(
  prepared: Prepared | undefined,
  rewrite: (statement: string) => string,
): Promise<void> {
  if (
    prepared === undefined ||
    prepared.document.getText(rangeOf(prepared.statement)) !== prepared.statement.text
  ) {
    throw new ExpectedError(vscode.l10n.t('The query changed after it ran. Run it again, then add to it.'));
  }
  const { document, statement } = prepared;
  const place = rangeOf(statement);
  const text = rewrite(statement.text);
  await showDocument(document, new vscode.Range(place.start, place.start));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, place, text);
  await vscode.workspace.applyEdit(edit);
}

/** Maps a position in the executed statement to its current position, or undefined if the statement is gone. */
export function placeNow(
  { document, documentVersion, statement }: Prepared,
  place: TextPosition,
): TextPosition | undefined {
  return document.version === documentVersion
    ? place
    : relocate(place, {
        statement: statement.text,
        start: statement.range.start,
        text: document.getText(),
      });
}
