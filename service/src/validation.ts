/** Validates requests against the contract's schemas and names the invalid field. */
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

/** A value that matches none of several types causes one error per type. Errors beyond this limit are not collected. */
Settings.Set({ maxErrors: 40 });

/** Query and path values arrive as text, so integers are converted. Body values must already have the right type. */
export function useContractValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validator = Compile(schema);
    return (value: unknown) => {
      const converted = httpPart === 'body' ? value : withNumbers(schema, value);
      if (validator.Check(converted)) return { value: converted };
      return { error: problemsError(validator.Errors(converted), locations[httpPart ?? 'body'] ?? 'body') };
    };
  });
  // Skip validation of responses: typed code builds them, and tests check them against their schemas.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** Converts only text that is written as an integer: not 1.5, 1e2, 0x10, true or an empty value. */
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
      // A forbidden property is reported twice. Keep the error that lists the names.
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

/** Returns whether the error concerns a value that may have one of several types. */
function isOfChoice({ keyword, schemaPath }: SchemaError): boolean {
  return keyword === 'anyOf' || schemaPath.includes('/anyOf/');
}

/** Returns one problem per choice, at the innermost position, with all allowed types. */
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

/** Accepts an absent body, for operations without one. */
export const NoBody = Type.Optional(
  Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })]),
);
