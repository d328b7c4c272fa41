/** After startup, removes files that windows left in the extension's folder when they were killed. */
import path from 'node:path';
import type * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import { removeLeftOvers, removeOldFolders } from '#base/files/left-overs.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';

/** Age at which the remembered results of a window without a folder are removed: the editor may never reopen it. */
const windowResultsMs = 30 * 24 * 3_600_000;

export async function tidyStorage(
  { globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>,
  log: Logger,
): Promise<void> {
  const folder = globalStorageUri.fsPath;
  const own = ['changes', 'compiled/extension', 'compiled/server', 'kept-results', 'models'].map((name) => ({
    folder: path.join(folder, name),
  }));
  try {
    const removed = await removeLeftOvers([
      { folder },
      ...own,
      { folder: path.join(folder, 'versions'), isDeep: true },
    ]);
    await removeOldFolders(path.join(folder, 'window-results'), windowResultsMs);
    if (removed > 0) log.info(`removed ${countedText(removed, 'file')} of an ended window`);
  } catch (error) {
    log.warn(`files that an ended window left were not removed: ${errorName(error)}`);
  }
}
