/**
 * The endpoint table: operations with scopes and schemas. The sandbox's routes, the
 * client's requests and the contract tests all derive from it.
 */
import { Type, type TSchema } from 'typebox';
import { ActionJob, JobAcceptance } from './action-jobs.ts';
import type { AssumptionId } from './assumptions.ts';
import { DownloadCreate, DownloadPath, DownloadRequest } from './downloads.ts';
import { ExecuteRequest, ExecuteResponse } from './execute.ts';
import { ListOf, ListParameters } from './lists.ts';
import { ModelTable } from './model-tables.ts';
import { SemanticModels } from './models.ts';
import { EntityAssignedAccessToObjectList, PersonIsEmployeeList } from './records/access.ts';
import { AccountList } from './records/accounts.ts';
import { Activity, ActivityList, ActivityListParameters } from './records/activities.ts';
import {
  AuthenticatorEnrollment,
  AuthenticatorEnrollmentList,
  AuthenticatorList,
  EnrollmentLinkList,
} from './records/authenticators.ts';
import { AccountRole, AccountRoleList, Role, RoleList } from './records/roles.ts';
import {
  SavedQuery,
  SavedQueryCreate,
  SavedQueryList,
  SavedQueryPath,
  SavedQueryUpdate,
} from './saved-queries.ts';
import { ServerDescription } from './server-description.ts';
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
  /** False for an operation that needs only the read scope but creates duplicates if repeated. */
  readonly repeatable?: false;
  /** Error statuses in addition to the common ones. */
  readonly statuses?: readonly number[];
  /** True if errors have only a code and a message (specification, "Errors": the download lookup). */
  readonly hasBareErrors?: true;
  /** Status and shape of a success response; no schema means no body. */
  readonly success: { readonly status: number; readonly body?: TSchema };
  /** `specification` if it is described there; otherwise, the assumption behind it. */
  readonly source: 'specification' | AssumptionId;
}

function idPath<Name extends string>(name: Name, description: string) {
  return Type.Object({ [name]: Type.String({ minLength: 1, description }) } as Record<
    Name,
    ReturnType<typeof Type.String>
  >); // the only member, set above
}

/** Defines a list with the common parameters and envelope. */
function list<Body extends TSchema>(
  path: string,
  body: Body,
  summary: string,
  source: Endpoint['source'] = 'specification',
) {
  const success = { status: 200, body };
  return { method: 'GET', path, scope: 'read', summary, query: ListParameters, success, source } as const;
}

/** Defines the lookup of a single record by its global ID. */
function get<Body extends TSchema>(path: string, body: Body, summary: string) {
  const pathParameters = idPath('id', 'Global ID of the record.');
  const success = { status: 200, body };
  return {
    method: 'GET',
    path,
    scope: 'read',
    summary,
    pathParameters,
    success,
    source: 'specification',
  } as const;
}

/** Defines a change that is applied later; it takes no body and returns a job. */
function change<Method extends Endpoint['method'], Path extends TSchema>(
  method: Method,
  path: string,
  pathParameters: Path,
  summary: string,
  source: Endpoint['source'] = 'specification',
) {
  const success = { status: 202, body: JobAcceptance };
  return { method, path, scope: 'write', summary, pathParameters, success, source } as const;
}

const MemberPath = Type.Object({
  groupId: Type.String({ minLength: 1, description: 'Global ID of the group.' }),
  accountId: Type.String({ minLength: 1, description: 'Global ID of the account.' }),
});

