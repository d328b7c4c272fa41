/** This window's folder of saved queries: stores its last comparison with the service and decides when to repeat it. */
import path from 'node:path';
import * as vscode from 'vscode';
import { Queue } from '#base/async/queue.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import type { Logger } from '#base/logger.ts';
import { connectedClient, type ConnectedClient } from '#client/session/connected-client.ts';
import { memoryIn } from '#client/session/memory-in.ts';
import { requireWritable } from '#client/session/read-only.ts';
import type { Session } from '#client/session/session.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { compare, Comparison, OpenSync } from '#core/sync/compare.ts';
import { queriesFolder } from '#core/sync/format/layout.ts';
import type { QueryHere, QueryThere } from '#core/sync/plan/pair.ts';
import type { Choices, PlanItem } from '#core/sync/plan/plan.ts';
import { SyncError } from '#core/sync/sync-error.ts';
import type { Workspace } from '#core/sync/workspace.ts';

/** One query in the folder, as last compared. */
export interface QueryFile {
  readonly here: QueryHere;
  readonly there: QueryThere | undefined;
  /** Undefined if both sides are equal. */
  readonly item: PlanItem | undefined;
}

/** Returns the title of the comparison of a file with its saved query. */
export function titleOfComparison({ here }: QueryFile): string {
  return vscode.l10n.t('{0} (service ↔ file)', here.draft.name);
}

/** The inputs for a pull or a push. */
export type OpenedSync = ConnectedClient & OpenSync;

const quietMs = 300;

export class SyncFolder implements DisposableLike {
  readonly #deps: { readonly session: Session; readonly log: Logger };
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #onDidFind = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  #folder: vscode.Uri | undefined;
  #comparison: Comparison | undefined;
  #files: ReadonlyMap<string, QueryFile> = new Map();
  #filesById: ReadonlyMap<string, string> = new Map();
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One comparison at a time; the last one started is shown. */
  readonly #comparisons = new Queue();

  readonly onDidChange = this.#onDidChange.event;
  /** Fires once, when a folder of saved queries has been found. */
  readonly onDidFind = this.#onDidFind.event;

