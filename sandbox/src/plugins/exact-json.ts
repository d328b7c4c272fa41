/** Reads JSON bodies without rounding: a number that a double cannot hold becomes its text, which PostgreSQL reads exactly. */
import type { FastifyInstance } from 'fastify';

export function useExactJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text === '') {
      done(Object.assign(new Error('empty body'), { statusCode: 400, code: 'FST_ERR_CTP_EMPTY_JSON_BODY' }));
      return;
    }
    try {
      done(null, parseExact(text));
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

/** The reviver's third argument: since ES2026 it carries the source text of a primitive (Node 22 has it). */
type ExactReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** As JSON.parse, but numbers inside `parameters` that a double would change come as their text. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Short whole numbers survive: only a long, fractional or exponent form can be rounded or reshaped.
  if (!isObject(value) || !isObject(value['parameters']) || !/\d{16}|\d[.eE]/.test(text)) return value;
  const reviver: ExactReviver = (_key, each, context) =>
    typeof each === 'number' && context.source !== undefined && String(each) !== context.source
      ? context.source
      : each;
  const exact: unknown = JSON.parse(text, reviver as (key: string, value: unknown) => unknown); // the lib lacks the third argument
  return isObject(exact) ? { ...value, parameters: exact['parameters'] } : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
