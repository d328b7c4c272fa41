/**
 * Opens the target of a link but never runs it. Links are untrusted, so the user is asked about ambiguous connections.
 */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { serviceKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { parseQueryLink, type QueryLink } from '#core/saved-queries/query-links.ts';
import { requireConnected } from '../records/connected.ts';
import { openDocumentsOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { QueryVersions } from '../records/query-versions.ts';
import { readNewest } from '../records/read-newest.ts';
import { showVersion } from '../versions/version-documents.ts';
import { showQuery, type ShowQueryDependencies } from './show-query.ts';

export interface OpenLinkDependencies extends ShowQueryDependencies {
  readonly connections: QueryConnections;
  readonly versions: QueryVersions;
  readonly news: QueryNews;
}

export async function openLink(
  deps: OpenLinkDependencies,
  uri: vscode.Uri,
  configured: () => readonly ConnectionProfile[],
): Promise<void> {
  const link = parseQueryLink(uri);
  if (link === undefined) {
    throw new ExpectedError(
      vscode.l10n.t('This link names no saved query. Ask for a new one, or open the query by its ID.'),
      [{ title: vscode.l10n.t('Open by ID...'), command: commands.openById, arguments: ['query'] }],
    );
  }
  const { session } = deps;
  await session.ready();
  if (!isClear(link, session, configured()) && !(await askForConnection(link, session, configured()))) return;
  await openQueryVersion(deps, link.queryId, link.version);
}

/**
 * Opens a query by its ID. If an older version is given, opens that version read-only.
 * @throws ExpectedError if the query does not exist, or neither the service nor this machine has the version.
 */
export async function openQueryVersion(
  deps: OpenLinkDependencies,
  queryId: string,
  version: number | undefined,
): Promise<void> {
  const connected = requireConnected(deps.session);
  const { connection } = connected;
  const newest = await readNewest(deps.news, connected, queryId);
  for (const open of openDocumentsOf(deps.connections, connection, queryId))
    if (open.getText() !== newest.query_string) deps.news.showIfClean(open, newest);
  if (version === undefined || version === newest.version) {
    await showQuery(deps, connection, newest);
    return;
  }
  const kept = await deps.versions.get(connection, queryId, version);
  if (kept !== undefined) {
    await showVersion(connection, kept.record);
    return;
  }
  await showQuery(deps, connection, newest);
  void showInformationMessage(
    vscode.l10n.t(
      'Version {0} of "{1}" is not kept on this machine. The newest, version {2}, is opened.',
      version,
      newest.name,
      newest.version,
    ),
  );
}

/**
 * Returns whether the connection is unambiguous: the window is connected to the link's service, or the link does not
 * name a connection and only one exists.
 */
function isClear(link: QueryLink, { state }: Session, configured: readonly ConnectionProfile[]): boolean {
  if (state.kind !== 'connected') return false;
  if (link.service !== undefined) return serviceKeyOf(state.profile) === link.service;
  return configured.every((profile) => profile.name === state.profile.name);
}

/** @returns whether the user chose a connection. */
async function askForConnection(
  link: QueryLink,
  session: Session,
  configured: readonly ConnectionProfile[],
): Promise<boolean> {
  const current = session.state.kind === 'connected' ? session.state.profile : undefined;
  const all =
    current === undefined ? configured : [current, ...configured.filter(({ name }) => name !== current.name)];
  const isNamed = (profile: ConnectionProfile) =>
    link.service !== undefined && serviceKeyOf(profile) === link.service;
  const items = all
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .map((profile) => ({
      label: profile.name,
      description: [
        profile === current ? vscode.l10n.t('connected') : '',
        isNamed(profile) ? vscode.l10n.t('the service of the link') : '',
      ]
        .filter((part) => part !== '')
        .join(' \u00b7 '),
      detail: profile.baseUrl,
      profile,
    }));
  const hasNamed = all.some(isNamed);
  const other = { label: vscode.l10n.t('Connect to Another...'), profile: undefined };
  const chosen = await showQuickPick([...items, other], {
    title: vscode.l10n.t('Open the saved query {0} from a link', link.queryId),
    placeHolder:
      link.service === undefined || hasNamed
        ? vscode.l10n.t('Which connection does it belong to? It is opened, not run.')
        : vscode.l10n.t(
            'None of your connections is for the service in this link. Choose where to look for the query.',
          ),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return false;
  if (chosen.profile === undefined || chosen.profile !== current)
    await vscode.commands.executeCommand(commands.connectionConnect, chosen.profile?.name);
  const { state } = session;
  return (
    state.kind === 'connected' && (chosen.profile === undefined || state.profile.name === chosen.profile.name)
  );
}