  constructor(deps: { readonly session: Session; readonly log: Logger }) {
    this.#deps = deps;
    this.#disposables.add(
      deps.session.onDidChangeState(({ kind }) => kind === 'connected' && this.#refreshQuietly()),
    );
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.find()));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.find()));
    const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher(`**/${queriesFolder}/**`));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#disposables.add(event((uri) => this.#onFile(uri)));
  }

  /** The folder that contains `queries`, or undefined if there is none. */
  get folder(): vscode.Uri | undefined {
    return this.#folder;
  }

  get comparison(): Comparison | undefined {
    return this.#comparison;
  }

  /** Explains why there is no comparison; undefined if there is no problem. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Returns a file's query; undefined for files outside the index. */
  fileOf(uri: vscode.Uri): QueryFile | undefined {
    return uri.scheme === 'file' ? this.#files.get(uri.fsPath) : undefined;
  }

  /** Returns the file for a saved query on the current connection. */
  fileOfQuery(queryId: string): vscode.Uri | undefined {
    const file = this.#filesById.get(queryId);
    return file === undefined ? undefined : vscode.Uri.file(file);
  }

  uriOf(file: string): vscode.Uri | undefined {
    return this.#folder && vscode.Uri.joinPath(this.#folder, queriesFolder, file);
  }

  /** Looks for a folder of saved queries among the open folders. Git runs only in trusted folders. */
  async find(): Promise<void> {
    if (this.#folder !== undefined || !vscode.workspace.isTrusted) return;
    const { holdsQueries } = await import('#core/sync/workspace.ts');
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme !== 'file') continue;
      const isThere = await holdsQueries(path.join(uri.fsPath, queriesFolder)).catch(() => false); // not readable
      if (isThere) {
        this.#take(uri);
        return;
      }
    }
  }

  /** Opens the existing folder, or the one for a first pull. @throws ExpectedError */
  async open(): Promise<OpenedSync> {
    const folder = this.#folder ?? (await folderToBegin());
    if (!vscode.workspace.isTrusted)
      throw new ExpectedError(vscode.l10n.t('Trust this folder first: Git runs in trusted folders only.'));
    const connected = await connectedClient(this.#deps.session);
    const [{ openWorkspace }, { AgreedStore }] = await Promise.all([
      import('#core/sync/workspace.ts'),
      import('#core/sync/agreed-store.ts'),
    ]);
    const workspace = await told(
      openWorkspace({ environment: process.env, cwd: folder.fsPath, folder: folder.fsPath }),
    );
    const service = serviceKeyOf(connected.profile);
    const store = new AgreedStore(memoryIn(dataFolder(process.env)), workspace.root, service);
    return { ...connected, workspace, service, store };
  }

  /** @throws ExpectedError if the connection cannot write. */
  async requireWritable(): Promise<void> {
    await requireWritable(this.#deps.session);
  }

  /** Reads the service and the files again. @throws ExpectedError */
  async refresh(): Promise<void> {
    await this.#comparisons.add(async () => {
      const opened = await this.open();
      await this.#compare(opened, undefined);
    });
  }

  /** Compares the files for a pull or a push, without showing the result. */
  async compare(opened: OpenedSync, from: 'commit' | 'files', choices?: Choices): Promise<Comparison> {
    const comparison = await compareFiles({ ...opened, from, choices });
    if (comparison.notes.length > 0) void showWarningMessage(comparison.notes.join(' '));
    return comparison;
  }

  /** Called after a pull or a push, or when a query was saved here. */
  async changed(queryId?: string): Promise<void> {
    this.#take(this.#folder ?? vscode.workspace.workspaceFolders?.[0]?.uri);
    if (queryId === undefined) {
      await this.refresh();
      return;
    }
    await this.#comparisons.add(async () => {
      const before = this.#comparison?.there;
      if (before === undefined) return;
      const opened = await this.open();
      const { readQuery } = await import('#core/sync/read-service.ts');
      const now = await readQuery(opened.client, queryId);
      const others = before.filter(({ id }) => id !== queryId);
      await this.#compare(opened, now === undefined ? others : [...others, now]);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  #take(folder: vscode.Uri | undefined): void {
    if (folder === undefined || this.#folder !== undefined) return;
    this.#folder = folder;
    this.#onDidFind.fire(folder);
    this.#refreshQuietly();
  }

  async #compare(opened: OpenedSync, there: readonly QueryThere[] | undefined): Promise<void> {
    try {
      const comparison = await compareFiles({ ...opened, from: 'files', there });
      const { length } = comparison.notes;
      if (length > 0)
        this.#deps.log.warn(`comparing files: not all queries of the service: notes: ${length}`);
      this.#show(comparison, opened.workspace);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      this.#onDidChange.fire();
    }
  }

  #show(comparison: Comparison, { root }: Workspace): void {
    const files = new Map<string, QueryFile>();
    const put = (file: QueryFile) => files.set(path.join(root, file.here.file), file);
    for (const { here, there } of comparison.pairs.pairs) put({ here, there, item: undefined });
    for (const { here } of comparison.pairs.onlyHere) put({ here, there: undefined, item: undefined });
    for (const item of comparison.plan.items) {
      if (!('here' in item) || isHeld(item)) continue;
      const there = 'there' in item ? item.there : undefined;
      put({ here: item.here, there, item });
    }
    this.#files = files;
    this.#filesById = new Map(
      [...files].flatMap(([file, { there }]) => (there === undefined ? [] : [[there.id, file] as const])),
    );
    this.#comparison = comparison;
  }

  /** Called when a file changes. Files change in bursts, for example on checkout, so the service is not read again. */
  #onFile(uri: vscode.Uri): void {
    if (uri.path.endsWith('.tmp')) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compareQuietly(), quietMs);
  }

  #compareQuietly(): void {
    if (this.#folder === undefined) void this.find();
    else if (this.#comparison === undefined) this.#refreshQuietly();
    else {
      // Evaluated late, so that it uses the queries from the last read even if that read ends while this call waits.
      const again = async () => await this.#compare(await this.open(), this.#comparison?.there);
      void this.#comparisons.add(again).catch((error: unknown) => this.#note(error));
    }
  }

  #refreshQuietly(): void {
    if (this.#folder === undefined || this.#deps.session.state.kind !== 'connected') return;
    void this.refresh().catch((error: unknown) => this.#note(error));
  }

  #note(error: unknown): void {
    this.#deps.log.debug(`comparing files with saved queries failed: ${errorName(error)}`);
  }
}

/** Whether the item is about an entry that cannot be used, so that it has no text to compare. */
export function isHeld(item: PlanItem): boolean {
  return item.kind === 'refused' && item.reason.kind === 'entry';
}

async function compareFiles(
  input: Omit<Parameters<typeof compare>[0], 'choices'> & { readonly choices?: Choices | undefined },
): Promise<Comparison> {
  const [loaded, { noChoices }] = await Promise.all([
    import('#core/sync/compare.ts'),
    import('#core/sync/plan/plan.ts'),
  ]);
  return await told(loaded.compare({ ...input, choices: input.choices ?? noChoices }));
}

/** Appends an error's remedies to its message, since a notification shows only the message. */
export async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const help = error.help.map((line) => line.trim()).join('; ');
    throw new ExpectedError(help === '' ? error.message : `${error.message} ${help}`, [], { cause: error });
  }
}

/** @throws ExpectedError */
async function folderToBegin(): Promise<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [only] = folders;
  if (only === undefined)
    throw new ExpectedError(
      vscode.l10n.t('Open the folder of a Git repository first: saved queries become files in it.'),
    );
  if (folders.length === 1) return only.uri;
  const picks = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, uri }));
  const chosen = await showQuickPick(picks, {
    title: vscode.l10n.t('Folder for saved query files'),
  });
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen.uri;
}
