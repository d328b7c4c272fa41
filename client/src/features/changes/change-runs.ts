/** Confirmed changes from this and other windows: starts them, follows them, and takes them over after a restart. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { Session } from '#client/session/session.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import type { ChangeRun, ChangeService } from '#core/changes/change-run.ts';
import { ChangeStore, orphanedAfterMs } from '#core/changes/change-store.ts';
import { isOver, type Confirmation } from '#core/changes/change.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';

interface OwnRun {
  readonly run: ChangeRun;
  readonly client: ServiceClient;
  readonly controller: AbortController;
}

export class ChangeRuns implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #store: ChangeStore;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #onDidEnd = this.#disposables.add(new vscode.EventEmitter<Confirmation>());
  readonly #onDidSettle = this.#disposables.add(new vscode.EventEmitter<readonly Confirmation[]>());
  /** This window's runs, by ID. */
  readonly #runs = new Map<string, OwnRun>();
  #kept: readonly Confirmation[] = [];
  #reading: Promise<void> | undefined;

  /** Fires when any confirmation changes, in this window or another. */
  readonly onDidChange = this.#onDidChange.event;

  /** Fires when the last target of one of this window's confirmations has its outcome. */
  readonly onDidEnd = this.#onDidEnd.event;

  /** Fires when a confirmation has all its outcomes, whichever window owns it. */
  readonly onDidSettle = this.#onDidSettle.event;

  constructor(deps: { readonly session: Session; readonly log: Logger; readonly folder: vscode.Uri }) {
    this.#session = deps.session;
    this.#log = deps.log;
    this.#store = new ChangeStore(deps.folder.fsPath);
    const watcher = this.#disposables.add(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(deps.folder, '*.json')),
    );
    const read = () => void this.read();
    // Another window may have closed and left confirmations unfinished.
    this.#disposables.add(watcher.onDidCreate(() => void this.#lookAround()));
    this.#disposables.add(watcher.onDidChange(read));
    this.#disposables.add(watcher.onDidDelete(read));
    this.#disposables.add(
      deps.session.onDidChangeState((state) => {
        // A client is valid only while connected. Unfinished changes resume on the next connection.
        const client = state.kind === 'connected' ? state.client : undefined;
        for (const own of this.#runs.values()) if (own.client !== client) own.controller.abort();
        if (client !== undefined) void this.#continue();
      }),
    );
    this.#disposables.add(
      deps.session.onDidChangeReach(() => {
        if (deps.session.unreachable !== undefined) return;
        for (const { run } of this.#runs.values()) run.lookNow();
      }),
    );
    const timer = setInterval(() => void this.#lookAround(), orphanedAfterMs / 3);
    this.#disposables.add({ dispose: () => clearInterval(timer) });
  }

  /** All confirmations, newest first. */
  get confirmations(): readonly Confirmation[] {
    return this.#kept.map((kept) => this.#runs.get(kept.id)?.run.confirmation ?? kept);
  }

  /** The number of unfinished targets. */
  get open(): number {
    return this.confirmations.filter((confirmation) => !isOver(confirmation)).length;
  }

  /**
   * Sends a confirmed change. Resolves when sending has begun; `confirmations` shows its progress.
   * @returns false if its connection is gone, so that nothing is sent.
   */
  async start(confirmation: Confirmation): Promise<boolean> {
    const own = this.#create(await loadRun(), confirmation);
    if (own === undefined) return false;
    this.#kept = [confirmation, ...this.#kept];
    this.#onDidChange.fire();
    this.#follow(own, own.run.run(own.controller.signal));
    return true;
  }

  /** Discards changes that have not been sent. @returns false if another window owns them. */
  stop(id: string): boolean {
    const own = this.#runs.get(id);
    own?.run.stop();
    return own !== undefined;
  }

  /** Stops following the jobs of a confirmation. @returns false if another window owns it. */
  stopFollowing(id: string): boolean {
    const own = this.#runs.get(id);
    own?.run.stopFollowing();
    return own !== undefined;
  }

  /**
   * Reads the records of a confirmation's unclear outcomes now. Never sends a change.
   * @returns false if another window owns it, or nothing is unclear.
   */
  async checkAgain(id: string): Promise<boolean> {
    const running = this.#runs.get(id);
    if (running !== undefined) {
      running.run.lookNow();
      return true;
    }
    const Run = await loadRun();
    const confirmation = await this.#store.reopen(id);
    const own = confirmation === undefined ? undefined : this.#create(Run, confirmation);
    if (own === undefined) return false;
    this.#kept = this.#kept.map((kept) => (kept.id === id ? own.run.confirmation : kept));
    this.#onDidChange.fire();
    this.#follow(own, own.run.checkAgain(own.controller.signal));
    return true;
  }

  /** Reads the store; concurrent calls share one read. */
  async read(): Promise<void> {
    this.#reading ??= this.#store
      .list()
      .then((kept) => {
        const unkept = this.#kept.filter(
          ({ id }) => this.#runs.has(id) && !kept.some((one) => one.id === id),
        );
        const open = new Set(this.#kept.flatMap((one) => (isOver(one) ? [] : [one.id])));
        const settled = kept.filter((one) => open.has(one.id) && isOver(one) && !this.#runs.has(one.id));
        this.#kept = [...unkept, ...kept];
        this.#onDidChange.fire();
        if (settled.length > 0) this.#onDidSettle.fire(settled);
      })
      .catch((error: unknown) => this.#log.warn(`changes could not be read: ${errorName(error)}`))
      .finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async clear(): Promise<void> {
    await this.#store.clear();
    await this.read();
  }

  dispose(): void {
    for (const { controller } of this.#runs.values()) controller.abort();
    const open = [...this.#runs].filter(([, { run }]) => !isOver(run.confirmation)).map(([id]) => id);
    this.#store.release(open);
    this.#store.dispose();
    this.#disposables.dispose();
  }

  /** Renews this window's claims and takes over confirmations without an owner. */
  async #lookAround(): Promise<void> {
    try {
      await this.#store.touch([...this.#runs.keys()]);
      if (this.#session.state.kind === 'connected') await this.#continue();
    } catch (error) {
      this.#log.warn(`changes could not be looked after: ${errorName(error)}`);
    }
  }

  /** Resumes following this connection's unfinished changes. Only reads; never sends again. */
  async #continue(): Promise<void> {
    try {
      const { state } = this.#session;
      if (state.kind !== 'connected') return;
      await this.read();
      if (this.open === 0) return;
      // Loaded first, so that what is taken over is also followed.
      const Run = await loadRun();
      const adopted = await this.#store.adopt(connectionKeyOf(state.profile), Date.now());
      await this.read();
      for (const confirmation of adopted) {
        const own = this.#session.state === state ? this.#create(Run, confirmation) : undefined;
        if (own === undefined) this.#store.release([confirmation.id]);
        else this.#follow(own, own.run.resume(own.controller.signal));
      }
    } catch (error) {
      this.#log.warn(`changes could not go on: ${errorName(error)}`);
    }
  }

  #create(Run: typeof ChangeRun, confirmation: Confirmation): OwnRun | undefined {
    const { state } = this.#session;
    if (state.kind !== 'connected' || connectionKeyOf(state.profile) !== confirmation.connectionKey)
      return undefined;
    const run = new Run(confirmation, {
      service: this.#serviceOf(state.client),
      save: (next) => this.#store.save(next),
      changed: () => this.#onDidChange.fire(),
      words: {
        stopped: vscode.l10n.t('stopped'),
        restarted: vscode.l10n.t('the window was closed or the connection switched'),
        noSuchData: vscode.l10n.t('the service has no data that could show the change'),
        followedTooLong: vscode.l10n.t('the job did not end and is no longer followed'),
        unfollowed: vscode.l10n.t('no longer followed'),
        noSuchJob: vscode.l10n.t('the service has no such job'),
      },
    });
    const own = { run, client: state.client, controller: new AbortController() };
    this.#runs.set(confirmation.id, own);
    return own;
  }

  /** Loads its dependencies with the first change. */
  #serviceOf(client: ServiceClient): ChangeService {
    const loading = import('#core/changes/change-service.ts').then(({ createChangeService }) =>
      createChangeService(client),
    );
    return {
      send: async (operation, signal) => await (await loading).send(operation, signal),
      isShown: async (operation, signal) => await (await loading).isShown(operation, signal),
      job: async (jobId, signal) => await (await loading).job(jobId, signal),
    };
  }

  #follow({ run, controller }: OwnRun, work: Promise<void>): void {
    void work
      .then(() => this.#store.trim())
      .catch((error: unknown) => {
        if (!controller.signal.aborted) void presentFailure(this.#log, 'following a change', error);
      })
      .finally(() => {
        const { confirmation } = run;
        this.#runs.delete(confirmation.id);
        if (isOver(confirmation)) {
          this.#kept = this.#kept.map((kept) => (kept.id === confirmation.id ? confirmation : kept));
          this.#onDidEnd.fire(confirmation);
          this.#onDidSettle.fire([confirmation]);
        }
        // Any window with this connection, including this one, can resume unfinished changes.
        else this.#store.release([confirmation.id]);
        void this.read();
      });
  }
}

/** Loaded with the first change. */
async function loadRun(): Promise<typeof ChangeRun> {
  return (await import('#core/changes/change-run.ts')).ChangeRun;
}
