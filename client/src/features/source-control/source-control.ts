/**
 * Source control for saved queries: local changes, changes on the service, and conflicts. The gutter marks changed
 * lines.
 */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { forLine } from '#base/shown-text/for-places.ts';
import { commands } from '#client/contributions.ts';
import { diffCommand } from '#client/ui/shown/diffs.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { nameOf, type PlanItem } from '#core/sync/plan/plan.ts';
import { newQueryUri, sideUri } from './service-texts.ts';
import { isHeld, titleOfComparison, type SyncFolder } from './sync-folder.ts';

const groupIds = ['conflicts', 'here', 'there'] as const;
export type GroupId = (typeof groupIds)[number];

/** A row, as passed to commands. */
export interface QueryRow extends vscode.SourceControlResourceState {
  readonly item: PlanItem;
}

export class QuerySourceControl implements DisposableLike {
  readonly #folder: SyncFolder;
  readonly #disposables = new DisposableStore();
  readonly #groups: Readonly<Record<GroupId, vscode.SourceControlResourceGroup>>;
  readonly #control: vscode.SourceControl;

  constructor(folder: SyncFolder, root: vscode.Uri) {
    this.#folder = folder;
    this.#control = this.#disposables.add(
      vscode.scm.createSourceControl('identityQueries', vscode.l10n.t('Saved Queries'), root),
    );
    this.#control.inputBox.visible = false;
    this.#control.quickDiffProvider = { provideOriginalResource: (uri) => this.#originalOf(uri) };
    const group = (id: GroupId, label: string) => {
      const made = this.#disposables.add(this.#control.createResourceGroup(id, label));
      made.hideWhenEmpty = true;
      return made;
    };
    this.#groups = {
      conflicts: group('conflicts', vscode.l10n.t('Decide')),
      here: group('here', vscode.l10n.t('Changed Here')),
      there: group('there', vscode.l10n.t('Changed on the Service')),
    };
    this.#disposables.add(folder.onDidChange(() => this.#draw()));
    this.#draw();
  }

  /** Returns the names by group, and the rows themselves, for tests. */
  state(): Readonly<Record<GroupId, readonly string[]>> & { readonly rows: readonly QueryRow[] } {
    const names = (id: GroupId) => this.#rowsOf(id).map(({ item }) => nameOf(item));
    const rows = groupIds.flatMap((id) => this.#rowsOf(id));
    return { conflicts: names('conflicts'), here: names('here'), there: names('there'), rows };
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Unchanged rows stay the same objects: the editor replaces all others, and a click on a row that is being replaced
   * opens nothing.
   */
  #draw(): void {
    const items = this.#folder.comparison?.plan.items ?? [];
    for (const id of groupIds) {
      const shown = new Map(this.#rowsOf(id).map((row) => [String(row.resourceUri), row]));
      this.#groups[id].resourceStates = items
        .filter((item) => groupOf(item) === id)
        .map((item) => {
          const row = this.#rowOf(item);
          const before = shown.get(String(row.resourceUri));
          return isDeepStrictEqual(before?.item, item) ? (before ?? row) : row;
        });
    }
    this.#control.count = items.length;
    const { problem } = this.#folder;
    // Show only the icon, since *Refresh* appears next to it.
    this.#control.statusBarCommands =
      problem === undefined
        ? []
        : [{ command: commands.gitRefresh, title: '$(warning) ', tooltip: forLine(problem) }];
  }

  #rowsOf(id: GroupId): readonly QueryRow[] {
    return this.#groups[id].resourceStates as QueryRow[]; // rows are created only here
  }

  #rowOf(item: PlanItem): QueryRow {
    const file = 'here' in item ? this.#folder.uriOf(item.here.file) : undefined;
    const { text, advice } = sayItem(item);
    const row = {
      item,
      resourceUri: file ?? newQueryUri('there' in item && item.there !== undefined ? item.there.id : ''),
      contextValue: contextOf(item),
      decorations: {
        strikeThrough: item.kind === 'deletedHere' || item.kind === 'deletedThere',
        tooltip: forLine(advice === undefined ? text : `${text}. ${advice}`),
      },
    };
    return { ...row, command: this.#openingOf(item, row.resourceUri) };
  }

  /** Returns one of the editor's own commands, so that a row previews and keeps the focus like those of Git. */
  #openingOf(item: PlanItem, uri: vscode.Uri): vscode.Command {
    const file = this.#folder.fileOf(uri);
    return isHeld(item) || file?.there === undefined
      ? { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] }
      : diffCommand(sideUri(uri, 'service'), uri, titleOfComparison(file));
  }

  #originalOf(uri: vscode.Uri): vscode.Uri | undefined {
    return this.#folder.fileOf(uri)?.there === undefined ? undefined : sideUri(uri, 'service');
  }
}

/** Returns the facts that a row's menus depend on. */
function contextOf(item: PlanItem): string {
  if (!('here' in item)) return item.kind === 'newThere' ? 'new' : 'gone';
  return item.kind === 'conflict' ? 'conflict' : (groupOf(item) ?? '');
}

/** Returns undefined if there is nothing to show. */
export function groupOf(item: PlanItem): GroupId | undefined {
  switch (item.kind) {
    case 'create':
    case 'update':
    case 'delete':
      return 'here';
    case 'changedThere':
    case 'newThere':
    case 'merge':
    case 'linked':
    case 'remove':
      return 'there';
    case 'conflict':
    case 'deletedHere':
    case 'deletedThere':
    case 'refused':
      return 'conflicts';
    default:
      return item satisfies never;
  }
}
