/** Checks requests against the contract's schemas and names the field that is wrong. */
import type { FastifyInstance } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { ServiceError } from './errors.ts';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const locations: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** A value that fits none of several types has an error for each of them; beyond this, errors are not collected. */
Settings.Set({ maxErrors: 40 });

/** Query and path values arrive as text, of which whole numbers are converted; a body must have the right types itself. */
export function useContractValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validator = Compile(schema);
    return (value: unknown) => {
      const converted = httpPart === 'body' ? value : withNumbers(schema, value);
      if (validator.Check(converted)) return { value: converted };
      return { error: problemsError(validator.Errors(converted), locations[httpPart ?? 'body'] ?? 'body') };
    };
  });
  // Answers are built from typed code and checked against their schemas by the tests, not on every request.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** Only what is written as a whole number is one: not 1.5, 1e2, 0x10, true or nothing. */
function withNumbers(schema: TSchema, value: unknown): unknown {
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, text]: [string, unknown]) => {
    const property = schema.properties[name];
    const isNumber = property !== undefined && Type.IsInteger(property) && typeof text === 'string';
    return [name, isNumber && /^-?\d+$/.test(text) ? Number(text) : text];
  });
  return Object.fromEntries(entries);
}

function problemsError(errors: readonly SchemaError[], location: string): ServiceError {
  const problems = [
    ...errors
      // A property that may not be there is reported twice; the one that lists the names is kept.
      .filter((error) => error.keyword !== 'boolean' && !isOfChoice(error))
      .flatMap(fieldProblems),
    ...choiceProblems(errors.filter(isOfChoice)),
  ];
  const first = problems[0] ?? { field: '', problem: 'is not valid' };
  const what = first.field === '' ? `The ${location}` : `The ${location} field "${first.field}"`;
  return new ServiceError('BAD_REQUEST', `${what} ${first.problem}.`, {
    details: { location, field: first.field, problem: first.problem, problems: problems.slice(0, 20) },
  });
}

/** Whether the error is about a value of which several types are possible. */
function isOfChoice({ keyword, schemaPath }: SchemaError): boolean {
  return keyword === 'anyOf' || schemaPath.includes('/anyOf/');
}

/** One problem for each such value, the innermost, with all that it may be. */
function choiceProblems(errors: readonly SchemaError[]): { field: string; problem: string }[] {
  const places = [...new Set(errors.map((error) => error.instancePath))];
  return places
    .filter((place) => !places.some((other) => other.startsWith(`${place}/`)))
    .map((place) => {
      const types = errors.filter((error) => error.instancePath === place && error.keyword === 'type');
      const names = types.map((error) => String(error.params?.['type']));
      return { field: fieldOf(place), problem: `must be one of these: ${[...new Set(names)].join(', ')}` };
    });
}

function fieldOf(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.');
}

function fieldProblems(error: SchemaError): { field: string; problem: string }[] {
  const parent = fieldOf(error.instancePath);
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
