/** Chooses a connection and ensures that it has a secret. */
import * as vscode from 'vscode';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { commands, views } from '#client/contributions.ts';
import type { FolderAnswers } from '#client/session/folder-answers.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import type { Session } from '#client/session/session.ts';
import { connectionIcon, placeOf, sayHeldBack } from '#client/ui/connection-labels.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { settled } from './folder-question.ts';
import type { LastConnection } from './last-connection.ts';

type Row = vscode.QuickPickItem & {
  readonly profile?: ConnectionProfile | undefined;
  readonly command?: string | undefined;
};

function rowOf(profile: ConnectionProfile, current: ConnectionProfile | undefined): Row {
  const facts = [
    placeOf(profile),
    profile.protected ? vscode.l10n.t('protected') : undefined,
    profile.name === current?.name ? vscode.l10n.t('current') : undefined,
    profile.folderEntry && vscode.l10n.t('from the folder "{0}"', profile.folderEntry.folder),
  ];
  const address = resolveDeployment(profile).baseUrl;
  const held = sayHeldBack(profile);
  return {
    label: profile.name,
    iconPath: connectionIcon(profile),
    description: facts.filter((text) => text !== undefined && text !== '').join(' · '),
    detail: held === undefined ? address : `${address} \u00b7 ${held}`,
    profile,
  };
}

/** Asks which connection to use. The list also offers other ways to connect, and actions on the current connection. */
export async function pickConnection(
  profiles: readonly ConnectionProfile[],
  session: Session,
): Promise<ConnectionProfile | undefined> {
  const { state } = session;
  const current = state.kind === 'disconnected' ? undefined : state.profile;
  const action = (icon: string, label: string, command: string): Row => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    command,
  });
  const isKept = current?.source === 'settings';
  const isLost = state.kind === 'failed' || session.away !== undefined;
  const rows: readonly Row[] = [
    ...(isLost && current !== undefined
      ? [
          {
            ...action('refresh', vscode.l10n.t('Connect Again'), commands.connectionRetry),
            description: current.name,
          },
        ]
      : []),
    ...profiles.map((profile) => rowOf(profile, current)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    action('add', vscode.l10n.t('Add Connection...'), commands.connectionAdd),
    ...(profiles.some((profile) => profile.source === 'sandbox')
      ? []
      : [action('beaker', vscode.l10n.t('Start Sandbox'), commands.sandboxStart)]),
    action('database', vscode.l10n.t('Connect to Your PostgreSQL...'), commands.ownDataConnect),
    ...(current === undefined
      ? []
      : [
          { label: current.name, kind: vscode.QuickPickItemKind.Separator },
          action('pulse', vscode.l10n.t('Test Connection'), commands.connectionTest),
          ...(isKept ? [action('edit', vscode.l10n.t('Edit Connection...'), commands.connectionEdit)] : []),
          action('debug-disconnect', vscode.l10n.t('Disconnect'), commands.connectionDisconnect),
        ]),
  ];
  const chosen = await showQuickPick(rows, {
    title: vscode.l10n.t('Connect to'),
    placeHolder: vscode.l10n.t('Choose a connection'),
    matchOnDetail: true,
    matchOnDescription: true,
  });
  if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command);
  return chosen?.profile;
}

/** Asks which connection to act on. */
export async function pickProfile(
  profiles: readonly ConnectionProfile[],
  current: ConnectionProfile | undefined,
  title: string,
): Promise<ConnectionProfile | undefined> {
  if (profiles.length === 0)
    throw new ExpectedError(vscode.l10n.t('There are no connections in the settings yet.'), [
      { title: vscode.l10n.t('Add Connection...'), command: commands.connectionAdd },
    ]);
  const rows = profiles.map((profile) => rowOf(profile, current));
  const chosen = await showQuickPick(rows, { title, matchOnDetail: true });
  return chosen?.profile;
}

/** Asks for a client secret and stores it. Returns false if the user entered none. */
export async function promptForSecret(profile: ConnectionProfile, secrets: SecretStore): Promise<boolean> {
  const { authUrl } = resolveDeployment(profile);
  const secret = await showInputBox({
    title: vscode.l10n.t('Client secret of {0}', profile.name),
    prompt:
      profile.source === 'settings'
        ? vscode.l10n.t('Kept in the secret storage of this editor, for {0} only.', authUrl)
        : vscode.l10n.t('Kept until this window closes, for {0} only.', authUrl),
    password: true,
    ignoreFocusOut: true,
  });
  if (secret === undefined || secret === '') return false;
  await secrets.set(profile, secret);
  return true;
}

/** @param isTold whether the user has just been told why this profile does not connect. */
export type AskedFor = (profile: ConnectionProfile, isTold?: boolean) => void;

export interface ConnectDependencies {
  readonly session: Session;
  readonly secrets: SecretStore;
  readonly last: LastConnection;
  readonly folderAnswers: FolderAnswers;
  /** Called with each profile that the user connects, so that a failure is shown (report-failure.ts). */
  readonly askedFor: AskedFor;
}

/** Connects at the user's request. Asks for the folder's permissions and for a missing secret first. */
export async function connectTo(chosen: ConnectionProfile, deps: ConnectDependencies): Promise<void> {
  const profile = await settled(chosen, deps.folderAnswers);
  if (profile === undefined) return;
  if ((await deps.secrets.needsToBeAsked(profile)) && !(await promptForSecret(profile, deps.secrets))) return;
  await deps.last.set(profile);
  deps.askedFor(profile);
  await withProgress(
    { location: { viewId: views.savedQueries } },
    async () => await deps.session.connect(profile),
  );
}
