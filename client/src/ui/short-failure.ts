/** A failure of the service in one short sentence, for places that cannot show the whole explanation. */
import * as vscode from 'vscode';
import {
  AuthError,
  ContractError,
  isUnavailable,
  RateLimitError,
  ServerFaultError,
  TimeoutError,
  TransportError,
} from '#api/client/errors.ts';
import { cutEnd } from '#base/shown-text/cut.ts';
import { failureOf } from '#core/failures/failure.ts';
import { limitWords } from '#core/failures/limit-messages.ts';

/** Maximum length of an explanation above the rows of a view. */
const explanationMax = 160;

export function shortFailure(error: unknown): string {
  if (error instanceof ServerFaultError) {
    const status = error.status ?? error.code;
    return isUnavailable(error)
      ? vscode.l10n.t('The service is not available ({0}).', status)
      : vscode.l10n.t('The service failed ({0}).', status);
  }
  if (error instanceof RateLimitError)
    return limitWords({ retryAfterMs: error.retryAfterMs, serviceMessage: undefined }, Date.now());
  if (error instanceof AuthError && error.at === 'forbidden') {
    const status = error.status ?? error.code;
    return error.asked === undefined
      ? vscode.l10n.t('This client may not do this ({0}).', status)
      : vscode.l10n.t('This client may not do this: {0} ({1}).', error.asked.request, status);
  }
  if (error instanceof TimeoutError) return vscode.l10n.t('The service does not respond.');
  if (error instanceof TransportError)
    return error.reason === 'truncated'
      ? vscode.l10n.t('The response of the service was cut off.')
      : vscode.l10n.t("The service can't be reached.");
  if (error instanceof ContractError) return vscode.l10n.t('The response is not one of the service.');
  const failure = failureOf(error);
  return failure.kind === 'cancelled' ? vscode.l10n.t('Cancelled.') : forView(failure.message);
}

/** Shortens an explanation so that it does not push the rows of a view out of sight. Tooltips have all of it. */
export function forView(explanation: string): string {
  return cutEnd(explanation, explanationMax);
}
