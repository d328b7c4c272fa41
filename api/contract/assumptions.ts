/**
 * Every gap in the specification that this project had to fill. The sandbox implements the decision; the client
 * also handles services that chose differently. docs/assumptions.md shows this table.
 */
export interface Assumption {
  /** The gap in the specification. */
  readonly gap: string;
  /** The decision. */
  readonly decision: string;
  /** The client's behaviour if the real service differs. */
  readonly otherwise: string;
}

export const assumptions = {
  'saved-query-list': {
    gap: 'No list operation of saved queries is described.',
    decision: 'GET /v1/query/saved-queries with the shared list parameters and envelope.',
    otherwise:
      '404, 405 or 501: the tree falls back to the queries this user created, opened or pinned, each read by id, and says so. A list without the texts: they are read by id where something looks into them. A query that cannot be read is left out, and the view says how many are.',
  },
  update: {
    gap: 'The update operation of a saved query is not described.',
    decision:
      'PUT /v1/query/saved-queries/{query_id} with name, query_string, model, description and expected_version answers 200 with the new record; a stale version answers 409 VERSION_CONFLICT with details.current_version.',
    otherwise:
      '405 with Allow: PATCH: PATCH is used. Any 409 but NAME_CONFLICT, and 400, 412 and 428: the record is read again and the versions compared. 200 with another text than was sent: the same. 404, 405 or 501 on both: the client says that this service cannot update and offers to save as new.',
  },
  delete: {
    gap: 'The delete operation of a saved query is not described.',
    decision: 'DELETE /v1/query/saved-queries/{query_id} answers 204; 404 SAVED_QUERY_NOT_FOUND.',
    otherwise: 'The command says that this service cannot delete.',
  },
  execute: {
    gap: 'The request and response of POST /v1/query/execute are not described.',
    decision:
      '{ query_string, model, parameters, pageSize, pageToken } answers { columns, rows, nextPageToken, rowCount }; the read scope suffices. Pages of one result come from one run.',
    otherwise:
      'The decoder also takes items or data, rows as objects, and missing column types. Columns are matched by name on every page and may grow; a page token may be any JSON and goes back as it came.',
  },
  'parse-error': {
    gap: 'The HTTP status of QUERY_PARSE_ERROR and the base of line and column are not described.',
    decision: '400; line and column are 1-based, columns count characters (Unicode code points).',
    otherwise:
      'Decided by code, whatever the status; so are SAVED_QUERY_NOT_FOUND, NAME_CONFLICT, VERSION_CONFLICT and TOO_MANY_REQUESTS.',
  },
  'query-failed': {
    gap: 'What a query that parses and then fails (division by zero, time limit) answers is not described.',
    decision:
      '400 QUERY_FAILED with details.sqlState and, where PostgreSQL gives a position, line and column; 400 QUERY_TIMEOUT with details.limitMs.',
    otherwise: 'Any error envelope is shown with its code and message.',
  },
  'unknown-model': {
    gap: 'The error of a model that does not exist is not described.',
    decision: '400 BAD_REQUEST with details.model and details.available.',
    otherwise: 'Decided by code and status.',
  },
  'http-errors': {
    gap: 'Errors of HTTP itself (unknown path, method, media type, a body too large, a service that is starting) are not described.',
    decision:
      '404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with Allow, 415 UNSUPPORTED_MEDIA_TYPE, 413 PAYLOAD_TOO_LARGE, 503 SERVICE_UNAVAILABLE with Retry-After, all as the error envelope.',
    otherwise: 'Decided by status where the body is no envelope.',
  },
  'create-status': {
    gap: 'The success status of a create and which of name and query_string are mandatory are not described.',
    decision: '201; both are mandatory.',
    otherwise: 'Any 2xx.',
  },
  token: {
    gap: 'The token request and the lifetime of a token are not described.',
    decision:
      'RFC 6749 client credentials: form body, HTTP Basic client authentication (a setting puts it in the body), scope "<base>/read <base>/write"; expires_in, else five minutes.',
    otherwise:
      'One new token and one retry on 401. invalid_scope: one retry with the read scope alone. A token address with {environment} has it put in there; only one without it has the word prod replaced.',
  },
  'retry-after': {
    gap: 'The header with the retry interval of a 429 is not described.',
    decision: 'Retry-After, in seconds or as an HTTP date.',
    otherwise: 'Exponential back-off with full jitter, capped.',
  },
  'account-role': {
    gap: 'Names are left blank in places: the resource behind /v1/account-roles, and a required field of the account.',
    decision: 'The resource is the account role; the field is accountRole, the name of one.',
    otherwise: 'Unknown fields are kept and shown.',
  },
  'other-lists': {
    gap: 'Lists of account roles and of authenticator enrollments are promised in general and missing from the table.',
    decision:
      'GET /v1/account-roles and GET /v1/authenticator-enrollments with the shared list parameters and envelope.',
    otherwise: '404, 405 or 501: the caller is told that this service does not list them.',
  },
  'link-text': {
    gap: 'The exact text of an enrollment link is described in words only.',
    decision:
      '(:AuthenticatorEnrollment {id: "..."})-[:EnrolledVia]->(:Authenticator {id: "..."}); in SQL also two columns with the ids.',
    otherwise: 'The text is shown as it came.',
  },
  'action-job': {
    gap: 'The success status of a change and the record of a job are not described.',
    decision:
      '202; { jobId, status: accepted, running, completed or failed, operation, targets: [{ globalId, outcome, reason, reflected }], createdAt, completedAt }; an unknown job is 404 NOT_FOUND.',
    otherwise:
      'Any 2xx; the id is enough. Other words for status, targets and outcomes are understood where they are common; a record of another shape is shown as JSON, and followed for ten minutes where it has no status, else for a day.',
  },
  membership: {
    gap: 'Membership is said to be asserted with PUT and removed with DELETE, without a path.',
    decision: 'PUT and DELETE /v1/groups/{groupId}/members/{accountId}, each answered with a job.',
    otherwise: '404 or 405: the command is hidden.',
  },
  'create-download': {
    gap: 'How an export is asked for, and the errors of its look-up, are not described.',
    decision:
      'POST /v1/downloads { context, fileFormat, urlTtlMinutes } with the read scope answers 202 with the record; look-up errors are 400 BAD_REQUEST, 404 NOT_FOUND and 500 INTERNAL_ERROR, bare; a data set without data fails with NO_DATA.',
    otherwise: 'Looking up by id works without it.',
  },
  'model-columns': {
    gap: 'The service does not describe the tables and columns of a model.',
    decision:
      'Models are PostgreSQL schemas, collections are tables in snake_case, fields are snake_case columns, structured fields jsonb; information_schema.columns answers through execute.',
    otherwise:
      'Of platform_identity the tables of the specification are shown and completed, labelled as such; of other models only the names are known. Unknown tables and columns are never reported as wrong.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptions;
