/** Decides whether a result's statement may be sent on the current connection, and stores the user's confirmation. */
import type { Session } from '#client/session/session.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import type { AcceptedFunctions } from '#core/policy/accepted-functions.ts';
import { mayRun, type Permission } from '#core/policy/may-run.ts';
import { permit, type Permit } from '#core/policy/send-query.ts';
import type { Disagreements } from '#core/runs/disagreements.ts';
import type { StatementInfo } from '#server/protocol.ts';
import { readRunSettings } from '../run-settings.ts';

export interface ConsentDependencies {
  readonly session: Session;
  readonly disagreements: Disagreements;
  readonly acceptedFunctions: AcceptedFunctions;
}

/** A statement that must not be sent: the user has to confirm it, or it is refused. */
export interface Held {
  readonly kind: 'held';
  readonly permission: Exclude<Permission, { kind: 'go' }>;
}

export class RunConsent {
  readonly #deps: ConsentDependencies;
  /** The connection for which the user has confirmed the next send. */
  #confirmedFor: string | undefined;

  constructor(deps: ConsentDependencies) {
    this.#deps = deps;
  }

  /** Drops the confirmation, which is valid for one send only. */
  forget(): void {
    this.#confirmedFor = undefined;
  }

  /** Called before asking for parameters and again before sending, since the connection may have changed. */
  check(statement: StatementInfo): { readonly kind: 'permitted'; readonly permit: Permit } | Held {
    const permission = this.#permissionFor(statement);
    if (permission.kind === 'go') return { kind: 'permitted', permit: permit(permission, 'not-asked') };
    if (
      permission.kind === 'ask' &&
      this.#confirmedFor !== undefined &&
      this.#confirmedFor === this.#connectionKey
    )
      return { kind: 'permitted', permit: permit(permission, 'confirmed') };
    return { kind: 'held', permission };
  }

  /** Called when the user has confirmed the statement. This also accepts its unknown functions on this connection. */
  async confirm(statement: StatementInfo): Promise<void> {
    const connectionKey = this.#connectionKey;
    this.#confirmedFor = connectionKey;
    const permission = this.#permissionFor(statement);
    if (permission.kind === 'ask' && permission.reason === 'unknown-function' && connectionKey !== undefined)
      await this.#deps.acceptedFunctions.accept(connectionKey, permission.parts);
  }

  #permissionFor(statement: StatementInfo): Permission {
    const { disagreements, acceptedFunctions } = this.#deps;
    const connectionKey = this.#connectionKey;
    return mayRun(statement, {
      isProofRequired: readRunSettings().isProofRequired,
      isKnownToRun: disagreements.isLowered(statement.text, 'QUERY_PARSE_ERROR'),
      isAccepted: (part) => connectionKey !== undefined && acceptedFunctions.has(connectionKey, part),
    });
  }

  get #connectionKey(): string | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'connected' ? connectionKeyOf(state.profile) : undefined;
  }
}
