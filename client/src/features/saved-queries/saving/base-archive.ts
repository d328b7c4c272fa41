/**
 * Bases of edited queries on disk, so that unsaved edits that the editor brings back after a restart still know the
 * version they came from. One small file a query, removed when the buffer is clean again.
 */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { isFileSystemError } from '../../../ui/shown/file-system-errors.ts';

export class BaseArchive {
  readonly #folder: vscode.Uri;
  #work: Promise<void> = Promise.resolve();

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async write(key: string, record: SavedQuery): Promise<void> {
    await this.#inTurn(async () => {
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(
        this.#fileOf(key),
        new TextEncoder().encode(JSON.stringify(record)),
      );
    });
  }

  /** Undefined where there is none, or where the file does not hold a record. */
  async read(key: string): Promise<SavedQuery | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#fileOf(key));
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      const [{ Value }, contract] = await Promise.all([
        import('typebox/value'),
        import('../../../../../api/contract/saved-queries.ts'),
      ]);
      return Value.Check(contract.SavedQuery, value) ? value : undefined;
    } catch {
      return undefined; // never written, or cut off by a crash: then the next save asks the service
    }
  }

  async delete(key: string): Promise<void> {
    await this.#inTurn(async () => {
      try {
        await vscode.workspace.fs.delete(this.#fileOf(key));
      } catch (error) {
        if (!(isFileSystemError(error) && error.code === 'FileNotFound')) throw error;
      }
    });
  }

  /** A buffer that is edited right after it was saved must not lose its base to the delete before. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    const run = this.#work.then(work);
    this.#work = run.catch(() => undefined); // whoever asked for it hears of it
    await run;
  }

  #fileOf(key: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}
