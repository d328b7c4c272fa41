/** Notifications, questions and status bar messages with safe text, since the editor runs command links in them. */
import * as vscode from 'vscode';
import { forLabel, forLines, forMessage, forStatus } from '#base/shown-text/for-places.ts';

/** Resolves with the original button, or undefined. */
export interface ShowMessage {
  <T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined>;
  <T extends string>(
    message: string,
    options: vscode.MessageOptions,
    ...buttons: readonly T[]
  ): Promise<T | undefined>;
}

export const showInformationMessage: ShowMessage = (message: string, ...rest: readonly Given[]) =>
  show('showInformationMessage', message, rest);

export const showWarningMessage: ShowMessage = (message: string, ...rest: readonly Given[]) =>
  show('showWarningMessage', message, rest);

export const showErrorMessage: ShowMessage = (message: string, ...rest: readonly Given[]) =>
  show('showErrorMessage', message, rest);

/** Shows that there is no connection, or that its service is away, until there is one again. */
export const showConnectionError: ShowMessage = (message: string, ...rest: readonly Given[]) =>
  show('showErrorMessage', message, rest, true);

/**
 * Asks before data is lost. Escape and the button that keeps it are the one way to say no: without
 * `isCloseAffordance`, the editor adds a Cancel of its own.
 * @returns whether to proceed.
 */
export async function mayDestroy(
  message: string,
  { detail, keep, destroy }: { readonly detail: string; readonly keep: string; readonly destroy: string },
): Promise<boolean> {
  const yes = { title: forLabel(destroy) };
  const no = { title: forLabel(keep), isCloseAffordance: true };
  const options = fitOptions({ modal: true, detail });
  return (await vscode.window.showWarningMessage(forMessage(message), options, yes, no)) === yes;
}

export function setStatusBarMessage(text: string, hideAfterMs: number): vscode.Disposable {
  return vscode.window.setStatusBarMessage(forStatus(text), hideAfterMs);
}

/** The notifications that may be in view: not answered and not hidden. The value: whether it is about the connection. */
const inView = new Map<symbol, boolean>();

/** Takes all notifications out of sight; extensions can't close a single one. The editor still lists them. */
export async function hideNotifications(): Promise<void> {
  inView.clear();
  await vscode.commands.executeCommand('notifications.hideToasts');
}

/** Does the same unless another notification of this extension is in view: it may be a question. */
export async function hideOnlyNotification(): Promise<void> {
  if (inView.size === 1) await hideNotifications();
}

/** Hides the notifications about the connection, which is there again, unless another one is in view. */
export async function hideConnectionErrors(): Promise<void> {
  if (inView.size > 0 && ![...inView.values()].includes(false)) await hideNotifications();
}

type Given = string | vscode.MessageOptions;

async function show<T extends string>(
  by: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
  message: string,
  rest: readonly Given[],
  isOfConnection = false,
): Promise<T | undefined> {
  const options = rest.find((each) => typeof each === 'object');
  const buttons = rest.filter((each): each is T => typeof each === 'string');
  const titles = buttons.map(forLabel);
  const text = forMessage(message);
  const own = Symbol(by);
  if (options?.modal !== true) inView.set(own, isOfConnection);
  const shown =
    options === undefined
      ? vscode.window[by](text, ...titles)
      : vscode.window[by](text, fitOptions(options), ...titles);
  const chosen = await Promise.resolve(shown).finally(() => inView.delete(own));
  return chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
}

function fitOptions(options: vscode.MessageOptions): vscode.MessageOptions {
  return options.detail === undefined ? options : { ...options, detail: forLines(options.detail) };
}
