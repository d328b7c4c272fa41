/**
 * Describes a failure to an agent. Service messages may quote column values (`invalid input syntax for type integer:
 * "ada@..."`), so none of their words are passed on.
 */
import { ApiError, ContractError, NotOfferedError } from '#api/client/errors.ts';
import { TimeLimitError } from '#base/async/deadline.ts';
import { refused, type Outcome } from './tools/tool.ts';

export function answerFailure(error: unknown): Outcome {
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'UserAbort'))
    return refused('cancelled', 'The call was cancelled.');
  if (error instanceof TimeLimitError)
    return refused(
      'too-slow',
      `It did not finish within ${error.limitMs / 1_000} seconds.`,
      'Narrow the query.',
    );
  if (error instanceof NotOfferedError)
    return refused(
      'not-offered',
      'This service does not offer this.',
      'Use another tool, or ask a person to look at the service.',
    );
  if (error instanceof ContractError)
    return refused('service-error', 'The service sent an unexpected response.');
  if (!(error instanceof ApiError)) return refused('failed', 'The call failed.');
  const { status } = error;
  return refused(
    'service-error',
    status === undefined
      ? 'The service could not be reached.'
      : `The service refused, with status ${status}.`,
    adviceFor(status),
  );
}

function adviceFor(status: number | undefined): string {
  switch (status) {
    case 400:
    case 422:
      return "The query fails on the service. Call check_sql, and check types and divisions. The service's message is withheld because it may quote values.";
    case 401:
    case 403:
      return 'Ask a person to check the connection and its permissions.';
    case 404:
      return 'It was not found. Check the ID, or list the available items if this service lists them.';
    case 408:
    case 504:
      return 'It took too long. Narrow the query.';
    case 429:
      return 'Wait a minute.';
    default:
      return 'Try again later, or ask a person to look at the service.';
  }
}
