/** What went wrong, in the words of a terminal. */
import { ApiError, RejectedError, type SqlPosition } from '../../../api/client/errors.ts';
import type { RunFailure } from '../../../core/src/runs/run-failure.ts';
import { RunTimeLimitError } from '../../../core/src/runs/query-run.ts';
import type { TextPosition } from '../../../core/src/runs/source-positions.ts';
import { failureOf } from '../../../core/src/util/failure.ts';
import { GrownColumnsError } from './rows-target.ts';

/** @param locate finds a place of the sent text in the query. */
export function failureOfRun(
  error: unknown,
  locate: (position: SqlPosition) => TextPosition | undefined,
): RunFailure {
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
  if (error instanceof RunTimeLimitError)
    return {
      message: `No answer within ${error.limitMs / 1_000} seconds, the limit of --timeout. The query was cancelled.`,
      code: 'RUN_TIME_LIMIT',
      reasons: [],
    };
  if (error instanceof GrownColumnsError)
    return {
      message: `A later page has further columns: ${error.columns.join(', ')}. Use --format jsonl, which can hold them.`,
      reasons: [],
    };
  const { message } = { message: String(error), ...failureOf(error) };
  return error instanceof ApiError
    ? { message, code: error.code, requestId: error.requestId, reasons: [] }
    : { message, reasons: [] };
}

/** Lines for a person: place, code and message as compilers write them, then what helps. */
export function failureLines(title: string, failure: RunFailure): readonly string[] {
  const { place, code, message, hint, reasons, requestId } = failure;
  const at = place === undefined ? title : `${title}:${place.line}:${place.column}`;
  return [
    `${at}: ${code === undefined ? '' : `${code}: `}${message}`,
    ...(hint === undefined ? [] : [`  Hint: ${hint}`]),
    ...reasons
      .filter((reason) => reason.message !== message)
      .map((reason) => `  ${reason.code}: ${reason.message}`),
    ...(requestId === undefined ? [] : [`  Request id: ${requestId}`]),
  ];
}
