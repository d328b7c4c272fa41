/** Status bar item for the connection. Text and icon convey the state; color only supplements them. */
import * as vscode from 'vscode';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { readOnlyWords } from '#client/session/read-only.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import {
  colourOf,
  iconNameOf,
  nameWithPlace,
  sayHeldBack,
  saySecretOrigin,
} from '#client/ui/connection-labels.ts';
import { ShownMarkdown, type CommandLink } from '#client/ui/shown/markdown.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import type { SecretOrigin } from '#core/connections/secret-origin.ts';

interface StatusDependencies {
  readonly session: Session;
  readonly secrets: SecretStore;
}

interface Known {
  /** The reason that the service is unreachable. */
  readonly unreachable: string | undefined;
  readonly origin?: SecretOrigin | undefined;
}

export function showConnection({ session, secrets }: StatusDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const item = disposables.add(
    createStatusBarItem('identityQueries.connection', vscode.StatusBarAlignment.Left, 10),
  );
  item.name = vscode.l10n.t('Identity Queries Connection');
  /** Updates the tooltip twice, since the source of the secret is determined asynchronously. */
  const showTooltip = (state: ConnectionState) => {
    item.tooltip = tooltipOf(state, { unreachable: session.unreachable });
    if (state.kind === 'disconnected') return;
    void secrets.originOf(state.profile).then((origin) => {
      if (session.state === state)
        item.tooltip = tooltipOf(state, { unreachable: session.unreachable, origin });
    });
  };
  const draw = (state: ConnectionState) => {
    item.backgroundColor = undefined;
    item.color = undefined;
    item.command = commands.connectionConnect;
    showTooltip(state);
    switch (state.kind) {
      case 'disconnected':
        item.text = `$(debug-disconnect) ${vscode.l10n.t('Identity: not connected')}`;
        break;
      case 'connecting':
        item.text = `$(sync~spin) ${state.profile.name}`;
        break;
      case 'connected': {
        const { profile } = state;
        if (session.unreachable !== undefined) {
          item.text = `$(debug-disconnect) ${vscode.l10n.t('{0}: not available', nameWithPlace(profile))}`;
          item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
          item.command = commands.connectionRetry;
          break;
        }
        item.text = `$(${iconNameOf(profile)}) ${nameWithPlace(profile)}`;
        item.color = colourOf(profile);
        if (profile.protected)
          item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        break;
      }
      case 'failed':
        item.text = `$(error) ${vscode.l10n.t('{0}: not connected', nameWithPlace(state.profile))}`;
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
  disposables.add(session.onDidChangeReach(() => draw(session.state)));
  return disposables;
}

/** Returns the tooltip: the connection's target, and links to the most frequent actions. */
function tooltipOf(state: ConnectionState, { unreachable, origin }: Known): vscode.MarkdownString {
  const text = new ShownMarkdown();
  const links: CommandLink[] = [];
  if (state.kind === 'disconnected') {
    text.text(vscode.l10n.t('Not connected to an Identity and Access Data Service.'));
    links.push(
      { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect },
      { title: vscode.l10n.t('Start Sandbox'), command: commands.sandboxStart },
    );
  } else {
    const { profile } = state;
    const held = sayHeldBack(profile);
    text
      .bold(profile.name)
      .text(resolveDeployment(profile).baseUrl)
      .text(unreachable ?? sayState(state))
      .text(origin === undefined ? '' : saySecretOrigin(profile, origin))
      .text(held ?? '');
    const other =
      profile.source === 'sandbox'
        ? vscode.l10n.t('Back to the Connection')
        : vscode.l10n.t('Use the Sandbox');
    links.push(
      { title: other, command: commands.sandboxSwitch },
      { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest },
    );
    if (held !== undefined)
      links.push({ title: vscode.l10n.t('Review...'), command: commands.connectionReview });
    if (state.kind === 'failed' || unreachable !== undefined)
      links.push({ title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry });
    else links.push({ title: vscode.l10n.t('Disconnect'), command: commands.connectionDisconnect });
  }
  return text.build(links);
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
        sayRights(state),
      ].join(' ');
    }
    default:
      return state satisfies never;
  }
}

function sayRights({ profile, withoutWrite }: Extract<ConnectionState, { kind: 'connected' }>): string {
  if (withoutWrite !== undefined) return readOnlyWords(withoutWrite);
  return profile.allowChanges
    ? vscode.l10n.t('Changes are allowed.')
    : vscode.l10n.t('Changes are not allowed; queries only read.');
}
