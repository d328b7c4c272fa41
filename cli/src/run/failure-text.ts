/** A failure in words for the terminal: core's, with the command that may help. */
import type { SqlPosition } from '../../../api/client/errors.ts';
import { explainFailure, unexpectedCode, type FailureHelp } from '../../../core/src/runs/explain-failure.ts';
import type { RunFailure } from '../../../core/src/runs/run-failure.ts';
import type { TextPosition } from '../../../core/src/runs/source-positions.ts';
import { CliError } from '../context.ts';

/** A failure with its remedies, one per line. */
export interface ToldFailure extends Omit<RunFailure, 'nextStep'> {
  readonly ways?: readonly string[];
}

/** @param locate maps a position of the sent text to the query. */
export function failureOfRun(
  error: unknown,
  locate: (position: SqlPosition) => TextPosition | undefined,
): ToldFailure {
  if (error instanceof CliError) return { message: error.message, reasons: [], ways: error.help };
  const { help, ...failure } = explainFailure(error, locate);
  // The command line has no log, so the error's own message must do.
  if (failure.code === unexpectedCode) return { message: String(error), reasons: [] };
  return { ...failure, ways: waysOf(help) };
}

/** Lines for a person: position, code and message like a compiler's, then the remedies. */
export function failureLines(title: string, failure: ToldFailure): readonly string[] {
  const { place, code, message, hint, reasons, ways = [] } = failure;
  const at = place === undefined ? title : `${title}:${place.line}:${place.column}`;
  return [
    `${at}: ${code === undefined ? '' : `${code}: `}${message}`,
    ...(hint === undefined ? [] : [`  Hint: ${hint}`]),
    ...reasons
      .filter((reason) => reason.message !== message)
      .map((reason) => `  ${reason.code}: ${reason.message}`),
    ...requestLine(failure),
    ...ways,
  ];
}

/** A failure outside of queries: without a leading title. */
export function plainFailureLines(error: unknown): readonly string[] {
  const failure = failureOfRun(error, () => undefined);
  const { message, reasons, ways = [] } = failure;
  return [
    message,
    ...reasons.filter((reason) => reason.message !== message).map(({ message: words }) => `  ${words}`),
    ...requestLine(failure),
    ...ways,
  ];
}

/** If the message does not name it already. */
function requestLine({ message, requestId }: ToldFailure): readonly string[] {
  return requestId === undefined || message.includes(requestId) ? [] : [`  Request ID: ${requestId}`];
}

function waysOf(help: FailureHelp | undefined): readonly string[] {
  switch (help) {
    case 'change-time-limit':
      return ['Give it longer with --timeout SECONDS.'];
    case 'renew-secret':
      return ['Check the client id of the connection, and where its secret comes from.'];
    case 'test-connection':
      return ['See what the client may do with: identity-queries doctor'];
    case 'check-connection': // The service's message says what to check.
    case 'change-binding': // The command line always sends values as parameters.
    case 'read-log': // The command line has no log.
    case undefined:
      return [];
    default:
      return help satisfies never;
  }
}
