/** Optional rate limit per client. Above the limit for a time window, requests get a 429 with Retry-After. */
import type { FastifyInstance } from 'fastify';
import { countedText } from '#base/words/counted-text.ts';
import { ServiceError } from '../errors.ts';

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

export function useRateLimit(app: FastifyInstance, { requests, windowMs }: RateLimit): void {
  /** Start of the current time window and the number of requests in it, by client ID. */
  const windows = new Map<string, { startedAt: number; count: number }>();
  app.addHook('onRequest', (request, reply, done) => {
    if (request.grant === undefined) {
      done();
      return;
    }
    const now = performance.now();
    let window = windows.get(request.grant.clientId);
    if (window === undefined || now - window.startedAt >= windowMs) {
      window = { startedAt: now, count: 0 };
      windows.set(request.grant.clientId, window);
    }
    window.count += 1;
    const left = Math.max(0, requests - window.count);
    const resetSeconds = Math.ceil((window.startedAt + windowMs - now) / 1_000);
    reply.headers({
      'ratelimit-limit': requests,
      'ratelimit-remaining': left,
      'ratelimit-reset': resetSeconds,
    });
    if (window.count <= requests) {
      done();
      return;
    }
    const error = new ServiceError(
      'TOO_MANY_REQUESTS',
      `More than ${countedText(requests, 'request')} in ${countedText(windowMs / 1_000, 'second')}.`,
      {
        headers: { 'retry-after': String(resetSeconds) },
        details: { limit: requests, windowSeconds: windowMs / 1_000 },
      },
    );
    done(error);
  });
}
