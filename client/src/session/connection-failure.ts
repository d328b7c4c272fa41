/** Explains why a connection failed: a kind that determines the remedies, and a sentence. */
import * as vscode from 'vscode';
import {
  AuthError,
  CertificateError,
  ContractError,
  isUnavailable,
  ServerFaultError,
  TimeoutError,
  TransportError,
} from '#api/client/errors.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError, failureOf, type FailureAction, type Recover } from '#core/failures/failure.ts';
import { commands, settingsSection } from '../contributions.ts';
import { shortFailure } from '../ui/short-failure.ts';
import { SecretMissingError } from './secrets.ts';

/**
 * The kind of failure. `secret`: a different secret may help. `network`: no response. `certificate`: the server is not
 * trusted, or the client certificate cannot be used. `service`: an unexpected response. `settings`: the configuration
 * is unusable. `scope`: the token endpoint refused the scopes.
 */
export type FailureKind = 'secret' | 'network' | 'proxy' | 'certificate' | 'service' | 'settings' | 'scope';

export interface ConnectionFailure {
  readonly kind: FailureKind;
  /** The failure and its remedy, in words that are safe to show. */
  readonly reason: string;
  /** The failure in one short sentence. */
  readonly short: string;
  /** Remedies other than connecting again. */
  readonly actions: readonly FailureAction[];
  /** Whether a later attempt may succeed, because the network or the service failed rather than the sign-in. */
  readonly mayPass: boolean;
}

/** Thrown if the connection cannot be used as configured. */
export class ConnectionSettingError extends ExpectedError {}

/** @param profile the connection, if it may be edited */
export function connectionFailureOf(error: unknown, profile?: ConnectionProfile): ConnectionFailure {
  const failure = failureOf(error);
  const reason = failure.kind === 'cancelled' ? vscode.l10n.t('Cancelled.') : failure.message;
  const kind = kindOf(error);
  const mayPass = isAway(error) || (kind === 'service' && !(error instanceof AuthError));
  return { kind, reason, short: shortFailure(error), actions: actionsFor(kind, error, profile), mayPass };
}

/** Returns the error for a command that needs a connection that failed. */
export function notConnected(
  failed: Pick<ConnectionFailure, 'reason' | 'actions'> & {
    readonly profile: Pick<ConnectionProfile, 'name'>;
    readonly isAuthFailure: boolean;
  },
  recover: Recover | undefined,
): ExpectedError {
  return new ExpectedError(
    vscode.l10n.t('Not connected to {0}. {1}', failed.profile.name, failed.reason),
    [
      // With the same secret, another attempt fails again.
      ...(failed.isAuthFailure ? failed.actions : []),
      { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry },
    ],
    { recover, isOfConnection: true },
  );
}

/** Returns whether the service could not be reached or is unavailable, so that it may respond later. */
export function isAway(error: unknown): boolean {
  const kind = kindOf(error);
  return isUnavailable(error) || kind === 'network' || kind === 'proxy';
}

/**
 * Returns whether a response says nothing about the request: an error of the service, a page of another server, or half
 * a response. If other requests get the same, the service has trouble.
 */
export function isTrouble(error: unknown): boolean {
  if (error instanceof ContractError) return error.status < 400;
  if (error instanceof ServerFaultError) return error.status !== 501; // it lacks this request only
  return error instanceof TransportError && error.reason === 'truncated';
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof SecretMissingError) return 'secret';
  if (error instanceof AuthError && error.code === 'INVALID_SCOPE') return 'scope';
  if (error instanceof AuthError) return error.at === 'forbidden' ? 'service' : 'secret';
  if (error instanceof ConnectionSettingError) return 'settings';
  if (error instanceof CertificateError) return 'certificate';
  if (error instanceof TimeoutError) return 'network';
  if (!(error instanceof TransportError)) return 'service';
  switch (error.reason) {
    case 'tls':
      return 'certificate';
    case 'proxy':
    case 'proxy-credentials':
      return 'proxy';
    case 'truncated':
    case 'too-large':
      return 'service';
    default:
      return 'network';
  }
}

function actionsFor(
  kind: FailureKind,
  error: unknown,
  profile: ConnectionProfile | undefined,
): readonly FailureAction[] {
  const openSettings = (query: string): FailureAction => ({
    title: vscode.l10n.t('Open Settings'),
    command: 'workbench.action.openSettings',
    arguments: [query],
  });
  const test: FailureAction = { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest };
  switch (kind) {
    case 'secret':
      // The token endpoint accepted the secret, so another one need not help: an address or the client may be wrong.
      if (error instanceof AuthError && error.at === 'unauthorized')
        return profile?.source === 'settings' ? [editAction(profile)] : [];
      if (!(error instanceof SecretMissingError))
        return [{ title: vscode.l10n.t('Enter Client Secret...'), command: commands.connectionUpdateSecret }];
      return error.actions.length === 0
        ? [openSettings(`${settingsSection}.connections`)] // the secret comes from somewhere else
        : error.actions;
    case 'certificate':
      return error instanceof CertificateError && error.problem === 'passphrase'
        ? [{ title: vscode.l10n.t('Enter Passphrase'), command: commands.networkUpdatePassphrase }]
        : [test, openSettings(`${settingsSection}.network`)];
    case 'proxy':
      return [test, openSettings('http.proxy')];
    case 'settings':
      if (error instanceof ConnectionSettingError && error.actions.length > 0) return error.actions;
      return [openSettings(`${settingsSection}.connections`)];
    case 'scope':
      return profile?.source === 'settings' ? [editAction(profile), test] : [test];
    case 'network':
    case 'service':
      return [test];
    default:
      return kind satisfies never;
  }
}

function editAction({ name }: ConnectionProfile): FailureAction {
  return {
    title: vscode.l10n.t('Edit Connection...'),
    command: commands.connectionEdit,
    arguments: [name],
  };
}
