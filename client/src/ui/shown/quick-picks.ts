/** Quick picks. Icons use `iconPath`, because in a label they would become part of the name. */
import * as vscode from 'vscode';
import { forLabel, forLine } from '#base/shown-text/for-places.ts';
import { fitted, whereGiven } from './fitted.ts';
import { openFromShow, openUntil } from './prompt-focus.ts';

/** Resolves with the original items. */
export interface ShowQuickPick {
  <T extends vscode.QuickPickItem>(
    items: readonly T[] | Thenable<readonly T[]>,
    options: vscode.QuickPickOptions & { canPickMany: true },
  ): Promise<readonly T[] | undefined>;
  <T extends vscode.QuickPickItem>(
    items: readonly T[] | Thenable<readonly T[]>,
    options: vscode.QuickPickOptions,
  ): Promise<T | undefined>;
}

export const showQuickPick: ShowQuickPick = async <T extends vscode.QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: vscode.QuickPickOptions,
): Promise<never> => {
  const given = new Map<vscode.QuickPickItem, T>();
  const fitAll = (list: readonly T[]) =>
    list.map((item) => {
      const fit = fitItem(item);
      given.set(fit, item);
      return fit;
    });
  const shown = 'then' in items ? items.then(fitAll) : fitAll(items);
  const chosen: unknown = await openUntil(
    vscode.window.showQuickPick(shown, {
      ...options,
      ...(options.title === undefined ? {} : { title: forLine(options.title) }),
      ...(options.placeHolder === undefined ? {} : { placeHolder: forLine(options.placeHolder) }),
    }),
  );
  const givenOf = (item: unknown) => given.get(item as vscode.QuickPickItem); // one of the shown items
  return (Array.isArray(chosen) ? chosen.map(givenOf) : givenOf(chosen)) as never; // the overloads define the type
};

/** Creates a quick pick that shows safe copies of its items; their other members identify the choice. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  return fitted(
    pick,
    {
      title: whereGiven(forLine),
      placeholder: whereGiven(forLine),
      items: (items) => items.map(fitItem),
    },
    { show: openFromShow(pick) },
  );
}

/**
 * Returns the row that Enter means. The editor names it by its place in the list that it had, and names none while it
 * draws a new list: then the first row is meant.
 */
export function meantItem<T extends vscode.QuickPickItem>({
  selectedItems,
  items,
}: Pick<vscode.QuickPick<T>, 'selectedItems' | 'items'>): T | undefined {
  return selectedItems[0] ?? items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
}

function fitItem<T extends vscode.QuickPickItem>(item: T): T {
  const { label, description, detail, buttons } = item;
  return {
    ...item,
    label: forLabel(label),
    ...(description === undefined ? {} : { description: forLine(description) }),
    ...(detail === undefined ? {} : { detail: forLine(detail) }),
    ...(buttons === undefined ? {} : { buttons }),
  };
}
