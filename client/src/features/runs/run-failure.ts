/** Turns what went wrong with a run into what the panel shows: what failed, why, where, and a next step. */
import {
  ApiError,
  AuthError,
  ContractError,
  RejectedError,
  TransportError,
  type SqlPosition,
} from '../../../../api/client/errors.ts';
import { commands } from '../../contributions.ts';
import { ExpectedError } from '../../ui/failure.ts';
import type { RunFailure } from '../results/index.ts';
import type { TextPosition } from './source-positions.ts';

export interface ExplainOptions {
  /** Finds a place of the sent text in the document. */
  readonly locate: (position: SqlPosition) => TextPosition;
  readonly translate: (message: string, ...values: readonly string[]) => string;
}

export function explainFailure(error: unknown, { locate, translate }: ExplainOptions): RunFailure {
  if (error instanceof RejectedError) {
    const place = error.position === undefined ? undefined : locate(error.position);
    return {
      message: error.serviceMessage === '' ? error.message : error.serviceMessage,
      code: error.code,
      hint: error.hint,
      reasons: error.reasons,
      place: place === undefined ? undefined : { line: place.line + 1, column: place.character + 1 },
      requestId: error.requestId,
    };
  }
  if (error instanceof ApiError) {
    const nextStep =
      error instanceof AuthError
        ? { title: translate('Update Secret…'), command: commands.connectionUpdateSecret }
        : error instanceof TransportError
          ? { title: translate('Switch Connection…'), command: commands.connectionConnect }
          : { title: translate('Show Log'), command: commands.logShow };
    return { message: error.message, code: error.code, reasons: [], requestId: error.requestId, nextStep };
  }
  if (error instanceof ContractError) {
    return {
      message: error.message,
      code: 'UNEXPECTED_ANSWER',
      reasons: [],
      requestId: error.requestId,
      nextStep: { title: translate('Show Log'), command: commands.logShow },
    };
  }
  if (error instanceof ExpectedError) {
    const [action] = error.actions;
    return { message: error.message, reasons: [], nextStep: action };
  }
  return {
    message: translate('This failed in a way that was not foreseen. The log says more.'),
    code: 'UNEXPECTED',
    reasons: [],
    nextStep: { title: translate('Show Log'), command: commands.logShow },
  };
}
