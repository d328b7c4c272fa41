/**
 * Stores the base versions of edited queries on disk, so that unsaved edits restored after a restart keep their base.
 * Uses one small file per query, removed when the query's buffer is clean.
 */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Queue } from '#base/async/queue.ts';
import { isFileSystemError } from '#client/ui/shown/file-system-errors.ts';

export class BaseArchive {
  readonly #folder: vscode.Uri;
  /** Operations in order: the delete after a save must not remove the base of an edit that follows. */
  readonly #work = new Queue();

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async write(key: string, record: SavedQuery): Promise<void> {
    await this.#work.add(async () => {
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(
        this.#fileOf(key),
        new TextEncoder().encode(JSON.stringify(record)),
      );
    });
  }

  /** Returns undefined if the file is missing or contains no record. */
  async read(key: string): Promise<SavedQuery | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#fileOf(key));
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      const [{ Value }, contract] = await Promise.all([
        import('typebox/value'),
        import('#api/contract/saved-queries.ts'),
      ]);
      return Value.Check(contract.SavedQuery, value) ? value : undefined;
    } catch {
      return undefined; // missing or truncated: the next save looks up the version
    }
  }

  async delete(key: string): Promise<void> {
    await this.#work.add(async () => {
      try {
        await vscode.workspace.fs.delete(this.#fileOf(key));
      } catch (error) {
        if (!(isFileSystemError(error) && error.code === 'FileNotFound')) throw error;
      }
    });
  }

  #fileOf(key: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}
