/** The local history of runs: search, open, run again and compare. Never stores rows. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { exactMomentText } from '#base/words/moment-text.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import { homeNamed } from '#client/session/home-named.ts';
import { memoryIn } from '#client/session/memory-in.ts';
import type { Session } from '#client/session/session.ts';
import { anything, confirmation, number, object, unfit } from '#client/ui/arguments.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { mayDestroy } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { HistoryStore } from '#core/history/history-store.ts';
import { type RunRecord } from '#core/history/run-record.ts';
import { type RememberedValue } from '#core/parameters/memory.ts';
import { historyScheme, type RunsFeature } from '../runs/index.ts';
import { historyUri, registerHistoryDocuments, runIdOf } from './history-documents.ts';

export interface HistoryDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly runs: RunsFeature;
  readonly session: Pick<Session, 'state'>;
  readonly names: ConnectionNames;
}

export interface HistoryFeature extends DisposableLike {
  /** Returns the newest run that matches a condition. */
  find(isWanted: (run: RunRecord) => boolean): Promise<RunRecord | undefined>;
  /** Returns the connection on which an open run of the history ran; undefined for other documents. */
  homeOf(uri: vscode.Uri): HomeOfQuery | undefined;
}

export function registerHistory(deps: HistoryDependencies): HistoryFeature {
  const feature = new History(deps);
  feature.start();
  return feature;
}

class History implements HistoryFeature {
  readonly #deps: HistoryDependencies;
  readonly #store: HistoryStore;
  /** Runs whose text was read, by ID. */
  readonly #read = new Map<string, Pick<RunRecord, 'connection' | 'connectionKey'>>();
  readonly #disposables = new DisposableStore();

