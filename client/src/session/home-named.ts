/** The connection that a text belongs to, by a name that it has or had, and how to get there. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import type { ConnectionNames } from './connection-names.ts';
import { isHere } from './is-here.ts';
import type { Session } from './session.ts';

/** @param now the connection's current name; undefined if it is gone. */
export function homeNamed(
  { session, names }: { readonly session: Pick<Session, 'state'>; readonly names: ConnectionNames },
  { name, now }: { readonly name: string; readonly now: string | undefined },
): HomeOfQuery {
  if (now !== undefined) {
    const title = vscode.l10n.t('Connect to {0} and Run', now);
    const connect = { title, command: commands.connectionConnect, argument: now };
    return { connection: now, isHere: isHere(session, now), connect };
  }
  const isSandbox = names.keyOf(name) === 'sandbox';
  return {
    connection: name,
    isHere: false,
    connect: isSandbox
      ? { title: vscode.l10n.t('Start Sandbox and Run'), command: commands.sandboxStart }
      : undefined,
  };
}
