/** Explains a failed run or read: what failed, why, where, and what may help. Independent of the editor. */
import {
  ApiError,
  AuthError,
  ContractError,
  isUnavailable,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TransportError,
  isAboutScope,
  type SqlPosition,
} from '#api/client/errors.ts';
import type { ErrorReason } from '#api/contract/errors.ts';
import { TimeLimitError } from '#base/async/deadline.ts';
import { diskPath, diskWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import { failureOf } from '../failures/failure.ts';
import { limitWords } from '../failures/limit-messages.ts';
import type { RunFailure, ServiceFault } from '../failures/run-failure.ts';
import { EmptyListError } from '../parameters/literals.ts';
import type { TextPosition } from './source-positions.ts';

/** Possible remedies. The editor has a command for each, and the command line has a sentence. */
export type FailureHelp =
  | 'change-time-limit'
  | 'change-binding'
  | 'renew-secret'
  | 'test-connection'
  | 'check-connection'
  | 'read-log';

export interface ExplainedFailure extends Omit<RunFailure, 'nextStep'> {
  readonly help?: FailureHelp | undefined;
}

/** Code of an unexpected failure, whose own message would not help users. */
export const unexpectedCode = 'UNEXPECTED';

/** @param locate maps a position in the sent text to the document. */
export function explainFailure(
  error: unknown,
  locate: (position: SqlPosition) => TextPosition | undefined,
): ExplainedFailure {
  if (error instanceof RejectedError) {
    const place = error.position === undefined ? undefined : locate(error.position);
    const message = error.serviceMessage === '' ? error.message : error.serviceMessage;
    return {
      message,
      code: error.code,
      hint: error.hint,
      reasons: newReasons(message, error.reasons),
      place: place === undefined ? undefined : { line: place.line + 1, column: place.character + 1 },
      requestId: error.requestId,
    };
  }
  if (error instanceof TimeLimitError) {
    return {
      message: t(
        'The service did not respond within {0} s, the time limit for a run. It was asked to stop.',
        error.limitMs / 1_000,
      ),
      code: 'RUN_TIME_LIMIT',
      reasons: [],
      help: 'change-time-limit',
    };
  }
  if (error instanceof EmptyListError) {
    return {
      message: t(
        "The list :{0} is empty and shares its parentheses with other values, so it can't be written as a literal.",
        error.parameter,
      ),
      code: 'EMPTY_LIST',
      hint: t('Write IN (:{0}) on its own, or send values as parameters.', error.parameter),
      reasons: [],
      help: 'change-binding',
    };
  }
  if (error instanceof ApiError) {
    const { code, requestId } = error;
    const message = error instanceof RateLimitError ? limitWords(error, Date.now()) : error.message;
    return { message, code, reasons: [], fault: faultOf(error), requestId, help: helpAfter(error) };
  }
  if (error instanceof ContractError) {
    const { message, requestId } = error;
    return { message, code: 'UNEXPECTED_ANSWER', reasons: [], requestId, help: 'read-log' };
  }
  const { kind, message: expected } = { message: '', ...failureOf(error) };
  if (kind === 'expected') return { message: expected, reasons: [] };
  // Not by the person's cancel, which is no failure.
  if (kind === 'cancelled')
    return {
      message: t('The run ended because its connection was closed or another one was chosen. Run it again.'),
      reasons: [],
    };
  const disk = diskWords(error);
  const place = diskPath(error);
  if (disk !== undefined)
    return {
      message:
        place === undefined
          ? t('The file could not be written: {0}.', disk)
          : t('"{0}" could not be written: {1}.', place, disk),
      reasons: [],
    };
  return {
    message: t('An unexpected error occurred. The log has details.'),
    code: unexpectedCode,
    reasons: [],
    help: 'read-log',
  };
}

/** SQLSTATEs of a table and a column that are not there. */
const missingNames = new Set<unknown>(['42P01', '42703']);

/** Returns whether the service lacks a table or a column that the query names. */
export function isMissingName(error: unknown): boolean {
  if (!(error instanceof RejectedError)) return false;
  // A query that is refused before it runs has the state among its reasons.
  return [error.details?.['sqlState'], ...error.reasons.map(({ code }) => code)].some((state) =>
    missingNames.has(state),
  );
}

/** Returns the reasons that say something else than the message and each other; the details keep all. */
function newReasons(message: string, reasons: readonly ErrorReason[]): readonly ErrorReason[] {
  const said = new Set([message.trim()]);
  return reasons.filter((reason) => {
    const words = reason.message.trim();
    const isNew = !said.has(words);
    said.add(words);
    return isNew;
  });
}

function faultOf(error: ApiError): ServiceFault | undefined {
  if (error instanceof TransportError) {
    // These happen while the service responds.
    return error.reason === 'truncated' || error.reason === 'too-large' ? undefined : 'unreachable';
  }
  if (error instanceof AuthError) return error.at === 'forbidden' ? undefined : 'sign-in';
  if (!(error instanceof ServerFaultError)) return undefined;
  return isUnavailable(error) ? 'unavailable' : 'failed';
}

function helpAfter(error: ApiError): FailureHelp {
  // If access is forbidden or a scope refused, the secret is valid; the connection test shows the client's scopes.
  if (error instanceof AuthError)
    return error.at === 'forbidden' || isAboutScope(error) ? 'test-connection' : 'renew-secret';
  if (!(error instanceof TransportError)) return 'read-log';
  // Half a response comes from the right service.
  return faultOf(error) === undefined ? 'test-connection' : 'check-connection';
}
