/** Turns what went wrong with a run into what the panel shows: what failed, why, where, and a next step. */
import {
  ApiError,
  AuthError,
  ContractError,
  RejectedError,
  TransportError,
  type SqlPosition,
} from '../../../../api/client/errors.ts';
import { commands, settings, settingsSection } from '../../contributions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import type { RunFailure } from '../../../../core/src/runs/run-failure.ts';
import { EmptyListError } from '../../../../core/src/parameters/literals.ts';
import { RunTimeLimitError } from '../../../../core/src/runs/query-run.ts';
import type { TextPosition } from '../../../../core/src/runs/source-positions.ts';

export interface ExplainOptions {
  /** Finds a place of the sent text in the document. */
  readonly locate: (position: SqlPosition) => TextPosition | undefined;
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
  if (error instanceof RunTimeLimitError) {
    return {
      message: translate(
        'The service did not answer within {0} seconds, the time limit for a run. It was told to stop.',
        String(error.limitMs / 1_000),
      ),
      code: 'RUN_TIME_LIMIT',
      reasons: [],
      nextStep: {
        title: translate('Change the Time Limit…'),
        command: 'workbench.action.openSettings',
        argument: `${settingsSection}.${settings.runTimeLimitSeconds}`,
      },
    };
  }
  if (error instanceof EmptyListError) {
    return {
      message: translate(
        'The list :{0} is empty and shares its brackets with other values, which cannot be written into the text.',
        error.parameter,
      ),
      code: 'EMPTY_LIST',
      hint: translate('Write IN (:{0}) on its own, or let values be sent as parameters.', error.parameter),
      reasons: [],
      nextStep: {
        title: translate('Change the Setting…'),
        command: 'workbench.action.openSettings',
        argument: `${settingsSection}.${settings.runParameterBinding}`,
      },
    };
  }
  if (error instanceof ApiError) {
    const nextStep = nextStepAfter(error, translate);
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
    const nextStep = action && {
      title: action.title,
      command: action.command,
      argument: action.arguments?.[0],
    };
    return { message: error.message, reasons: [], nextStep };
  }
  return {
    message: translate('This failed in a way that was not foreseen. The log says more.'),
    code: 'UNEXPECTED',
    reasons: [],
    nextStep: { title: translate('Show Log'), command: commands.logShow },
  };
}

function nextStepAfter(error: ApiError, translate: ExplainOptions['translate']): RunFailure['nextStep'] {
  if (error instanceof AuthError) {
    return error.at === 'forbidden'
      ? // The secret is right; the test says which scopes the client has.
        { title: translate('Test Connection'), command: commands.connectionTest }
      : { title: translate('Update Secret…'), command: commands.connectionUpdateSecret };
  }
  return error instanceof TransportError
    ? { title: translate('Switch Connection…'), command: commands.connectionConnect }
    : { title: translate('Show Log'), command: commands.logShow };
}
