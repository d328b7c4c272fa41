/**
 * Parses one entry of `identityQueries.connections` into a profile or a problem. Uses no editor API and returns no
 * messages.
 */
import type { SentValues } from '#api/client/query-calls.ts';
import type { ClientAuthentication } from '#api/client/requests/token.ts';
import { parseWrittenPaging, type WrittenPaging } from '#api/client/written-paging.ts';
import { agentLevels, type AgentLevel } from './agent-level.ts';
import {
  addressProblem,
  clientAuthentications,
  connectionColours,
  connectionScopes,
  executeValues,
  isEnvironmentName,
  type AddressProblem,
  type ConnectionColour,
  type ConnectionProfile,
  type ConnectionScopes,
  type SecretSource,
} from './connection-profile.ts';

/** An entry of the setting, as described in package.json. */
export interface ConnectionSetting {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly environment?: string;
  readonly clientId: string;
  readonly scopes?: ConnectionScopes;
  readonly label?: string;
  readonly colour?: ConnectionColour;
  readonly protected?: boolean;
  readonly allowChanges?: boolean;
  readonly allowPlainHttp?: boolean;
  readonly secretVariable?: string;
  readonly secretCommand?: readonly string[];
  readonly ai?: AgentLevel;
  readonly sensitiveColumns?: readonly string[];
  readonly clientAuthentication?: ClientAuthentication;
  readonly execute?: { readonly paging?: WrittenPaging; readonly values?: SentValues };
}

export type ConnectionProblem =
  | { readonly kind: 'secret'; readonly field: string }
  | { readonly kind: 'missing'; readonly field: string }
  /** A field that no connection has, such as a misspelled `protected`, which would have no effect. */
  | { readonly kind: 'unknown'; readonly field: string }
  | { readonly kind: 'type'; readonly field: string; readonly expected: ExpectedValue }
  /** The entry is a text, a list or another value that has no fields. */
  | { readonly kind: 'no-fields' }
  | {
      readonly kind: 'address';
      readonly field: string;
      readonly address: string;
      readonly problem: AddressProblem;
    }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'secret-source' }
  | { readonly kind: 'duplicate'; readonly name: string }
  /** A folder's connection has the name of one of the user's own connections. */
  | { readonly kind: 'taken'; readonly name: string };

export type ExpectedValue =
  | { readonly kind: 'flag' | 'text' | 'texts' | 'variable' | 'command' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'such-as'; readonly example: string };

export type ParsedConnection =
  | { readonly kind: 'profile'; readonly profile: ConnectionProfile }
  | { readonly kind: 'problem'; readonly problem: ConnectionProblem };

type Fields = Readonly<Record<string, unknown>>;

/** @param names the names of earlier entries. */
export function parseConnection(entry: unknown, names: ReadonlySet<string>): ParsedConnection {
  const problem = (value: ConnectionProblem): ParsedConnection => ({ kind: 'problem', problem: value });
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return problem({ kind: 'no-fields' });
  const fields = entry as Fields; // any object has string keys
  const [secretField] = secretFieldsOf(entry);
  if (secretField !== undefined) return problem({ kind: 'secret', field: secretField });
  // Notes of a team or another program begin with x-.
  const unknown = Object.keys(entry).find(
    (field) => !connectionFields.includes(field) && !field.startsWith('x-'),
  );
  if (unknown !== undefined) return problem({ kind: 'unknown', field: unknown });
  for (const field of requiredFields) {
    const value = fields[field];
    if (typeof value !== 'string' || value.trim() === '') return problem({ kind: 'missing', field });
  }
  const wrong = wronglyTyped(fields);
  if (wrong !== undefined) return problem({ kind: 'type', ...wrong });
  const setting = trimmed(entry as ConnectionSetting); // its fields were just checked
  if (setting.environment !== undefined && setting.environment !== '') {
    const { environment } = setting;
    if (!isEnvironmentName(environment)) return problem({ kind: 'environment', environment });
  }
  const refused = refusedAddress(setting);
  if (refused !== undefined) return problem(refused);
  if (setting.secretVariable !== undefined && setting.secretCommand !== undefined)
    return problem({ kind: 'secret-source' });
  if (names.has(setting.name)) return problem({ kind: 'duplicate', name: setting.name });
  return { kind: 'profile', profile: profileOf(setting) };
}

/** Blanks around these values are never meant: they come from copying. */
function trimmed(setting: ConnectionSetting): ConnectionSetting {
  const { environment, secretVariable } = setting;
  return {
    ...setting,
    name: setting.name.trim(),
    baseUrl: setting.baseUrl.trim(),
    authUrl: setting.authUrl.trim(),
    clientId: setting.clientId.trim(),
    ...(environment === undefined ? {} : { environment: environment.trim() }),
    ...(secretVariable === undefined ? {} : { secretVariable: secretVariable.trim() }),
  };
}

