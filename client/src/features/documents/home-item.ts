/** Status bar item with the connection that the active saved query belongs to, if another one is connected. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import { foreignHomeOf } from '#core/policy/query-home.ts';

export interface HomeItemDependencies {
  readonly session: Session;
  readonly homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined;
}

export class HomeItem implements vscode.Disposable {
  readonly #deps: HomeItemDependencies;
  readonly #item = createStatusBarItem('identityQueries.home', vscode.StatusBarAlignment.Left, 9.5);

  constructor(deps: HomeItemDependencies) {
    this.#deps = deps;
    this.#item.name = vscode.l10n.t('Connection of the Query');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  }

  draw(): void {
    const { session, homeOf } = this.#deps;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const home = uri && homeOf(uri);
    const foreign = foreignHomeOf(home);
    if (foreign === undefined) {
      this.#item.hide();
      return;
    }
    const current = session.state.kind === 'connected' ? session.state.profile.name : undefined;
    const words =
      current === undefined
        ? vscode.l10n.t('This query belongs to {0}, which is not connected. Click to connect.', foreign)
        : vscode.l10n.t('This query belongs to {0}. You are connected to {1}.', foreign, current);
    this.#item.text = `$(warning) ${vscode.l10n.t('Query of {0}', foreign)}`;
    this.#item.tooltip = words;
    this.#item.accessibilityInformation = { label: words, role: 'button' };
    this.#item.command = {
      title: vscode.l10n.t('Connect'),
      command: home?.connect?.command ?? commands.connectionConnect,
      arguments: home?.connect?.argument === undefined ? [] : [home.connect.argument],
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
