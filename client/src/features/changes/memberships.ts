/**
 * Tracks whether the service supports memberships. The specification mentions PUT and DELETE but does not give a path.
 * If a service lacks them, the commands are hidden.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError } from '#api/client/errors.ts';
import { identityModel } from '#api/contract/tables.ts';
import { DisposableStore } from '#base/disposables.ts';
import { contextKeys } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { isMembershipKind, type Confirmation, type Operation } from '#core/changes/change.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ownQuery, sendQuery } from '#core/policy/send-query.ts';

export class Memberships implements vscode.Disposable {
  readonly #session: Session;
  readonly #disposables = new DisposableStore();
  /** Keys of connections whose service does not support memberships. */
  readonly #without = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(session.onDidChangeState(() => this.#draw()));
  }

  /** True until the service is known not to support memberships. */
  get areOffered(): boolean {
    const { state } = this.#session;
    return state.kind !== 'connected' || !this.#without.has(connectionKeyOf(state.profile));
  }

  /** Infers from the outcomes of membership changes whether the service supports them. */
  async learn({ connectionKey, targets }: Confirmation): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'connected' || connectionKeyOf(state.profile) !== connectionKey) return;
    for (const { operation, state: ended } of targets) {
      if (!isMembershipKind(operation.kind) || ended.kind !== 'refused') continue;
      const isMissing =
        ended.status === 405 ||
        ended.status === 501 ||
        (ended.status === 404 &&
          (hasNoEnvelope(ended.code) || (await areBothThere(state.client, operation))));
      if (!isMissing) continue;
      this.#without.add(connectionKey);
      this.#draw();
      void showInformationMessage(
        vscode.l10n.t('{0} does not support memberships, so they are no longer offered.', state.profile.name),
      );
      return;
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #draw(): void {
    void vscode.commands.executeCommand('setContext', contextKeys.noMemberships, !this.areOffered);
  }
}

/** Returns whether the response did not come from the service itself, so that a 404 does not refer to a resource. */
function hasNoEnvelope(code: string): boolean {
  return code.startsWith('HTTP_');
}

/** Returns whether both the account and the group exist; if so, a 404 means that the operation is missing. */
async function areBothThere(client: ServiceClient, operation: Operation): Promise<boolean> {
  if (operation.kind !== 'add-member') return false;
  const { account, group } = operation;
  try {
    const page = await sendQuery(client, ownQuery(), {
      query_string: `SELECT EXISTS (SELECT 1 FROM accounts WHERE global_id = :account)
  AND EXISTS (SELECT 1 FROM entity_assigned_access_to_object WHERE global_entity_id = :group OR global_assigned_object_id = :group)`,
      model: identityModel,
      parameters: { account, group },
    });
    return page.rows[0]?.[0] === true;
  } catch (error) {
    // A failed lookup does not prove that the operation is missing.
    if (error instanceof ApiError || error instanceof ContractError) return false;
    throw error;
  }
}
