/** Exports in the Activity view. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { dayOrClockText, momentText } from '#base/words/moment-text.ts';
import { commands } from '#client/contributions.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import type { PartState } from '#core/exports/export-parts.ts';
import type { KnownExport } from '#core/exports/export-store.ts';
import { partWords } from '#core/exports/format-part.ts';
import { linkEndOf } from '#core/exports/link-end.ts';
import type { ActivityRow, ActivitySource } from '../activity/index.ts';
import type { Exports } from './exports.ts';

export interface ExportNode {
  readonly kind: 'export';
  readonly id: string;
}

export class ExportsTree implements ActivitySource<ExportNode>, vscode.Disposable {
  readonly #exports: Exports;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#disposables.add(exports.onDidChange(() => this.#onDidChangeTreeData.fire()));
  }

  getChildren(node?: ExportNode): ExportNode[] {
    return node === undefined ? this.#exports.known.map(({ id }) => ({ kind: 'export', id })) : [];
  }

  beganAt({ id }: ExportNode): number {
    const known = this.#exports.known.find((each) => each.id === id);
    return known === undefined ? 0 : new Date(known.createdAt).getTime();
  }

  idsOf({ id }: ActivityRow): readonly string[] {
    return this.#exports.known.some((each) => each.id === id) ? [id] : [];
  }

  getTreeItem(node: ExportNode): vscode.TreeItem {
    const known = this.#exports.known.find(({ id }) => id === node.id);
    if (known === undefined) return new vscode.TreeItem(vscode.l10n.t('Gone'));
    const state = this.#exports.partOf(known);
    const words = wordsOf(known, {
      state,
      isWatched: this.#exports.isWatched(known),
      note: this.#exports.noteOf(known),
    });
    const item = new vscode.TreeItem(contextTitle(known.context));
    item.id = known.id;
    // The state comes first, since a narrow view cuts off the end.
    item.description = state === undefined ? `${words.text}, ${known.fileFormat}` : words.text;
    item.tooltip = [
      contextTitle(known.context),
      words.text,
      vscode.l10n.t('Requested {0}', momentText(known.createdAt)),
      ...linkLines(known),
      vscode.l10n.t('ID {0}', known.id),
      ...(state === undefined ? [] : [vscode.l10n.t('Will be saved to {0}', state.part.target)]),
      ...(known.savedTo === undefined ? [] : [vscode.l10n.t('Saved to {0}', known.savedTo)]),
    ].join('\n');
    item.iconPath = new vscode.ThemeIcon(
      words.icon,
      words.colour === undefined ? undefined : new vscode.ThemeColor(words.colour),
    );
    const canGoOn = state?.kind === 'left';
    item.contextValue = `export.${known.status}${canGoOn ? '.part' : ''}`;
    item.accessibilityInformation = { label: `${contextTitle(known.context)}, ${words.text}` };
    if (canGoOn) {
      item.command = {
        command: commands.exportsContinue,
        title: vscode.l10n.t('Continue Saving'),
        arguments: [node],
      };
    } else if (known.status === 'completed') {
      item.command = { command: commands.exportsSave, title: vscode.l10n.t('Save'), arguments: [node] };
    }
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function wordsOf(
  known: KnownExport,
  {
    isWatched,
    note,
    state,
  }: {
    readonly isWatched: boolean;
    readonly note: string | undefined;
    readonly state: PartState | undefined;
  },
): { readonly text: string; readonly icon: string; readonly colour?: string } {
  if (state !== undefined) return wordsOfPart(state);
  switch (known.status) {
    case 'accepted':
      if (note !== undefined) return { text: note, icon: 'warning', colour: 'editorWarning.foreground' };
      return { text: vscode.l10n.t('being prepared'), icon: isWatched ? 'sync~spin' : 'clock' };
    case 'completed':
      return known.savedTo === undefined
        ? readyWords(known)
        : { text: vscode.l10n.t('saved'), icon: 'pass', colour: 'testing.iconPassed' };
    case 'failed': {
      const why = known.error === undefined ? '' : `: ${known.error.message} (${known.error.code})`;
      return { text: vscode.l10n.t('failed{0}', why), icon: 'error', colour: 'errorForeground' };
    }
    default:
      return { text: known.status, icon: 'question' };
  }
}

/** The link's expiry is shown only until the file is saved. */
function readyWords(known: KnownExport): ReturnType<typeof wordsOf> {
  const end = linkEndOf(known);
  if (end !== undefined && end <= Date.now())
    return { text: vscode.l10n.t('link expired'), icon: 'history', colour: 'editorWarning.foreground' };
  const text =
    end === undefined ? vscode.l10n.t('ready') : vscode.l10n.t('ready until {0}', dayOrClockText(end));
  return { text, icon: 'cloud-download', colour: 'testing.iconPassed' };
}

function linkLines(known: KnownExport): readonly string[] {
  const end = linkEndOf(known);
  if (end === undefined) return [];
  const date = momentText(end);
  return [
    end <= Date.now()
      ? vscode.l10n.t('The link expired on {0}. Create the export again.', date)
      : vscode.l10n.t('Its link works until {0}', date),
  ];
}

function wordsOfPart(state: PartState): ReturnType<typeof wordsOf> {
  switch (state.kind) {
    case 'here':
      return { text: vscode.l10n.t('being saved'), icon: 'sync~spin' };
    case 'elsewhere':
      return { text: vscode.l10n.t('being saved in another window'), icon: 'sync' };
    case 'left':
      return {
        text: vscode.l10n.t('partial: {0}', partWords(state)),
        icon: 'debug-pause',
        colour: 'editorWarning.foreground',
      };
    default:
      return state.kind satisfies never;
  }
}
