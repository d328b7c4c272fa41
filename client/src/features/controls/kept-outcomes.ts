/**
 * Stores the time and outcome of each control's last run on each connection, for two views and for watching. Loaded in
 * every window.
 */
import * as vscode from 'vscode';
import type { DisposableLike } from '#base/disposables.ts';
import { isObject } from '#base/values/is-object.ts';
import { isNumber, oneOf, optional, shapeOf } from '#base/values/shapes.ts';
import { outcomes, type ControlResult } from '#core/controls/control-result.ts';
import type { LastOutcome } from '#core/controls/outcome-messages.ts';

const storageKey = 'controls.lastOutcomes';
const keptMax = 2_000;

/** Outcomes on the present connection by key: the ID of a saved query or the URI of a file. */
export class KeptOutcomes implements DisposableLike {
  readonly #state: vscode.Memento;
  readonly #connectionKey: () => string | undefined;
  readonly #onDidChange = new vscode.EventEmitter<string>();
  #kept: Map<string, LastOutcome> | undefined;

  /** Fires with the key of a control that has just ended. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(state: vscode.Memento, connectionKey: () => string | undefined) {
    this.#state = state;
    this.#connectionKey = connectionKey;
  }

  get(key: string): LastOutcome | undefined {
    const connection = this.#connectionKey();
    return connection === undefined ? undefined : this.#all().get(keyOn(connection, key));
  }

  /** @param connectionKey the connection that the control ran on. */
  put(key: string, { outcome, rows }: Pick<ControlResult, 'outcome' | 'rows'>, connectionKey: string): void {
    const all = this.#all();
    const own = keyOn(connectionKey, key);
    all.delete(own);
    const count = rows?.total ?? (rows?.isAll === true ? rows.read : undefined);
    all.set(own, { outcome, at: Date.now(), ...(count !== undefined && { rows: count }) });
    for (const [oldest] of all) {
      if (all.size <= keptMax) break;
      all.delete(oldest);
    }
    void this.#state.update(storageKey, Object.fromEntries(all));
    this.#onDidChange.fire(key);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #all(): Map<string, LastOutcome> {
    return (this.#kept ??= readKept(this.#state.get<unknown>(storageKey)));
  }
}

/** On another connection, the same control has another outcome. */
function keyOn(connectionKey: string, key: string): string {
  return JSON.stringify([connectionKey, key]);
}

function readKept(value: unknown): Map<string, LastOutcome> {
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, kept]) => (isKept(kept) ? [[key, kept] as const] : [])),
  );
}

const isKept = shapeOf<LastOutcome>({ outcome: oneOf(outcomes), at: isNumber, rows: optional(isNumber) });
