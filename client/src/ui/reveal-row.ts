/** Reveals a row of a view that may be drawn anew at that moment. */
import type * as vscode from 'vscode';

/** Each attempt waits for the redraw that is pending. */
const attemptsMax = 5;

interface RevealOptions<Row> {
  /** Recognizes the row, which the redrawn view gives as a new object. */
  readonly isRow: (row: Row) => boolean;
  readonly focus: boolean;
  readonly expand?: boolean;
}

/**
 * Reveals and selects a row. If the view is drawn anew while the editor looks for the row, the editor gives up in
 * silence, so this looks again until the row is selected.
 */
export async function revealRow<Row>(
  view: Pick<vscode.TreeView<Row>, 'reveal' | 'selection' | 'visible'>,
  row: Row,
  { isRow, ...options }: RevealOptions<Row>,
): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await view.reveal(row, { ...options, select: true });
    if (view.selection.some(isRow) || !view.visible) return;
  }
}
