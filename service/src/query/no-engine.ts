/** An engine without SQL, for companies too large for the built-in PostgreSQL. REST still works. */
import { ServiceError } from '../errors.ts';
import type { QueryEngine } from './engine.ts';
import { GrowingResult } from './growing-result.ts';

/** @param reason a sentence for callers that includes what to do */
export function createNoEngine(reason: string): QueryEngine {
  return {
    ready: () => Promise.resolve(),
    run: () => {
      const result = new GrowingResult();
      result.finish({ kind: 'error', error: new ServiceError('SERVICE_UNAVAILABLE', reason) });
      return result;
    },
    change: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
