/** Checks the requirements for a saved query's text before a request is sent. */
import * as vscode from 'vscode';
import { limits } from '#api/contract/limits.ts';
import { locale } from '#client/ui/locale.ts';
import { ExpectedError } from '#core/failures/failure.ts';

/** @throws ExpectedError if the service cannot store the text. */
export function requireSavable(text: string): void {
  if (text.trim() === '')
    throw new ExpectedError(vscode.l10n.t('A saved query cannot be empty. Delete it in its view instead.'));
  const length = [...text].length;
  if (length > limits.queryStringMax) {
    throw new ExpectedError(
      vscode.l10n.t(
        'The query has {0} characters; the service accepts {1}. Shorten it, or save it as a local file.',
        length.toLocaleString(locale()),
        limits.queryStringMax.toLocaleString(locale()),
      ),
    );
  }
}

/**
 * Decodes the editor's bytes. Other encodings can look like UTF-8 (UTF-16 is full of zeros), so the open document's
 * encoding is checked too.
 * @throws ExpectedError if the text is not encoded in UTF-8.
 */
export function textOf(content: Uint8Array, document: vscode.TextDocument | undefined): string {
  const wrong = () =>
    new ExpectedError(
      vscode.l10n.t('Saved queries are UTF-8. Choose "Save with Encoding" and UTF-8, then save again.'),
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(content);
  } catch {
    throw wrong(); // not valid UTF-8
  }
  const isOther = document !== undefined && !/^utf8(bom)?$/.test(document.encoding);
  if (text.includes('\0') || (isOther && text.replace(/^\uFEFF/, '') !== document.getText())) throw wrong();
  return text;
}