/** Returns the first address that the connection may not use, if any. */
export function refusedAddress(connection: {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly allowPlainHttp?: boolean | undefined;
}):
  | (Extract<ConnectionProblem, { kind: 'address' }> & { readonly field: 'baseUrl' | 'authUrl' })
  | undefined {
  for (const field of ['baseUrl', 'authUrl'] as const) {
    const address = connection[field];
    const problem = addressProblem(address, field);
    if (problem === undefined || (problem === 'plain-http' && connection.allowPlainHttp === true)) continue;
    return { kind: 'address', field, address, problem };
  }
  return undefined;
}

export function profileOf(setting: ConnectionSetting): ConnectionProfile {
  return {
    name: setting.name,
    baseUrl: setting.baseUrl,
    authUrl: setting.authUrl,
    environment: setting.environment === '' ? undefined : setting.environment,
    clientId: setting.clientId,
    scopes: setting.scopes,
    label: setting.label === '' ? undefined : setting.label,
    colour: setting.colour,
    protected: setting.protected ?? false,
    allowChanges: setting.allowChanges ?? false,
    allowPlainHttp: setting.allowPlainHttp ?? false,
    secretSource: secretSourceOf(setting),
    ai: setting.ai,
    sensitiveColumns: setting.sensitiveColumns,
    clientAuthentication: setting.clientAuthentication,
    executePaging: parseWrittenPaging(setting.execute?.paging),
    executeValues: setting.execute?.values,
    source: 'settings',
  };
}

/** Returns an entry's fields that contain a plaintext secret. */
export function secretFieldsOf(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.keys(entry).filter(
    (key) => /secret|password|token/i.test(key) && key !== 'secretVariable' && key !== 'secretCommand',
  );
}

function secretSourceOf({ secretVariable, secretCommand }: ConnectionSetting): SecretSource | undefined {
  if (secretVariable !== undefined) return { kind: 'variable', name: secretVariable };
  const [program, ...rest] = secretCommand ?? [];
  return program === undefined ? undefined : { kind: 'command', command: [program, ...rest] };
}

const requiredFields = ['name', 'baseUrl', 'authUrl', 'clientId'] as const;

type IsRight = (value: unknown) => boolean;
type Field = readonly [IsRight, ExpectedValue];

const isText: IsRight = (value) => typeof value === 'string';
const isTexts: IsRight = (value) => Array.isArray(value) && value.every(isText);
const text: Field = [isText, { kind: 'text' }];
const flag: Field = [(value) => typeof value === 'boolean', { kind: 'flag' }];
function oneOf(values: readonly string[]): Field {
  return [(value) => values.some((one) => one === value), { kind: 'one-of', values }];
}

export const pagingExample = '{ "size": "page_size", "token": "page_token", "next": "page.next" }';

const optionalFields: Readonly<
  Record<Exclude<keyof ConnectionSetting, (typeof requiredFields)[number]>, Field>
> = {
  environment: text,
  scopes: oneOf(connectionScopes),
  label: text,
  colour: oneOf(connectionColours),
  protected: flag,
  allowChanges: flag,
  allowPlainHttp: flag,
  secretVariable: [(value) => isText(value) && value !== '', { kind: 'variable' }],
  secretCommand: [(value) => isTexts(value) && Array.isArray(value) && value.length > 0, { kind: 'command' }],
  ai: oneOf(agentLevels),
  clientAuthentication: oneOf(clientAuthentications),
  sensitiveColumns: [isTexts, { kind: 'texts' }],
  execute: [
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { kind: 'such-as', example: `{ "paging": ${pagingExample} }` },
  ],
};

/** A paging that is misread would call a part of a result the whole. */
const executeFields: Readonly<Record<keyof NonNullable<ConnectionSetting['execute']>, Field>> = {
  paging: [(value) => parseWrittenPaging(value) !== undefined, { kind: 'such-as', example: pagingExample }],
  values: oneOf(executeValues),
};

export const connectionFields: readonly string[] = [...requiredFields, ...Object.keys(optionalFields)];

/** Returns the first optional field whose value has the wrong type, if any. */
function wronglyTyped(
  fields: Fields,
): { readonly field: string; readonly expected: ExpectedValue } | undefined {
  const wrong = firstWrong(fields, optionalFields);
  const { execute } = fields;
  if (wrong !== undefined || execute === undefined) return wrong;
  const inner = execute as Fields; // its kind was just checked
  const within = firstWrong(inner, executeFields);
  const isUnknown = Object.keys(inner).some((field) => !Object.hasOwn(executeFields, field));
  if (within !== undefined) return { ...within, field: `execute.${within.field}` };
  return isUnknown ? { field: 'execute', expected: optionalFields.execute[1] } : undefined;
}

function firstWrong(fields: Fields, rules: Readonly<Record<string, Field>>) {
  for (const [field, [isRight, expected]] of Object.entries(rules))
    if (fields[field] !== undefined && !isRight(fields[field])) return { field, expected };
  return undefined;
}
