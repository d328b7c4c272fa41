/** Says why a run of the identity model ended without all of its rows. */
import { ServiceError, unavailable } from '../../errors.ts';
import { nobodyWaits } from '../../query/engine.ts';
import { timeoutError } from '../../query/explain.ts';
import type { RunRows } from '../../query/growing-result.ts';

/** @param what for example "The table accounts" */
export function failureOf({ end }: RunRows, what: string): ServiceError {
  switch (end?.kind) {
    case 'error':
      return end.error;
    case 'timeout':
      return timeoutError(end.limitMs);
    case 'failed':
      return new ServiceError('QUERY_FAILED', `${what} cannot be read: ${end.failure.message}.`, {
        details: { sqlState: end.failure.sqlState },
      });
    default:
      return unavailable(nobodyWaits);
  }
}
