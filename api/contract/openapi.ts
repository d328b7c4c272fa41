/** Generates the contract as an OpenAPI 3.1 document from the endpoint table and the schemas. */
import type { TSchema } from 'typebox';
import { ActionJob, JobAcceptance } from './action-jobs.ts';
import { assumptions } from './assumptions.ts';
import { DownloadRequest } from './downloads.ts';
import { endpoints, type Endpoint } from './endpoints.ts';
import { BareError, ErrorEnvelope } from './errors.ts';
import { ExecuteRequest, ExecuteResponse } from './execute.ts';
import { SemanticModel } from './models.ts';
import { EntityAssignedAccessToObject, PersonIsEmployee } from './records/access.ts';
import { Account } from './records/accounts.ts';
import { Activity } from './records/activities.ts';
import { Authenticator, AuthenticatorEnrollment } from './records/authenticators.ts';
import { AccountRole, Role } from './records/roles.ts';
import {
  AuthorizedLocationPolicy,
  Conditions,
  EntitlementSpecification,
  Location,
  MetadataItem,
  MethodSelectionPolicy,
  ObjectMetadata,
  PermissionSet,
  PlatformObjectMetadata,
} from './records/shared.ts';
import { SavedQuery } from './saved-queries.ts';
import { scopeOf } from './token.ts';

/** Schemas with their own names; all others are inlined. */
const named: Readonly<Record<string, TSchema>> = {
  Account,
  AccountRole,
  ActionJob,
  Activity,
  Authenticator,
  AuthenticatorEnrollment,
  AuthorizedLocationPolicy,
  Conditions,
  DownloadRequest,
  EntitlementSpecification,
  EntityAssignedAccessToObject,
  ErrorEnvelope,
  ExecuteRequest,
  ExecuteResponse,
  JobAcceptance,
  Location,
  MetadataItem,
  MethodSelectionPolicy,
  ObjectMetadata,
  PermissionSet,
  PersonIsEmployee,
  PlatformObjectMetadata,
  Role,
  SavedQuery,
  SemanticModel,
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface OpenApiAddresses {
  /** The service's address, without a trailing slash. */
  readonly baseUrl: string;
  readonly authUrl: string;
}

export function openApiDocument({ baseUrl, authUrl }: OpenApiAddresses): Readonly<Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, endpoint] of Object.entries<Endpoint>(endpoints))
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(id, endpoint, baseUrl);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity and Access Data Service',
      version: '1.0.0',
      description:
        'Identity and access records of connected applications, saved SQL queries, changes and exports.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(named).map(([name, schema]) => [name, schemaJson(schema, name)]),
      ),
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: authUrl,
              scopes: {
                [scopeOf(baseUrl, 'read')]: 'All operations that read data.',
                [scopeOf(baseUrl, 'write')]: 'All operations that change data.',
              },
            },
          },
        },
      },
    },
  };
}

function operationOf(id: string, endpoint: Endpoint, baseUrl: string): Json {
  const { success, body } = endpoint;
  const parameters = [
    ...parametersOf(endpoint.pathParameters, 'path'),
    ...parametersOf(endpoint.query, 'query'),
  ];
  const statuses = [
    ...[400, 401, 403, 429, 500],
    ...(endpoint.pathParameters === undefined ? [] : [404]),
    ...(body === undefined ? [] : [413, 415]),
    ...(endpoint.statuses ?? []),
  ].sort((a, b) => a - b);
  return {
    operationId: id,
    summary: endpoint.summary,
    ...(endpoint.source === 'specification'
      ? {}
      : { description: `Assumed: ${assumptions[endpoint.source].gap}`, 'x-assumption': endpoint.source }),
    security: [{ clientCredentials: [scopeOf(baseUrl, endpoint.scope)] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [String(success.status)]: {
        description: 'Success.',
        ...(success.body === undefined ? {} : { content: jsonContent(success.body) }),
      },
      ...Object.fromEntries(
        statuses.map((status) => [
          String(status),
          {
            description: reasons[status] ?? 'Error.',
            ...(status === 429 ? { headers: retryAfter } : {}),
            content: jsonContent(endpoint.hasBareErrors === true ? BareError : ErrorEnvelope),
          },
        ]),
      ),
      default: {
        description: 'Error.',
        content: jsonContent(endpoint.hasBareErrors === true ? BareError : ErrorEnvelope),
      },
    },
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing or invalid.',
  403: 'The token lacks the scope.',
  404: 'There is no such resource.',
  409: 'The name is in use, or the saved query has a newer version.',
  413: 'The body exceeds the size limit.',
  415: 'The body is not declared as JSON.',
  429: 'Too many requests; see Retry-After.',
  500: 'An unexpected error.',
};

const retryAfter: Json = {
  'Retry-After': {
    description: 'Time of the next permitted request: seconds, or an HTTP date (assumption `retry-after`).',
    schema: { type: 'string' },
  },
};

function jsonContent(schema: TSchema): Json {
  return { 'application/json': { schema: schemaJson(schema) } };
}

function parametersOf(schema: TSchema | undefined, where: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties } = schema as { properties?: Record<string, TSchema> }; // parameters are objects
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: schemaJson(property),
  }));
}

/** Returns the schema as plain JSON, with references to named schemas (`self` is inlined). */
function schemaJson(schema: TSchema, self?: string): Json {
  const walk = (value: unknown, isTop: boolean): Json => {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : null;
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, false));
    const name = nameOf(value);
    if (name !== undefined && !(isTop && name === self)) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, false)]));
  };
  return walk(schema, true);
}

function nameOf(value: object): string | undefined {
  return Object.entries(named).find(([, schema]) => schema === value)?.[0];
}
