/**
 * Sends thousands of valid and invalid requests to a running service. No response may be a 500 or missing, and each
 * must match its schema. `npm run fuzz`; FUZZ_SEED repeats a run.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { ErrorEnvelope } from '#api/contract/errors.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireAnswer, type WireRequest } from '../helpers/service-http.ts';

const requestCount = 6_000;
const atOnce = 8;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

/** The relevant parts of a schema. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

/** Dates within the period of the activity history. */
const daysAgo = fc.integer({ min: 0, max: 70 }).map((days) => new Date(Date.now() - days * 86_400_000));

/** Generates values that match the schema. */
function fitting(shape: Shape): Arbitrary<unknown> {
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(fitting));
  switch (shape.type) {
    case 'string':
      if (shape.format === 'uuid') return fc.uuid();
      if (shape.format === 'date-time') {
        return fc.oneof(daysAgo, fc.date({ noInvalidDate: true })).map((date) => date.toISOString());
      }
      return fc.string({
        minLength: shape.minLength ?? 0,
        maxLength: Math.min(shape.maxLength ?? 50, 200),
        unit: 'binary',
      });
    case 'integer':
      return fc.integer({ min: shape.minimum ?? -1_000, max: shape.maximum ?? 1_000 });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting(shape.items ?? {}), { maxLength: 5 });
    case 'object': {
      if (shape.patternProperties !== undefined) {
        const value = Object.values(shape.patternProperties)[0] ?? {};
        return fc.dictionary(fc.constantFrom('a', 'b', 'since', 'constructor'), fitting(value));
      }
      const members = Object.entries(shape.properties ?? {}).map(
        ([name, member]) => [name, fitting(member)] as const,
      );
      return fc.record(Object.fromEntries(members), { requiredKeys: [...(shape.required ?? [])] });
    }
    default:
      return fc.jsonValue();
  }
}

const queryTexts = fc.oneof(
  fc.constantFrom(
    'SELECT 1',
    'SELECT :a',
    'SELECT * FROM accounts WHERE alias IN (:b)',
    'DELETE FROM roles',
    'SELECT 1; SELECT 2',
    '',
    ';',
    'SELECT g FROM generate_series(1, 3000) g',
  ),
  fc
    .array(
      fc.constantFrom(
        'SELECT',
        ' ',
        'FROM',
        'accounts',
        '(',
        ')',
        ',',
        "'",
        '"',
        ':a',
        '::int',
        '$$',
        '--',
        '/*',
        '*/',
        ';',
        '\n',
        '1',
        'WITH',
        'x AS',
        'DELETE',
        '🙂',
        '\\',
        "E'",
        '[',
        ']',
        '\u0000',
      ),
      { maxLength: 30 },
    )
    .map((words) => words.join(' ')),
);

/** Generates values that match in most cases, and otherwise any JSON. */
function nearly(schema: TSchema): Arbitrary<unknown> {
  const fits = fitting(schema); // TypeBox schemas are JSON Schema
  return fc.oneof({ arbitrary: fits, weight: 3 }, { arbitrary: fc.jsonValue(), weight: 1 });
}

/** Placeholder for a value that the service returned earlier, filled in when the request is sent. */
const known = '\u0000known';

function objectOf(schema: TSchema | undefined): Arbitrary<Record<string, string>> {
  if (schema === undefined) return fc.constant({});
  const { properties = {} } = schema as Shape; // parameter schemas are objects
  const text = (shape: Shape): Arbitrary<string> =>
    fc
      .oneof(
        { arbitrary: fitting(shape), weight: 5 },
        {
          arbitrary: fc.constant(known),
          weight: shape.type === 'string' && shape.format !== 'date-time' ? 5 : 0,
        },
        { arbitrary: fc.string({ maxLength: 30, unit: 'binary' }), weight: 1 },
      )
      .map(String);
  const members = Object.entries(properties).map(([name, shape]) => [name, text(shape)] as const);
  return fc
    .record(Object.fromEntries(members), { requiredKeys: [] })
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    );
}

/** Random models and tokens do not exist and random versions are stale, so most of them are omitted or replaced. */
function likely(value: Record<string, unknown>): Record<string, unknown> {
  const { model, pageToken, expected_version: version, ...rest } = value;
  return {
    ...rest,
    ...(typeof model === 'string' && model.length % 4 === 0 ? { model } : {}),
    ...(typeof pageToken === 'string' && pageToken.length % 4 === 0 ? { pageToken } : {}),
    ...(typeof version === 'number' && version % 2 === 0
      ? { expected_version: 1 }
      : { expected_version: version }),
  };
}

function requestsOf(endpoint: Endpoint): Arbitrary<WireRequest> {
  const body =
    endpoint.body === undefined
      ? fc.constant(undefined)
      : fc
          .tuple(nearly(endpoint.body), queryTexts)
          .map(([value, text]) =>
            typeof value === 'object' && value !== null && 'query_string' in value
              ? likely({ ...value, query_string: text })
              : value,
          );
  return fc
    .record({ path: objectOf(endpoint.pathParameters), query: objectOf(endpoint.query), body })
    .map(({ body: value, ...rest }) => (value === undefined ? rest : { ...rest, body: value }));
}

const checkError = Compile(ErrorEnvelope);
const checks = new Map(
  Object.values<Endpoint>(endpoints).flatMap((endpoint) =>
    endpoint.success.body === undefined ? [] : [[endpoint, Compile(endpoint.success.body)] as const],
  ),
);

