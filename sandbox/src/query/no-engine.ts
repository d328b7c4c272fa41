/** Stands where no SQL is run: the company is larger than the built-in PostgreSQL holds in memory. REST goes on. */
import { ServiceError } from '../errors.ts';
import type { QueryEngine } from './engine.ts';

/** @param reason a sentence for whoever runs a query, with what to do. */
export function createNoEngine(reason: string): QueryEngine {
  return {
    ready: () => Promise.resolve(),
    run: () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE', reason)),
    change: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
