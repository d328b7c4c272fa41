/** A run's place in its document: goes to the query or to an error, and rewrites the statement that ran. */
import * as vscode from 'vscode';
import { relocate, type TextPosition } from '../../../../core/src/runs/source-positions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { showDocument } from '../../ui/show-document.ts';
import { rangeOf, type Prepared } from './sending/prepared-run.ts';

/** @param place 1-based line and column. */
export async function goToPlace(
  document: vscode.TextDocument,
  place: { readonly line: number; readonly column: number },
): Promise<void> {
  const at = new vscode.Position(place.line - 1, place.column - 1);
  await showDocument(document, new vscode.Range(at, at));
}

/** @param statement where the caret goes; without it, the document is shown as it was left. */
export async function goToQuery(
  document: vscode.TextDocument,
  statement: Prepared['statement'] | undefined,
): Promise<void> {
  const range = statement === undefined ? undefined : rangeOf(statement);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  // Returning from the rows continues at the caret.
  const isThere = shown !== undefined && (range?.contains(shown.selection) ?? true);
  const selection = isThere ? shown.selection : range && new vscode.Range(range.start, range.start);
  await showDocument(document, selection);
}

/**
 * Rewrites the statement that ran.
 * @throws ExpectedError if it changed since: rewriting anything else would be surprising.
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

/** The current place of a position in the statement that ran; undefined if it is gone. */
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