export const endpoints = {
  listAccounts: list('/v1/accounts', AccountList, 'Accounts of all application instances, or of one.'),
  disableAccount: change(
    'POST',
    '/v1/accounts/{id}/disable',
    idPath('id', 'Global ID of the account.'),
    'Disables an account in its application; its assignments stay.',
  ),
  listRoles: list('/v1/roles', RoleList, 'Roles, which group permissions.'),
  getRole: get('/v1/roles/{id}', Role, 'One role.'),
  listAccountRoles: list(
    '/v1/account-roles',
    AccountRoleList,
    'Account roles, which accounts refer to by name.',
    'other-lists',
  ),
  getAccountRole: get('/v1/account-roles/{id}', AccountRole, 'One account role.'),
  listAuthenticators: list('/v1/authenticators', AuthenticatorList, 'Authenticators.'),
  listAuthenticatorEnrollments: list(
    '/v1/authenticator-enrollments',
    AuthenticatorEnrollmentList,
    'Enrollments of accounts in authenticators.',
    'other-lists',
  ),
  getAuthenticatorEnrollment: get(
    '/v1/authenticator-enrollments/{id}',
    AuthenticatorEnrollment,
    'One enrollment.',
  ),
  listActivities: {
    method: 'GET',
    path: '/v1/activities',
    scope: 'read',
    summary: 'Activities in a time window, by default the most recent 30 days.',
    query: ActivityListParameters,
    success: { status: 200, body: ActivityList },
    source: 'specification',
  },
  getActivity: get('/v1/activities/{id}', Activity, 'One activity.'),
  listEntityAssignedAccessToObject: list(
    '/v1/entity-assigned-access-to-object',
    EntityAssignedAccessToObjectList,
    'Access of accounts and groups to objects.',
  ),
  listPersonIsEmployee: list(
    '/v1/person-is-employee',
    PersonIsEmployeeList,
    'Links between persons and employees.',
  ),
  listEnrollmentViaAuthenticator: list(
    '/v1/enrollment-via-authenticator',
    EnrollmentLinkList,
    'Links between enrollments and authenticators; each item is a string.',
  ),
  removeAssignedAccount: change(
    'DELETE',
    '/v1/assigned-applications/{id}/assigned-accounts/{accountId}',
    Type.Object({
      id: Type.String({ minLength: 1, description: 'Global ID of the assigned application.' }),
      accountId: Type.String({ minLength: 1, description: 'Global ID of the account.' }),
    }),
    "Removes an account's own entitlement to an application; access through groups stays.",
  ),
  removeAssignedGroup: change(
    'DELETE',
    '/v1/assigned-applications/{id}/assigned-groups/{groupId}',
    Type.Object({
      id: Type.String({ minLength: 1, description: 'Global ID of the assigned application.' }),
      groupId: Type.String({ minLength: 1, description: 'Global ID of the group.' }),
    }),
    "Removes a group's entitlement to an application, and the access of its members through it.",
  ),
  addGroupMember: change(
    'PUT',
    '/v1/groups/{groupId}/members/{accountId}',
    MemberPath,
    'Adds an account to a group.',
    'membership',
  ),
  removeGroupMember: change(
    'DELETE',
    '/v1/groups/{groupId}/members/{accountId}',
    MemberPath,
    'Removes an account from a group.',
    'membership',
  ),
  getActionJob: {
    method: 'GET',
    path: '/v1/action-jobs/{jobId}',
    scope: 'read',
    summary: 'One job: its state, and the outcome for every target.',
    pathParameters: idPath('jobId', 'ID of the job.'),
    success: { status: 200, body: ActionJob },
    source: 'action-job',
  },
  createDownload: {
    method: 'POST',
    path: '/v1/downloads',
    scope: 'read',
    summary: 'Requests an export of a data set.',
    repeatable: false,
    body: DownloadCreate,
    success: { status: 202, body: DownloadRequest },
    source: 'create-download',
  },
  getDownload: {
    method: 'GET',
    path: '/v1/downloads/{id}',
    scope: 'read',
    summary: 'One export; once completed, with a link to its file.',
    pathParameters: DownloadPath,
    hasBareErrors: true,
    success: { status: 200, body: DownloadRequest },
    source: 'specification',
  },
  listModels: {
    method: 'GET',
    path: '/v1/schema/models',
    scope: 'read',
    summary: 'The semantic models available to the caller.',
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
    statuses: [409],
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
    summary: 'Replaces a saved query unless it changed since `expected_version`.',
    pathParameters: SavedQueryPath,
    body: SavedQueryUpdate,
    statuses: [409],
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
    summary: 'Runs one SELECT and returns a page of its rows.',
    body: ExecuteRequest,
    success: { status: 200, body: ExecuteResponse },
    source: 'execute',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpoints;

/** Operations that a service may have in addition. Its list of models says whether it has those of the schema. */
export const additionalEndpoints = {
  describeServer: {
    method: 'GET',
    path: '/v1/schema/server',
    scope: 'read',
    summary: 'What the database behind the service is, and what the caller should know of it.',
    success: { status: 200, body: ServerDescription },
    source: 'model-columns',
  },
  listModelTables: {
    method: 'GET',
    path: '/v1/schema/models/{name}/tables',
    scope: 'read',
    summary: 'The tables of a model that the caller may read, by name, with columns, keys and references.',
    pathParameters: idPath('name', 'Name of the model.'),
    query: ListParameters,
    success: { status: 200, body: ListOf(ModelTable) },
    source: 'model-columns',
  },
  listSavedQueryVersions: {
    method: 'GET',
    path: '/v1/query/saved-queries/{query_id}/versions',
    scope: 'read',
    summary:
      'Every version of a saved query, newest first, with author and time. A deleted query keeps them for a while.',
    pathParameters: SavedQueryPath,
    query: ListParameters,
    success: { status: 200, body: SavedQueryList },
    source: 'saved-query-list',
  },
} as const satisfies Record<string, Endpoint>;
