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
 * Follows which row Enter means. The editor names a row by its place in the list that it shows, which may be an earlier
 * one, and names the active row of each list that it has drawn. Before that, the row that the person went to is meant
 * if the new list has it, else the first row.
 * @returns a function that returns the row. To be called before the first items are set.
 */
export function followMeant<T extends vscode.QuickPickItem>(
  pick: Pick<vscode.QuickPick<T>, 'items' | 'onDidChangeActive'>,
): () => T | undefined {
  let drawn: { readonly items: readonly T[]; readonly active: T | undefined } | undefined;
  pick.onDidChangeActive(([active]) => (drawn = { items: pick.items, active }));
  return () => {
    const active = drawn?.active;
    if (drawn === undefined || active === undefined) return firstRow(pick.items);
    if (drawn.items === pick.items) return active;
    const isSame = (item: T) => item.label === active.label && item.description === active.description;
    return (active === firstRow(drawn.items) ? undefined : pick.items.find(isSame)) ?? firstRow(pick.items);
  };
}

function firstRow<T extends vscode.QuickPickItem>(items: readonly T[]): T | undefined {
  return items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
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