/** Returns why a response is not acceptable, or undefined if it is. */
function faultOf(endpoint: Endpoint, answer: WireAnswer): string | undefined {
  if (answer.status >= 500) return `answered ${answer.status}`;
  if (answer.status < 300) {
    if (answer.status !== endpoint.success.status) return `answered ${answer.status}`;
    return checks.get(endpoint)?.Check(answer.body) === false ? 'does not fit its schema' : undefined;
  }
  return checkError.Check(answer.body) ? undefined : `error ${answer.status} is no envelope`;
}

const table = Object.values<Endpoint>(endpoints);
const plan = fc.sample(
  fc
    .constantFrom(...table)
    .chain((endpoint) => requestsOf(endpoint).map((request) => ({ endpoint, request }))),
  { numRuns: requestCount, seed },
);
const sandbox = await startSandbox({ accounts: 100, queryTimeoutSeconds: 5, args: ['--job-step', '1'] });
const http = new ServiceHttp(sandbox);
await http.token('read', 'write');

/** Values returned by the service, such as existing IDs and page tokens, by kind. */
const handedOut = new Map<string, string[]>();

function keep(kind: string, value: unknown): void {
  if (typeof value !== 'string') return;
  const kept = handedOut.get(kind) ?? [];
  kept.push(value);
  handedOut.set(kind, kept.slice(-50));
}

/**
 * Returns the kind under which a parameter's values are stored. An `id` belongs to the resource at the start of the
 * path.
 */
function kindOf(endpoint: Endpoint, parameter: string): string {
  if (endpoint === endpoints.removeAssignedAccount) return `${parameter} of an Account with an application`;
  if (endpoint === endpoints.removeAssignedGroup) return `${parameter} of a UserGroup with an application`;
  if (parameter === 'id') return endpoint.path.split('/')[2] ?? '';
  return parameter === 'pageToken' ? `token of ${endpoint.path}` : parameter;
}

function keepAllOf(endpoint: Endpoint, body: WireAnswer['body']): void {
  keep(`token of ${endpoint.path}`, body?.nextPageToken);
  keep('query_id', body?.query_id);
  keep('jobId', body?.jobId);
  if (endpoint === endpoints.createDownload) keep('downloads', body?.id);
  for (const item of Array.isArray(body?.items) ? (body.items as unknown[]) : []) {
    // checked below
    if (typeof item !== 'object' || item === null) continue;
    const member = (name: string): unknown => Reflect.get(item, name);
    keep(endpoint.path.split('/')[2] ?? '', member('globalId'));
    keep('query_id', member('query_id'));
    keep('applicationInstanceId', Reflect.get(Object(member('objectMetadata')), 'ApplicationInstanceId'));
    if (endpoint === endpoints.listAccounts) keep('accountId', member('globalId'));
    if (member('entityType') === 'UserGroup') keep('groupId', member('globalEntityId'));
    if (member('assignedObjectType') === 'AssignedApplication') {
      const [application, holder] = [member('globalAssignedObjectId'), member('globalEntityId')];
      const isAccount = member('entityType') === 'Account';
      const those = isAccount ? 'an Account with an application' : 'a UserGroup with an application';
      keep(`id of ${those}`, application);
      keep(`${isAccount ? 'accountId' : 'groupId'} of ${those}`, holder);
    }
  }
}

/** Returns the request with its placeholders replaced by values that the service returned. */
function withKnown(endpoint: Endpoint, request: WireRequest, turn: number): WireRequest {
  const filled = (values: WireRequest['query'] = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const kept = handedOut.get(kindOf(endpoint, name)) ?? [];
        return [name, value === known ? (kept[turn % Math.max(kept.length, 1)] ?? 'x') : String(value)];
      }),
    );
  return { ...request, path: filled(request.path), query: filled(request.query) };
}

for (const endpoint of table.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
  const { body } = await http.call(
    endpoint,
    endpoint.query === undefined ? {} : { query: { pageSize: 200 } },
  );
  keepAllOf(endpoint, body);
}

const statuses = new Map<number, number>();
const succeeded = new Set<Endpoint>();
const faults: string[] = [];
let next = 0;
async function worker(): Promise<void> {
  for (let item = plan[next++]; item !== undefined; item = plan[next++]) {
    const { endpoint } = item;
    const request = withKnown(endpoint, item.request, next);
    // An empty path parameter or a dot would result in a different path.
    const path = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
        const value = request.path?.[name] ?? 'x';
        return [name, /^\.{0,2}$/.test(value) ? 'x' : value.toWellFormed()];
      }),
    );
    try {
      const answer = await http.call(endpoint, { ...request, path });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) succeeded.add(endpoint);
      keepAllOf(endpoint, answer.body);
      const fault = faultOf(endpoint, answer);
      if (fault !== undefined) {
        faults.push(
          `${endpoint.method} ${endpoint.path} ${fault}: ${JSON.stringify({ ...request, path }).slice(0, 500)} ${answer.text.slice(0, 300)}`,
        );
      }
    } catch (error) {
      faults.push(
        `${endpoint.method} ${endpoint.path} had no answer: ${String(error)} ${JSON.stringify({ ...request, path }).slice(0, 500)}`,
      );
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, worker));
// An endpoint that rejected every request was not tested.
for (const endpoint of table) {
  if (!succeeded.has(endpoint)) faults.push(`${endpoint.method} ${endpoint.path} never succeeded`);
}
const isAlive = sandbox.process.exitCode === null;
await sandbox.stop();

process.stdout.write(
  `${JSON.stringify({ fuzz: 'service', seed, requests: requestCount, statuses: Object.fromEntries(statuses), faults: faults.length })}\n`,
);
for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 && isAlive ? 0 : 1;
