/** The connection in the status bar: by text and symbol first, by colour only beside them. */
import * as vscode from 'vscode';
import { commands } from '../../contributions.ts';
import type { ConnectionState, Session } from '../../session/session.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';

export function registerStatus(deps: { readonly session: Session }): DisposableLike {
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('identityQueries.connection', vscode.StatusBarAlignment.Left, 10),
  );
  item.name = vscode.l10n.t('Identity Queries Connection');
  const draw = (state: ConnectionState) => {
    item.backgroundColor = undefined;
    item.command = commands.connectionConnect;
    switch (state.kind) {
      case 'disconnected':
        item.text = `$(debug-disconnect) ${vscode.l10n.t('Identity: not connected')}`;
        item.tooltip = vscode.l10n.t('Connect to a service, or start the sandbox');
        break;
      case 'connecting':
        item.text = `$(sync~spin) ${state.profile.name}`;
        item.tooltip = vscode.l10n.t('Connecting to {0}', state.profile.name);
        break;
      case 'connected': {
        const place = state.profile.environment === undefined ? '' : ` (${state.profile.environment})`;
        item.text = `$(${state.profile.protected ? 'shield' : 'plug'}) ${state.profile.name}${place}`;
        item.tooltip = state.profile.protected
          ? vscode.l10n.t('Connected to {0}, a protected environment. Click to switch.', state.profile.name)
          : vscode.l10n.t('Connected to {0}. Click to switch.', state.profile.name);
        if (state.profile.protected)
          item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        break;
      }
      case 'failed':
        item.text = `$(error) ${vscode.l10n.t('{0}: not connected', state.profile.name)}`;
        item.tooltip = state.reason;
        item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
        item.command = commands.connectionRetry;
        break;
      default:
        state satisfies never;
    }
    item.accessibilityInformation = { label: item.text.replace(/\$\([^)]*\) ?/, ''), role: 'button' };
  };
  draw(deps.session.state);
  item.show();
  disposables.add(deps.session.onDidChangeState(draw));
  return disposables;
}
