/** Client secrets, stored only in the editor's secret storage or in the connection's own source. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { secretKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { heldBack } from '#core/connections/folder-entry.ts';
import type { SecretOrigin } from '#core/connections/secret-origin.ts';
import type { SecretSourceProblem } from '#core/connections/secret-sources.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { commands } from '../contributions.ts';
import { reviewAction } from '../ui/connection-labels.ts';

/** Thrown if no secret is available; `message` contains the reason and the remedy. */
export class SecretMissingError extends ExpectedError {
  override readonly isToldElsewhere = true;
}

export class SecretStore {
  readonly #storage: vscode.SecretStorage;
  /** Secrets that the sandbox and the process environment provided. */
  readonly #provided = new Map<string, string>();
  /** Secrets entered in place of those, until the window closes. */
  readonly #enteredForWindow = new Map<string, string>();

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
  }

  /** Returns whether the user must be asked for the secret before connecting. */
  async needsToBeAsked(profile: ConnectionProfile): Promise<boolean> {
    return profile.secretSource === undefined && (await this.#secretOf(profile)) === undefined;
  }

  /** @throws SecretMissingError */
  async require(profile: ConnectionProfile): Promise<string> {
    const { secretSource } = profile;
    if (secretSource !== undefined) {
      const obstacle = await whyProgramDoesNotRun(profile);
      if (obstacle !== undefined) throw new SecretMissingError(obstacle);
      const { readSecretSource, SecretSourceFailure } = await import('#core/connections/secret-sources.ts');
      try {
        return await readSecretSource(secretSource);
      } catch (error) {
        if (!(error instanceof SecretSourceFailure)) throw error;
        throw new SecretMissingError(sayProblem(error.problem, profile.name), [], { cause: error });
      }
    }
    const secret = await this.#secretOf(profile);
    if (secret !== undefined) return secret;
    if (heldBack(profile)?.secretSource !== undefined)
      throw new SecretMissingError(
        vscode.l10n.t(
          'No client secret is stored for {0}, and the folder is not allowed to name a source for it.',
          profile.name,
        ),
        [reviewAction(profile)],
      );
    throw new SecretMissingError(vscode.l10n.t('No client secret is stored for {0}.', profile.name), [
      { title: vscode.l10n.t('Enter Client Secret...'), command: commands.connectionUpdateSecret },
    ]);
  }

  /** Keeps an entered secret: in the secret storage if the connection is stored too, otherwise in memory. */
  async set(profile: ConnectionProfile, secret: string): Promise<void> {
    const key = secretKeyOf(profile);
    if (profile.source === 'settings') await this.#storage.store(key, secret);
    else this.#enteredForWindow.set(key, secret);
  }

  /** Deletes the secret of a removed connection unless another connection shares it. */
  async forget(profile: ConnectionProfile, others: readonly ConnectionProfile[]): Promise<void> {
    const isShared = others.some(
      (other) => other.secretSource === undefined && secretKeyOf(other) === secretKeyOf(profile),
    );
    if (!isShared) await this.delete(profile);
  }

  async delete(profile: ConnectionProfile): Promise<void> {
    const key = secretKeyOf(profile);
    this.#enteredForWindow.delete(key);
    await this.#storage.delete(key);
  }

  /** Adds the secret of a connection that exists only until the window closes. It is only kept in memory. */
  provide(profile: ConnectionProfile, secret: string): void {
    this.#provided.set(secretKeyOf(profile), secret);
  }

  /**
   * Calls the listener when a stored secret changes in any window. `isOf` returns whether a profile uses that secret.
   */
  onDidChange(listener: (isOf: (profile: ConnectionProfile) => boolean) => void): vscode.Disposable {
    return this.#storage.onDidChange(({ key }) => listener((profile) => secretKeyOf(profile) === key));
  }

  /** Returns the passphrase for a file that contains a key. */
  async passphrase(file: string): Promise<string | undefined> {
    return await this.#storage.get(passphraseKeyOf(file));
  }

  async setPassphrase(file: string, passphrase: string): Promise<void> {
    await this.#storage.store(passphraseKeyOf(file), passphrase);
  }

  async originOf(profile: ConnectionProfile): Promise<SecretOrigin> {
    const { secretSource, source } = profile;
    if (secretSource !== undefined) return secretSource.kind === 'variable' ? 'variable' : 'program';
    if (source === 'sandbox' || source === 'local') return source;
    const key = secretKeyOf(profile);
    if (source === 'environment')
      return this.#enteredForWindow.has(key) ? 'entered-for-window' : 'environment';
    return (await this.#storage.get(key)) === undefined ? 'missing' : 'entered';
  }

  /** An entered secret takes precedence over one from the environment. */
  async #secretOf(profile: ConnectionProfile): Promise<string | undefined> {
    const key = secretKeyOf(profile);
    if (profile.source === 'settings') return await this.#storage.get(key);
    return this.#enteredForWindow.get(key) ?? this.#provided.get(key);
  }
}

function passphraseKeyOf(file: string): string {
  return `identityQueries.passphrase.${createHash('sha256').update(file).digest('hex')}`;
}

function sayProblem(problem: SecretSourceProblem, connection: string): string {
  switch (problem.kind) {
    case 'variable-not-set':
      return vscode.l10n.t(
        'The client secret of {0} comes from the environment variable {1}, which is not set. Set it and restart the editor.',
        connection,
        problem.name,
      );
    case 'program-not-found':
      return vscode.l10n.t(
        "The program for the client secret of {0} can't be started: {1}. Check secretCommand: a list of a program and its arguments, run without a shell.",
        connection,
        problem.program,
      );
    case 'program-too-slow':
      return vscode.l10n.t(
        'The program for the client secret of {0} timed out after {1} seconds: {2}. Run it in a terminal to see whether it asks for input.',
        connection,
        problem.seconds,
        problem.program,
      );
    case 'program-failed':
      return vscode.l10n.t(
        'The program for the client secret of {0} failed (exit code {1}): {2}. Run it in a terminal to see why.',
        connection,
        problem.exitCode ?? '?',
        problem.program,
      );
    case 'program-printed-nothing':
      return vscode.l10n.t(
        'The program for the client secret of {0} printed nothing on its first line: {1}.',
        connection,
        problem.program,
      );
    default:
      return problem satisfies never;
  }
}

/**
 * Checks on every use, since a link could later be changed to point to a program in the folder.
 * @returns the reason that the program may not run, or undefined if it may.
 */
export async function whyProgramDoesNotRun(profile: ConnectionProfile): Promise<string | undefined> {
  const { folderEntry } = profile;
  const source = folderEntry?.wants?.secretSource;
  if (folderEntry === undefined || source?.kind !== 'command') return undefined;
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const opened = workspaceFolders.map(({ uri }) => uri);
  const holding = workspaceFile?.scheme === 'file' ? [vscode.Uri.joinPath(workspaceFile, '..')] : [];
  const folders = [...opened, ...holding]
    .filter(({ scheme }) => scheme === 'file')
    .map(({ fsPath }) => fsPath);
  const { namesFileOf } = await import('#core/connections/program-place.ts');
  const isOwn = await namesFileOf(source.command, { folders, searchPath: process.env['PATH'] ?? '' });
  if (!isOwn) return undefined;
  return vscode.l10n.t(
    'The folder "{0}" contains the program for the client secret of {1}. It does not run, because it could change after you allow it. Put the connection into your own settings.',
    folderEntry.folder,
    profile.name,
  );
}
