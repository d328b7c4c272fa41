/** Cuts off callers who do not read their answer: it would stay in memory or on the disk as long as they like. */
import type { FastifyInstance } from 'fastify';

const mostMs = 60_000;

/** @param stalledMs how long a caller may take nothing of an answer that is there */
export function useStalledReaderLimit(app: FastifyInstance, stalledMs = mostMs): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const { raw } = reply;
    // Nothing to take is no stall, such as while a query runs.
    raw.setTimeout(stalledMs, () => {
      if (raw.writableLength > 0) raw.destroy();
    });
    done();
  });
}
