/** What a person has just copied, offered where it can be meant. */
import * as vscode from 'vscode';

/** Longer texts are no ID or link. */
const charsMax = 2_000;

/** Returns the text of the clipboard if it is what a prompt asks for; otherwise an empty text. Never rejects. */
export async function copiedText(isMeant: (text: string) => boolean): Promise<string> {
  // A browser may refuse.
  const text = await vscode.env.clipboard.readText().then(
    (copied) => copied.trim(),
    () => '',
  );
  return text !== '' && text.length <= charsMax && isMeant(text) ? text : '';
}
