/** The connection in the status bar: by text and symbol first, by colour only beside them. */
import * as vscode from 'vscode';
import { resolveDeployment } from '../../../../api/contract/deployment.ts';
import { commands } from '../../contributions.ts';
import type { ConnectionState, Session } from '../../session/session.ts';
import { colourOf, iconNameOf, placeOf, sayHeldBack } from '../../ui/connection-words.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';

export function showConnection(session: Session): DisposableLike {
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('identityQueries.connection', vscode.StatusBarAlignment.Left, 10),
  );
  item.name = vscode.l10n.t('Identity Queries Connection');
  const draw = (state: ConnectionState) => {
    item.backgroundColor = undefined;
    item.color = undefined;
    item.command = commands.connectionConnect;
    item.tooltip = tooltipOf(state);
    switch (state.kind) {
      case 'disconnected':
        item.text = `$(debug-disconnect) ${vscode.l10n.t('Identity: not connected')}`;
        break;
      case 'connecting':
        item.text = `$(sync~spin) ${state.profile.name}`;
        break;
      case 'connected': {
        const { profile } = state;
        const place = placeOf(profile);
        const words = place === '' ? profile.name : `${profile.name} (${place})`;
        item.text = `$(${iconNameOf(profile)}) ${profile.protected ? vscode.l10n.t('{0}, protected', words) : words}`;
        item.color = colourOf(profile);
        if (profile.protected)
          item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        break;
      }
      case 'failed':
        item.text = `$(error) ${vscode.l10n.t('{0}: not connected', state.profile.name)}`;
        item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
        item.command = commands.connectionRetry;
        break;
      default:
        state satisfies never;
    }
    item.accessibilityInformation = { label: item.text.replace(/\$\([^()]*\) ?/, ''), role: 'button' };
  };
  draw(session.state);
  item.show();
  disposables.add(session.onDidChangeState(draw));
  return disposables;
}

/** What it is connected to, and one click to what is done most. */
function tooltipOf(state: ConnectionState): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  const links: [title: string, command: string][] = [];
  if (state.kind === 'disconnected') {
    text.appendText(vscode.l10n.t('Not connected to an Identity and Access Data Service.'));
    links.push(
      [vscode.l10n.t('Connect...'), commands.connectionConnect],
      [vscode.l10n.t('Start Sandbox'), commands.sandboxStart],
    );
  } else {
    const { profile } = state;
    text.appendMarkdown('**').appendText(profile.name).appendMarkdown('**  \n');
    text.appendText(resolveDeployment(profile).baseUrl).appendMarkdown('\n\n');
    text.appendText(sayState(state));
    const held = sayHeldBack(profile);
    if (held !== undefined) text.appendMarkdown('\n\n').appendText(held);
    const other =
      profile.source === 'sandbox'
        ? vscode.l10n.t('Back to the Connection')
        : vscode.l10n.t('Use the Sandbox');
    links.push([other, commands.sandboxSwitch], [vscode.l10n.t('Test Connection'), commands.connectionTest]);
    if (held !== undefined) links.push([vscode.l10n.t('Review...'), commands.connectionReview]);
    if (state.kind === 'failed') links.push([vscode.l10n.t('Connect Again'), commands.connectionRetry]);
    else links.push([vscode.l10n.t('Disconnect'), commands.connectionDisconnect]);
  }
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  text.appendMarkdown(`\n\n${links.map(([title, command]) => `[${title}](command:${command})`).join(' · ')}`);
  return text;
}

function sayState(state: Exclude<ConnectionState, { kind: 'disconnected' }>): string {
  switch (state.kind) {
    case 'connecting':
      return vscode.l10n.t('Connecting...');
    case 'failed':
      return state.reason;
    case 'connected': {
      const { profile } = state;
      return [
        profile.protected
          ? vscode.l10n.t('Connected to a protected environment.')
          : vscode.l10n.t('Connected.'),
        profile.allowChanges
          ? vscode.l10n.t('Changes are allowed.')
          : vscode.l10n.t('Changes are not allowed; queries only read.'),
      ].join(' ');
    }
    default:
      return state satisfies never;
  }
}
