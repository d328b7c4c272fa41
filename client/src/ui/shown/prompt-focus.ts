/**
 * Keeps the focus in a prompt that has just opened. When a prompt closes, the editor gives the focus back to the rows,
 * which take it a moment later, even from the next prompt. Its keys would then act on the rows.
 */
import * as vscode from 'vscode';

const open = new Set<symbol>();

/** Marks a prompt as open until it is answered or closed. */
export function openUntil<T>(answer: Thenable<T>): Thenable<T> {
  const prompt = Symbol('prompt');
  open.add(prompt);
  const close = () => void open.delete(prompt);
  answer.then(close, close);
  return answer;
}

/** Returns a function to be called when a prompt is shown; from then until it hides, it is open. */
export function openFromShow({ onDidHide }: Pick<vscode.QuickInput, 'onDidHide'>): () => void {
  const prompt = Symbol('prompt');
  onDidHide(() => void open.delete(prompt));
  return () => void open.add(prompt);
}

/** To be called when a page has taken the focus by itself. */
export async function returnFocusToPrompt(): Promise<void> {
  if (open.size > 0) await vscode.commands.executeCommand('workbench.action.focusQuickOpen');
}
