/** Quick pick of all known models, tables and columns. */
import * as vscode from 'vscode';
import { answerTo } from '#client/ui/answer-to.ts';
import { createQuickPick, followMeant } from '#client/ui/shown/quick-picks.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { iconOf, idOf, modelNode, type SchemaNode } from './model-nodes.ts';
import type { ModelsStore } from './models-store.ts';

interface SearchItem extends vscode.QuickPickItem {
  readonly node?: SchemaNode;
}

export interface SearchActions {
  /** Reveals a row in the view. */
  readonly reveal: (node: SchemaNode) => Promise<void>;
  readonly insert: (node: SchemaNode) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Resolves when the user has chosen or cancelled. Adds items as they load. */
export async function searchModels(store: ModelsStore, actions: SearchActions): Promise<void> {
  const pick = createQuickPick<SearchItem>();
  const first = followMeant(pick);
  const insert: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('insert'),
    tooltip: vscode.l10n.t('Insert at Cursor'),
  };
  /** From the second word on, the list is filtered here, and never again by the editor. */
  let hadWords = false;
  const fill = () => {
    const active = pick.activeItems[0]?.node;
    pick.items = wordsShown(itemsOf(store.models() ?? [], insert), pick.value, hadWords);
    const again = pick.items.find((item) => item.node !== undefined && isSame(item.node, active));
    if (again !== undefined && pick.value !== '') pick.activeItems = [again];
  };
  await answerTo<undefined>(pick, (_, disposables) => {
    pick.title = vscode.l10n.t('Search Models, Tables and Columns');
    pick.placeholder = vscode.l10n.t('A name, a type or a word from a description');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    fill();
    disposables.add(store.onDidChange(fill));
    pick.onDidChangeValue((value) => {
      hadWords ||= wordsOf(value).length > 1;
      if (hadWords) fill();
    });
    pick.busy = true;
    void store.ensureAll().then(() => {
      if (!disposables.isDisposed) pick.busy = false;
    });
    const end = (action: (node: SchemaNode) => Promise<void>, node: SchemaNode | undefined) => {
      pick.hide();
      if (node !== undefined) action(node).catch(actions.failed);
    };
    const meant = () => (hadWords ? first() : pick.selectedItems[0]);
    pick.onDidAccept(() => end(actions.reveal, meant()?.node));
    pick.onDidTriggerItemButton(({ item }) => end(actions.insert, item.node));
  });
}

/**
 * Filters items by several words, in any order and even between underscores; names that contain all of them come first.
 * The editor's own filter only matches text exactly as typed, including spaces.
 */
function wordsShown(items: readonly SearchItem[], value: string, isFiltered: boolean): readonly SearchItem[] {
  const words = wordsOf(value);
  if (!isFiltered || words.length === 0) return items;
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = items.filter(
    ({ node, label, description, detail }) =>
      node !== undefined && hasAll([label, description, detail].join(' ')),
  );
  const [named = [], described = []] = [true, false].map((isNamed) =>
    found.filter(({ label }) => hasAll(label) === isNamed),
  );
  return [...named, ...described].map((item) => ({ ...item, alwaysShow: true }));
}

function wordsOf(value: string): readonly string[] {
  return value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Groups items under a heading per model; each table is followed by its columns. */
export function itemsOf(
  models: readonly CatalogueModel[],
  insert: vscode.QuickInputButton,
): readonly SearchItem[] {
  const items: SearchItem[] = [];
  const add = (node: SchemaNode, label: string, icon: string, facts: string, detail?: string) =>
    items.push({
      node,
      label,
      iconPath: new vscode.ThemeIcon(icon),
      description: facts,
      ...(detail ? { detail } : {}),
      buttons: [insert],
    });
  for (const model of models) {
    items.push({ label: model.name, kind: vscode.QuickPickItemKind.Separator });
    add(modelNode(model), model.name, 'database', vscode.l10n.t('model'), model.description);
    for (const table of model.tables ?? []) {
      add(
        { kind: 'table', model: model.name, table },
        table.name,
        'table',
        vscode.l10n.t('table'),
        table.description,
      );
      for (const column of table.columns ?? []) {
        const node: SchemaNode = { kind: 'column', model: model.name, table, column };
        add(node, `${table.name}.${column.name}`, iconOf(column.type), column.type, column.description);
      }
    }
  }
  return items;
}

function isSame(a: SchemaNode, b: SchemaNode | undefined): boolean {
  return b !== undefined && idOf(a) === idOf(b);
}
