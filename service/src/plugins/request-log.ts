/** Assigns a request ID to each response, and records requests for tests and --verbose (never bodies or headers). */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';

export interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was cut before a response. */
  readonly status: number;
  readonly durationMs: number;
}

const kept = 1_000;

export class RequestLog {
  #entries: LoggedRequest[] = [];

  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > 2 * kept) this.#entries = this.#entries.slice(-kept);
  }

  /** The most recent requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return this.#entries.slice(-kept);
  }

  clear(): void {
    this.#entries = [];
  }
}

export const requestIdHeader = 'x-request-id';

/** Uses the caller's ID if it has only safe characters, otherwise generates one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export function useRequestLog(app: FastifyInstance, requests: RequestLog, log: Log): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    const path = pathOf(request.url);
    if (!path.startsWith('/_sandbox/')) {
      const startedAt = performance.now();
      reply.raw.once('close', () => {
        const status = reply.raw.writableFinished ? reply.raw.statusCode : 0;
        const durationMs = Math.round(performance.now() - startedAt);
        requests.add({ id: request.id, method: request.method, path, status, durationMs });
        log(`${request.method} ${path} ${status} ${durationMs} ms request=${request.id}`);
      });
    }
    done();
  });
}

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