  constructor(deps: HistoryDependencies) {
    this.#deps = deps;
    this.#store = new HistoryStore({
      memory: memoryIn(deps.context.globalStorageUri.fsPath),
      retentionDays,
    });
  }

  start(): void {
    this.#disposables.add(registerHistoryDocuments(this.#store, (run) => this.#read.set(run.id, run)));
    this.#disposables.add(this.#deps.runs.onDidEndRun((run) => this.#keep(run)));
    const register = commandsIn(this.#disposables, this.#deps.log);
    register(commands.historyShow, () => this.#show());
    // The menu of an editor passes the editor's address.
    register(commands.historyCompare, [anything], (of) => this.#compare(of));
    register(commands.historyClear, [confirmation], (given) => this.#clear(given?.isConfirmed === true));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async find(isWanted: (run: RunRecord) => boolean): Promise<RunRecord | undefined> {
    return (await this.#store.list()).find(isWanted);
  }

  homeOf(uri: vscode.Uri): HomeOfQuery | undefined {
    const run = uri.scheme === historyScheme ? this.#read.get(runIdOf(uri) ?? '') : undefined;
    if (run === undefined || run.connection === '') return undefined;
    const { names } = this.#deps;
    const name = names.nameOf(run.connectionKey) ?? run.connection;
    return homeNamed(this.#deps, { name, now: names.nameNow(name) });
  }

  #keep(run: RunRecord): void {
    // Without a history, earlier runs are deleted, too.
    const kept = retentionDays() === 0 ? this.#store.clear() : this.#store.add(allowed(run));
    kept.catch((error: unknown) => {
      this.#deps.log.warn(`a run was not kept in the history: ${errorName(error)}`);
    });
  }

  async #show(): Promise<void> {
    const all = await this.#store.list();
    if (all.length === 0) {
      throw new ExpectedError(
        retentionDays() === 0
          ? vscode.l10n.t('The history of runs is turned off in the settings.')
          : vscode.l10n.t('The history is empty. Your next run will be the first.'),
      );
    }
    const { pickRun } = await import('./history-picks.ts');
    const choice = await pickRun(all, { title: vscode.l10n.t('Run History') });
    if (choice === undefined) return;
    switch (choice.kind) {
      case 'open':
        await vscode.window.showTextDocument(historyUri(choice.run), { preview: true });
        return;
      case 'run':
        await this.#runAgain(choice.run);
        return;
      case 'compare':
        await compare(choice.run, all);
        return;
      case 'compareRows':
        await vscode.commands.executeCommand(commands.resultsCompare, {
          with: { kind: 'run', uri: historyUri(choice.run).toString(), values: valuesOf(choice.run) },
        });
        return;
      case 'forget':
        await this.#store.delete(new Set(choice.runs.map(({ id }) => id)));
        await vscode.commands.executeCommand(commands.historyShow);
        return;
      default:
        choice satisfies never;
    }
  }

  async #runAgain(run: RunRecord): Promise<void> {
    const document = await vscode.workspace.openTextDocument(historyUri(run));
    await this.#deps.runs.run(document, { values: valuesOf(run) });
  }

  /** Compares the run that started at a time, or the one in the active editor. */
  async #compare(of: unknown): Promise<void> {
    const wanted = started(of);
    const all = await this.#store.list();
    if (wanted !== unfit) {
      const known = all.find(({ startedAt }) => startedAt === wanted.startedAt);
      if (known === undefined)
        throw new ExpectedError(
          retentionDays() === 0
            ? vscode.l10n.t('The history of runs is turned off in the settings.')
            : vscode.l10n.t('This run is no longer in the history.'),
        );
      await compare(known, all);
      return;
    }
    const uri = vscode.window.activeTextEditor?.document.uri;
    const run = uri?.scheme === historyScheme ? all.find((one) => one.id === runIdOf(uri)) : undefined;
    if (run === undefined) {
      throw new ExpectedError(vscode.l10n.t('Open a run from the history first.'), [
        { title: vscode.l10n.t('Show Run History'), command: commands.historyShow },
      ]);
    }
    await compare(run, all);
  }

  async #clear(isConfirmed: boolean): Promise<void> {
    const count = (await this.#store.list()).length;
    if (count === 0) throw new ExpectedError(vscode.l10n.t('The history is empty.'));
    const isCleared =
      isConfirmed ||
      (await mayDestroy(
        count === 1
          ? vscode.l10n.t('Remove the only run from the history on this machine?')
          : vscode.l10n.t('Remove all {0} runs from the history on this machine?', count),
        {
          detail: vscode.l10n.t('Saved queries and open results stay as they are.'),
          keep: vscode.l10n.t('Keep'),
          destroy: vscode.l10n.t('Clear History'),
        },
      ));
    if (isCleared) await this.#store.clear();
  }
}

const started = object({ startedAt: number });

/** Compares the text of a run with that of another run, which the user picks. */
async function compare(run: RunRecord, all: readonly RunRecord[]): Promise<void> {
  const others = all.filter((one) => one.id !== run.id);
  // Runs of the same query are the most likely choice.
  const isKin = (one: RunRecord) => one.documentUri === run.documentUri || one.title === run.title;
  const { pickRun } = await import('./history-picks.ts');
  const choice = await pickRun([...others.filter(isKin), ...others.filter((one) => !isKin(one))], {
    title: vscode.l10n.t('Compare with'),
    isChoosing: true,
  });
  if (choice === undefined) return;
  const [older, newer] = [run, choice.run].sort((a, b) => a.startedAt - b.startedAt);
  if (older === undefined || newer === undefined) return;
  const when = (one: RunRecord) => `${one.title} ${exactMomentText(one.startedAt)}`;
  await showDiff(historyUri(older), historyUri(newer), `${when(older)} ↔ ${when(newer)}`);
}

function read(setting: string): unknown {
  return vscode.workspace.getConfiguration(settingsSection).get<unknown>(setting);
}

/** Removes parameter values if the settings exclude them from the history. */
function allowed(run: RunRecord): RunRecord {
  if (read(settings.runRememberParameters) !== false) return run;
  return { ...run, parameters: run.parameters.map(({ value: _value, ...rest }) => rest) };
}

function valuesOf(run: RunRecord): Readonly<Record<string, RememberedValue>> | undefined {
  const known = run.parameters.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  // If a value is missing, the form asks for it and prefills the others.
  return known.length === 0 && run.parameters.length > 0 ? undefined : Object.fromEntries(known);
}

/** Zero turns the history off. */
function retentionDays(): number {
  const days = read(settings.historyRetentionDays);
  return typeof days === 'number' && days >= 0 ? days : 90;
}
