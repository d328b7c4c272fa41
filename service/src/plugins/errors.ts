/**
 * Converts every failure to the error envelope, including unknown routes and invalid bodies. A 500 response reveals
 * nothing internal.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#api/contract/errors.ts';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import { pathOf, requestIdHeader } from './request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether errors carry only a code and a message. */
    hasBareErrors?: boolean;
  }
}

/** Our errors for requests that Fastify itself rejects, by Fastify's error code. */
const frameworkErrors: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'BAD_REQUEST', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'BAD_REQUEST', message: 'The body is empty; JSON was expected.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'BAD_REQUEST',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Content-Type must be application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The body is larger than this service reads.',
  },
  FST_ERR_BAD_URL: { code: 'BAD_REQUEST', message: 'The path is not a valid URL path.' },
};

export function useErrorEnvelope(app: FastifyInstance, log: Log): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const service = toServiceError(error);
    if (service.statusCode >= 500) {
      // Log only stack frames, which hold code positions: the database driver's messages may quote data.
      const cause = error instanceof ServiceError ? error.cause : error;
      const where = cause instanceof Error ? `${cause.name}${codeIn(cause)} ${frames(cause)}` : '';
      // The route has names in place of values.
      const route = request.routeOptions.url ?? 'unknown path';
      log(`${request.method} ${route} failed request=${request.id} ${service.code} ${where}`);
    }
    const { code, message, ...more } = service.toEnvelope();
    const body = request.routeOptions.config.hasBareErrors === true ? {} : more;
    return reply
      .code(service.statusCode)
      .headers(service.headers)
      .send({ code, message, ...body });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => takes(app, method, path));
    const error =
      allowed.length > 0
        ? new ServiceError('METHOD_NOT_ALLOWED', `${request.method} is not possible on this path.`, {
            headers: { allow: allowed.join(', ') },
            details: { allowed },
          })
        : new ServiceError('NOT_FOUND', 'This service has no such path.');
    return reply.code(error.statusCode).headers(error.headers).send(error.toEnvelope());
  });
}

/** Responds to requests that Fastify rejects before routing. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const service = toServiceError(error);
  void reply
    .code(service.statusCode)
    .header(requestIdHeader, request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(service.toEnvelope()));
}

/** How long a caller may take to read why its request was rejected, and to leave. */
const leaveMs = 1_000;

/** Responds to connections that Node.js rejects because of malformed, oversized or slow HTTP, and cuts them off. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket, mostMs = leaveMs): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const message = isTooLong
    ? 'The address and headers are longer than this service reads.'
    : 'This is not HTTP.';
  const service = new ServiceError('BAD_REQUEST', message);
  const body = JSON.stringify(service.toEnvelope());
  socket.end(
    `HTTP/1.1 ${service.statusCode} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // One that keeps its side open would hold the connection.
  setTimeout(() => socket.destroy(), mostMs).unref();
}

/** Returns whether a route for this method matches the path. */
function takes(app: FastifyInstance, method: string, path: string): boolean {
  const route: unknown = app.findRoute({ method, url: path }); // null if none matches, despite the declared type
  return route !== null && route !== undefined;
}

function toServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error;
  const known = frameworkErrors[error.code];
  if (known !== undefined) return new ServiceError(known.code, known.message, { cause: error });
  // Fastify's JSON parser throws plain SyntaxErrors with status 400.
  if (error.statusCode === 400)
    return new ServiceError('BAD_REQUEST', 'The request is malformed.', { cause: error });
  return new ServiceError('INTERNAL_ERROR', 'The service failed to answer this request.', { cause: error });
}

/** A code of the system or the database, such as 42501, which quotes nothing. */
function codeIn(error: Error): string {
  return 'code' in error && /^[A-Z\d_]{2,60}$/.test(String(error.code)) ? ` ${String(error.code)}` : '';
}

function frames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .join(' <');
}
