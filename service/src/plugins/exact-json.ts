/**
 * Parses JSON bodies without changing values. A number that exceeds double precision is kept as text, which PostgreSQL
 * parses exactly. Invalid Unicode is rejected rather than replaced.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { isObject } from '#base/values/is-object.ts';
import { badField, ServiceError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for operations without a body. */
    takesBody?: boolean;
  }
}

export function useExactJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (!isUtf8(bytes)) {
      done(new ServiceError('BAD_REQUEST', 'The body is not UTF-8 text.'));
      return;
    }
    const text = bytes.toString();
    if (text === '' && request.routeOptions.config.takesBody === false) {
      // Some callers send a content type without a body.
      done(null, undefined);
      return;
    }
    if (text === '') {
      done(Object.assign(new Error('empty body'), { statusCode: 400, code: 'FST_ERR_CTP_EMPTY_JSON_BODY' }));
      return;
    }
    try {
      const value = parseExact(text);
      const place = halfSurrogate.test(text) ? illFormedPlace(value) : undefined;
      if (place === undefined) done(null, value);
      else done(badField('body', place.join('.'), 'holds half of a character (an unpaired surrogate)'));
    } catch (error) {
      done(
        Object.assign(new Error('invalid JSON', { cause: error }), {
          statusCode: 400,
          code: 'FST_ERR_CTP_INVALID_JSON_BODY',
        }),
      );
    }
  });
}

/** Since ES2026, the reviver's third argument holds a primitive's source text (supported by Node 22). */
type ExactReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Like JSON.parse, except that numbers in `parameters` that a double cannot represent are kept as text. */
function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Short integers are always exact. Only long, fractional or exponent forms can be rounded or reformatted.
  if (!isObject(value) || !isObject(value['parameters']) || !/\d{16}|\d[.eE]/.test(text)) return value;
  const reviver: ExactReviver = (_key, each, context) =>
    typeof each === 'number' && context.source !== undefined && String(each) !== context.source
      ? context.source
      : each;
  const exact: unknown = JSON.parse(text, reviver as (key: string, value: unknown) => unknown); // the types lack a third argument
  return isObject(exact) ? { ...value, parameters: exact['parameters'] } : value;
}

/** UTF-8 cannot encode a lone surrogate, so one can only arrive as an escape sequence. */
const halfSurrogate = /\\u[dD][89a-fA-F]/;

/** Returns the path to the first string or key that is not well-formed Unicode and so could not be stored unchanged. */
function illFormedPlace(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    if (!name.isWellFormed()) return [];
    const place = illFormedPlace(each);
    if (place !== undefined) return [name, ...place];
  }
  return undefined;
}
