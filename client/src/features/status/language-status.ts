/** Language status of a query: whether it is checked against the service's models, and their number and age. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { isSingular } from '#base/translate.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { placeOf } from '#client/ui/connection-labels.ts';
import { locale } from '#client/ui/locale.ts';
import { createLanguageStatusItem } from '#client/ui/shown/status-items.ts';
import { languageId } from '#server/protocol.ts';

const minuteMs = 60_000;

export function showLanguageStatus(session: Session): DisposableLike {
  const disposables = new DisposableStore();
  const connection = disposables.add(
    createLanguageStatusItem('identityQueries.connectionStatus', { language: languageId }),
  );
  const models = disposables.add(
    createLanguageStatusItem('identityQueries.modelsStatus', { language: languageId }),
  );
  const checks = disposables.add(
    createLanguageStatusItem('identityQueries.checksStatus', { language: languageId }),
  );
  connection.name = vscode.l10n.t('Connection');
  models.name = vscode.l10n.t('Models');
  checks.name = vscode.l10n.t('Checks');
  const draw = () => {
    const { state } = session;
    drawConnection(connection, state);
    drawModels(models, state);
    drawChecks(checks, state);
  };
  draw();
  disposables.add(session.onDidChangeState(draw));
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.dialect}`)) draw();
    }),
  );
  // Redraw regularly, because the age of the models changes even if nothing happens.
  const clock = setInterval(() => drawModels(models, session.state), minuteMs);
  clock.unref();
  disposables.add({ dispose: () => clearInterval(clock) });
  return disposables;
}

function drawConnection(item: vscode.LanguageStatusItem, state: ConnectionState): void {
  item.busy = state.kind === 'connecting';
  item.severity = vscode.LanguageStatusSeverity.Information;
  item.command = { command: commands.connectionConnect, title: vscode.l10n.t('Switch') };
  switch (state.kind) {
    case 'disconnected':
      item.text = vscode.l10n.t('Not connected');
      item.detail = undefined;
      item.command = { command: commands.connectionConnect, title: vscode.l10n.t('Connect') };
      break;
    case 'connecting':
      item.text = vscode.l10n.t('Connecting to {0}', state.profile.name);
      item.detail = undefined;
      break;
    case 'connected':
      item.text = state.profile.name;
      item.detail = [placeOf(state.profile), state.profile.protected ? vscode.l10n.t('protected') : '']
        .filter((text) => text !== '')
        .join(', ');
      break;
    case 'failed':
      item.severity = vscode.LanguageStatusSeverity.Error;
      item.text = vscode.l10n.t('{0}: not connected', state.profile.name);
      item.detail = state.reason;
      item.command = { command: commands.connectionRetry, title: vscode.l10n.t('Connect Again') };
      break;
    default:
      state satisfies never;
  }
}

function drawModels(item: vscode.LanguageStatusItem, state: ConnectionState): void {
  if (state.kind !== 'connected') {
    item.text = vscode.l10n.t('No models loaded');
    item.detail = undefined;
    item.command = undefined;
    return;
  }
  const count = state.models.length;
  item.text = vscode.l10n.t(isSingular(count, locale()) ? '{0} model' : '{0} models', count);
  item.detail = sayAge(Date.now() - state.modelsReadAt);
  item.command = { command: commands.modelsRefresh, title: vscode.l10n.t('Refresh') };
}

function sayAge(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return vscode.l10n.t('read just now');
  if (minutes === 1) return vscode.l10n.t('read a minute ago');
  if (minutes < 120) return vscode.l10n.t('read {0} minutes ago', minutes);
  return vscode.l10n.t('read {0} hours ago', Math.floor(minutes / 60));
}

function drawChecks(item: vscode.LanguageStatusItem, state: ConnectionState): void {
  const dialect = vscode.workspace
    .getConfiguration(settingsSection)
    .get<string>(settings.dialect, 'postgresql');
  const grammar = dialect === 'postgresql' ? vscode.l10n.t("PostgreSQL's own grammar") : dialect;
  const knowsNames = state.kind === 'connected' && state.models.length > 0;
  item.text = knowsNames
    ? vscode.l10n.t('Checking grammar and names')
    : vscode.l10n.t('Checking grammar only');
  item.detail = knowsNames ? grammar : vscode.l10n.t('{0}; names are checked after the models load', grammar);
  item.command = {
    command: 'workbench.action.openSettings',
    title: vscode.l10n.t('Settings'),
    arguments: ['identityQueries.severities'],
  };
}
