/** Checks requests against the contract's schemas and names the field that is wrong. */
import type { FastifyInstance } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { ServiceError } from './errors.ts';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const locations: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Query and path values arrive as text and are converted; a body must have the right types itself. */
export function useContractValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validator = Compile(schema);
    return (value: unknown) => {
      const converted = httpPart === 'body' ? value : Value.Convert(schema, value);
      if (validator.Check(converted)) return { value: converted };
      return { error: problemsError(validator.Errors(converted), locations[httpPart ?? 'body'] ?? 'body') };
    };
  });
  // Answers are built from typed code and checked against their schemas by the tests, not on every request.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

function problemsError(errors: readonly SchemaError[], location: string): ServiceError {
  const problems = errors
    // A property that may not be there is reported twice; the one that lists the names is kept.
    .filter(
      (error) =>
        error.keyword !== 'boolean' && !/\/anyOf\/\d+$/.test(String(Reflect.get(error, 'schemaPath'))),
    )
    .flatMap(fieldProblems);
  const first = problems[0] ?? { field: '', problem: 'is not valid' };
  const what = first.field === '' ? `The ${location}` : `The ${location} field "${first.field}"`;
  return new ServiceError('BAD_REQUEST', `${what} ${first.problem}.`, {
    details: { location, field: first.field, problem: first.problem, problems: problems.slice(0, 20) },
  });
}

function fieldProblems(error: SchemaError): { field: string; problem: string }[] {
  const parent = error.instancePath.slice(1).replaceAll('/', '.');
  const child = (name: string): string => (parent === '' ? name : `${parent}.${name}`);
  const names = (key: string): string[] => {
    const value = error.params?.[key];
    return Array.isArray(value) ? value.map(String) : [];
  };
  switch (error.keyword) {
    case 'required':
      return names('requiredProperties').map((name) => ({ field: child(name), problem: 'is missing' }));
    case 'additionalProperties':
      return names('additionalProperties').map((name) => ({ field: child(name), problem: 'is not known' }));
    default:
      return [{ field: parent, problem: error.message ?? 'is not valid' }];
  }
}

/** A schema that accepts an absent body: for operations that take none. */
export const NoBody = Type.Optional(
  Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })]),
);
