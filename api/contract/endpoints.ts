/**
 * The endpoint table: what the service answers, under which scope, with which shapes. The sandbox's routes, the
 * client's requests and the contract tests all come from here.
 */
import type { TSchema } from 'typebox';
import type { AssumptionId } from './assumptions.ts';
import { ExecuteRequest, ExecuteResponse } from './execute.ts';
import { ListParameters } from './lists.ts';
import { SemanticModels } from './models.ts';
import {
  SavedQuery,
  SavedQueryCreate,
  SavedQueryList,
  SavedQueryPath,
  SavedQueryUpdate,
} from './saved-queries.ts';
import type { ScopeName } from './token.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with {name} for parameters, as in the specification. */
  readonly path: string;
  readonly scope: ScopeName;
  readonly summary: string;
  readonly pathParameters?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Status and shape of success; no schema means no body. */
  readonly success: { readonly status: number; readonly body?: TSchema };
  /** `specification`: described there. Otherwise the assumption that decided it. */
  readonly source: 'specification' | AssumptionId;
}

export const endpoints = {
  listModels: {
    method: 'GET',
    path: '/v1/schema/models',
    scope: 'read',
    summary: 'All semantic models available to the caller.',
    success: { status: 200, body: SemanticModels },
    source: 'specification',
  },
  listSavedQueries: {
    method: 'GET',
    path: '/v1/query/saved-queries',
    scope: 'read',
    summary: 'Saved queries of the tenant, by name.',
    query: ListParameters,
    success: { status: 200, body: SavedQueryList },
    source: 'saved-query-list',
  },
  createSavedQuery: {
    method: 'POST',
    path: '/v1/query/saved-queries',
    scope: 'write',
    summary: 'Creates a saved query as version 1.',
    body: SavedQueryCreate,
    success: { status: 201, body: SavedQuery },
    source: 'specification',
  },
  getSavedQuery: {
    method: 'GET',
    path: '/v1/query/saved-queries/{query_id}',
    scope: 'read',
    summary: 'One saved query with the version to send on update.',
    pathParameters: SavedQueryPath,
    success: { status: 200, body: SavedQuery },
    source: 'specification',
  },
  updateSavedQuery: {
    method: 'PUT',
    path: '/v1/query/saved-queries/{query_id}',
    scope: 'write',
    summary: 'Replaces a saved query if nobody changed it since `expected_version`.',
    pathParameters: SavedQueryPath,
    body: SavedQueryUpdate,
    success: { status: 200, body: SavedQuery },
    source: 'update',
  },
  deleteSavedQuery: {
    method: 'DELETE',
    path: '/v1/query/saved-queries/{query_id}',
    scope: 'write',
    summary: 'Deletes a saved query.',
    pathParameters: SavedQueryPath,
    success: { status: 204 },
    source: 'delete',
  },
  executeQuery: {
    method: 'POST',
    path: '/v1/query/execute',
    scope: 'read',
    summary: 'Runs one SELECT and answers a page of its rows.',
    body: ExecuteRequest,
    success: { status: 200, body: ExecuteResponse },
    source: 'execute',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpoints;

/** The base address and token address of a deployment (specification, "Authentication"). */
export interface Deployment {
  /** May hold `{environment}`, which stands for the deployment's name. */
  readonly baseUrl: string;
  /** Production's token address; for another environment the word `prod` in it is replaced by its name. */
  readonly authUrl: string;
  /** Defaults to `prod`. */
  readonly environment?: string | undefined;
}

/** Puts the environment's name into both addresses; a trailing slash of the base address is dropped. */
export function resolveDeployment(deployment: Deployment): { baseUrl: string; authUrl: string } {
  const environment =
    deployment.environment === undefined || deployment.environment === '' ? 'prod' : deployment.environment;
  const baseUrl = deployment.baseUrl.replaceAll('{environment}', environment).replace(/\/+$/, '');
  const authUrl = deployment.authUrl
    .replaceAll('{environment}', environment)
    .replace(/\bprod\b/g, environment);
  return { baseUrl, authUrl };
}
