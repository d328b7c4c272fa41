/**
 * *Watch Control*: runs a control repeatedly while the window is open, and notifies the user when its outcome changes.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import { showInformationMessage, showWarningMessage } from '#client/ui/shown/notifications.ts';
import { isBad, type Outcome } from '#core/controls/control-result.ts';
import { outcomeWord } from '#core/controls/outcome-messages.ts';
import { controlName } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
import type { EditorControl } from './find-editor-controls.ts';
import { runEditorControls } from './run-editor-controls.ts';

const storageKey = 'controls.watched';
const minuteMs = 60_000;

interface Change {
  readonly control: EditorControl;
  readonly before: Outcome;
  readonly now: Outcome;
}

export interface WatchDependencies extends ControlsDependencies {
  /** Returns the controls found by the last scan. */
  readonly controls: () => readonly EditorControl[];
}

export class WatchedControls implements DisposableLike {
  readonly #deps: WatchDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #stopping = new AbortController();
  #watched: ReadonlySet<string>;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #lookedAt = 0;

  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: WatchDependencies) {
    this.#deps = deps;
    const kept = deps.context.workspaceState.get<unknown>(storageKey);
    this.#watched = new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []);
    this.#timer = setInterval(() => void this.lookIfDue(), minuteMs);
  }

  has(key: string): boolean {
    return this.#watched.has(key);
  }

  async toggle(control: EditorControl): Promise<void> {
    await (this.has(control.key) ? this.#stop(control) : this.#watch(control));
  }

  /** Watches a control, and runs it immediately for an initial outcome. */
  async #watch(control: EditorControl): Promise<void> {
    await this.#keep([...this.#watched, control.key]);
    void showInformationMessage(
      vscode.l10n.t(
        '{0} runs every {1} min while this window is open. You are notified when its outcome changes.',
        controlName(control.control),
        minutes(),
      ),
    );
    await this.look();
  }

  async #stop({ key, control }: EditorControl): Promise<void> {
    await this.#keep([...this.#watched].filter((each) => each !== key));
    void showInformationMessage(vscode.l10n.t('{0} is no longer watched.', controlName(control)));
  }

  /** Called periodically and when the controls change; runs the watched controls if the interval has elapsed. */
  async lookIfDue(): Promise<void> {
    // A clock that is set back must not stop it.
    if (Math.abs(Date.now() - this.#lookedAt) >= minutes() * minuteMs) await this.look();
  }

  /** Runs the watched controls. Does nothing while the service is out of reach, which is no outcome to report. */
  async look(): Promise<void> {
    const { session } = this.#deps;
    const isReached = session.state.kind === 'connected' && session.away === undefined;
    const controls = this.#deps.controls().filter(({ key }) => this.#watched.has(key));
    if (controls.length === 0 || this.#isLooking || !isReached) return;
    this.#isLooking = true;
    this.#lookedAt = Date.now();
    const changes: Change[] = [];
    const before = new Map(controls.map(({ key }) => [key, this.#deps.outcomes.get(key)?.outcome]));
    try {
      await runEditorControls(this.#deps, controls, {
        signal: this.#stopping.signal,
        onEnd: ({ outcome: now }, control) => {
          const last = before.get(control.key);
          if (last !== undefined && last !== now) changes.push({ control, before: last, now });
        },
      });
    } catch (error) {
      this.#deps.log.debug(`watched controls did not run: ${errorName(error)}`);
    } finally {
      this.#isLooking = false;
    }
    await say(changes);
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#stopping.abort();
    this.#disposables.dispose();
  }

  async #keep(keys: readonly string[]): Promise<void> {
    this.#watched = new Set(keys);
    await this.#deps.context.workspaceState.update(storageKey, [...this.#watched]);
    this.#onDidChange.fire();
  }
}

/** Shows one notification for any number of changes. */
async function say(changes: readonly Change[]): Promise<void> {
  const [first, ...others] = changes;
  if (first === undefined) return;
  const words = ({ control, before, now }: Change) =>
    `${controlName(control.control)}: ${outcomeWord(before)} \u2192 ${outcomeWord(now)}`;
  const isWorse = changes.some(({ now }) => isBad(now));
  const show = isWorse ? showWarningMessage : showInformationMessage;
  if (others.length > 0) {
    const open = vscode.l10n.t('Show Controls');
    const message = vscode.l10n.t(
      '{0} watched controls changed. {1}',
      changes.length,
      changes.slice(0, 3).map(words).join('; '),
    );
    if ((await show(message, open)) === open)
      await vscode.commands.executeCommand('workbench.view.testing.focus');
    return;
  }
  const rows = vscode.l10n.t('Show Rows');
  if ((await show(words(first), rows)) === rows)
    await vscode.commands.executeCommand(commands.controlShowRows, first.control.uri);
}

function minutes(): number {
  const value = vscode.workspace
    .getConfiguration(settingsSection)
    .get<unknown>(settings.controlsWatchMinutes);
  return typeof value === 'number' && value >= 1 ? Math.min(value, 1_440) : 15;
}
