/**
 * Every gap in the specification that this project had to fill. The sandbox implements the decision; the client
 * also handles services that chose differently. docs/assumptions.md shows this table.
 */
export interface Assumption {
  readonly gap: string;
  readonly decision: string;
  /** The client's behavior if the real service differs. */
  readonly otherwise: string;
}

export const assumptions = {
  'saved-query-list': {
    gap: 'No operation that lists saved queries is described.',
    decision:
      'GET /v1/query/saved-queries with the shared list parameters and envelope. A service may also list every version of a query: GET /v1/query/saved-queries/{query_id}/versions, newest first, each as a saved query.',
    otherwise:
      'Further pages are also read under other common names, by links, headers or counts, and items under another name or in a member; else the list is told as a part. Without versions (404, 405 or 501), those seen on this machine are shown. Without the list, the tree falls back to the queries that this user created, opened or pinned, reads each by ID, and says so. If the list does not contain the text of the queries, it is read by ID when needed. Queries that cannot be read are left out, and the view shows how many.',
  },
  update: {
    gap: 'The operation that updates a saved query is not described.',
    decision:
      'PUT /v1/query/saved-queries/{query_id} with name, query_string, model, description and expected_version returns 200 with the new record; a stale version gets 409 VERSION_CONFLICT with details.current_version.',
    otherwise:
      '405 with Allow: PATCH: PATCH is used. Any 409 except NAME_CONFLICT, and 400, 412 and 428: the record is read again and the versions are compared, as they are after a 200 with a different text from the one sent. 404, 405 or 501 for both methods: the client says that this service cannot update queries, and offers to save as new.',
  },
  delete: {
    gap: 'The operation that deletes a saved query is not described.',
    decision: 'DELETE /v1/query/saved-queries/{query_id} returns 204, or 404 SAVED_QUERY_NOT_FOUND.',
    otherwise:
      'The command says that this service cannot delete queries. After a 202, or a 200 that says that it failed, the query is looked up: only one that is gone counts as deleted.',
  },
  execute: {
    gap: 'The request and response of POST /v1/query/execute are not described.',
    decision:
      '{ query_string, model, parameters, pageSize, pageToken } returns { columns, rows, nextPageToken, rowCount }. All pages of a result come from one run.',
    otherwise:
      'The decoder also accepts items, data or results, the whole in a member, rows as objects, and missing column types. A list with the result of one statement is that result. Rows with other names than their columns, and lists among objects, are an error, since values or rows would be missing. So is a result of a service that ignores the values of parameters, or all of a list but the first, or that finds a list only in IN or only as an array where the query has it elsewhere, which queries of nothing but values show, sent before a query that may change data; where those fail or are refused, a result with values is perhaps incomplete, unless execute.values settles how values are sent. Columns are matched by name on every page, and later pages may add some.',
  },
  'execute-paging': {
    gap: 'How results of POST /v1/query/execute are paged is not described, nor under which names.',
    decision:
      'pageSize and pageToken in the request, nextPageToken in the response, which is null on the last page.',
    otherwise:
      'It is learned from queries of two and of more rows, unless a page shows it, or when the first page comes again, and kept for a day; a connection can settle it by hand (execute.paging). A page size that the service refuses is asked for as 200, or left out. Where the page size is ignored, a result is whole only if it has fewer rows than the service was seen to send at once. Where that is not possible, a result is marked as perhaps incomplete, and no control passes on it. A page token may be any JSON and is sent back unchanged.',
  },
  'parse-error': {
    gap: 'The HTTP status of QUERY_PARSE_ERROR is not described, nor whether line and column count from 0 or 1.',
    decision: '400; line and column count from 1, columns in characters (Unicode code points).',
    otherwise:
      'How positions count is learned from a mistake whose place is known. The code decides, whatever the status, also for SAVED_QUERY_NOT_FOUND, NAME_CONFLICT, VERSION_CONFLICT and TOO_MANY_REQUESTS.',
  },
  'query-failed': {
    gap: 'The response to a query that parses but then fails (division by zero, time limit) is not described.',
    decision:
      '400 QUERY_FAILED with details.sqlState and, if PostgreSQL gives a position, line and column; 400 QUERY_TIMEOUT with details.limitMs.',
    otherwise: 'Any error envelope is shown with its code and message.',
  },
  'unknown-model': {
    gap: 'The error for a model that does not exist is not described.',
    decision: '400 BAD_REQUEST with details.model and details.available.',
    otherwise: 'The code and the status decide.',
  },
  'http-errors': {
    gap: 'General HTTP errors (unknown path, method or media type, a body that is too large, a service that is starting) are not described.',
    decision:
      '404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with Allow, 415 UNSUPPORTED_MEDIA_TYPE, 413 PAYLOAD_TOO_LARGE, 503 SERVICE_UNAVAILABLE with Retry-After, all as the error envelope.',
    otherwise: 'The status decides if the body is not an error envelope; words in plain text are shown.',
  },
  'create-status': {
    gap: 'The status of a successful create is not described, nor whether name and query_string are mandatory.',
    decision: '201; both are mandatory.',
    otherwise: 'Any 2xx is accepted.',
  },
  token: {
    gap: 'The token request and the lifetime of a token are not described.',
    decision:
      'RFC 6749 client credentials: form body, HTTP Basic client authentication (or in the body, by a setting), scope "<base>/read <base>/write"; a token without expires_in lasts five minutes. A token of another type than Bearer is not sent.',
    otherwise:
      '401: one retry with a new token. invalid_scope: one retry with the read scope alone; the write scope is asked for again a minute later, when it is needed. The environment replaces {environment} in the token address, or else the word prod.',
  },
  scopes: {
    gap: 'Which scope creates, updates and deletes saved queries, runs SQL, and asks for exports is not described.',
    decision:
      'Creating, updating and deleting need the write scope; running SQL, asking for exports and reading them need the read scope.',
    otherwise: 'A 403 FORBIDDEN names the scope that the operation needs here.',
  },
  'retry-after': {
    gap: 'The header with the retry interval of a 429 is not described.',
    decision: 'Retry-After, in seconds or as an HTTP date.',
    otherwise: 'Exponential backoff with full jitter, up to a maximum.',
  },
  'account-role': {
    gap: 'Two names are left blank: the resource behind /v1/account-roles, and a required field of the account.',
    decision: 'The resource is the account role; the field is accountRole and contains the name of a role.',
    otherwise: 'Unknown fields are kept and shown.',
  },
  'other-lists': {
    gap: 'Lists of account roles and authenticator enrollments are mentioned, but missing from the table of endpoints.',
    decision:
      'GET /v1/account-roles and GET /v1/authenticator-enrollments with the shared list parameters and envelope.',
    otherwise: '404, 405 or 501: a message says that this service does not list them.',
  },
  'page-tokens': {
    gap: 'Whether each page of a list has a token of its own is not described.',
    decision: 'Each page has its own token.',
    otherwise:
      'A token may stay the same for a whole list. A list counts as endless only if a page repeats the token and the records of an earlier one. A page whose answer was lost is asked for twice; where another one comes, reading ends with an error, since a part would be missing.',
  },
  'activity-window': {
    gap: 'The window of activities with only one of from and to is not described.',
    decision: 'It is as long as it may be: 31 days after from, or before to.',
    otherwise: 'The client sends both or neither, so it makes no difference.',
  },
  'records-by-id': {
    gap: 'Five collections have no operation that reads a record by its global ID.',
    decision: 'Such a record is read from the table of its collection in platform_identity.',
    otherwise:
      'Each table is asked alone; without any, the four described operations are used alone. A message says that other collections could not be searched.',
  },
  'other-ids': {
    gap: 'No operation lists applications and groups, whose global IDs the changes need.',
    decision: 'They are globalAssignedObjectId and globalEntityId of access assignments.',
    otherwise: 'Without them, access cannot be removed from a row; the row is shown as it is.',
  },
  principals: {
    gap: 'Values of the principal type other than user are not described.',
    decision: 'user and service_client.',
    otherwise: 'Any other type is shown as received.',
  },
  'data-classifications': {
    gap: 'The type of enrichedDataClassifications is not described.',
    decision: 'A list of strings.',
    otherwise: 'Any JSON is kept and shown.',
  },
  'open-words': {
    gap: 'The complete lists of values of most enumerations are not described.',
    decision: 'The values of the specification, and others of the kind.',
    otherwise: 'Any other value is kept, shown and filtered as received.',
  },
  characters: {
    gap: 'What a character of a name, a text or a description is, and how letters of names are folded, is not described.',
    decision: 'Unicode code points; the simple lower case of Unicode, after NFC.',
    otherwise: 'The service refuses what it does not take, and its message is shown. Nothing is cut.',
  },
  'link-text': {
    gap: 'The text of an enrollment link is described only in words.',
    decision:
      '(:AuthenticatorEnrollment {id: "..."})-[:EnrolledVia]->(:Authenticator {id: "..."}); in SQL also two columns with the IDs.',
    otherwise: 'The text is shown unchanged.',
  },
  'action-job': {
    gap: 'The status of an accepted change and the record of a job are not described.',
    decision:
      '202; { jobId, status: accepted, running, completed or failed, operation, targets: [{ globalId, outcome, reason, reflected }], createdAt, completedAt }; 404 NOT_FOUND for an unknown job.',
    otherwise:
      'Any 2xx with an ID is accepted. Other common words for status, targets and outcomes are understood. A record of a different shape is shown as JSON, and followed for a day, or for ten minutes if it has no status.',
  },
  'kept-jobs': {
    gap: 'How long jobs are kept is not described.',
    decision: 'The last 10,000, also after a restart.',
    otherwise:
      'A job that is gone ends the following of its change, and a message says that the service may keep jobs only for some time.',
  },
  membership: {
    gap: 'Memberships are asserted with PUT and removed with DELETE, but no path is given.',
    decision: 'PUT and DELETE /v1/groups/{groupId}/members/{accountId}; each returns a job.',
    otherwise: '404 or 405: the command is hidden.',
  },
  'create-download': {
    gap: 'The request for an export and the errors of a lookup are not described.',
    decision:
      'POST /v1/downloads { context, fileFormat, urlTtlMinutes } with the read scope returns 202 with the record; lookup errors are 400 BAD_REQUEST, 404 NOT_FOUND and 500 INTERNAL_ERROR, each with a bare { code, message } body; a data set without data fails with NO_DATA.',
    otherwise:
      'The response may have only the ID, or the address of the record in Location. Lookup by ID works without the operation.',
  },
  'export-file': {
    gap: 'The format and encoding of the file of an export are not described, nor whether its link is redirected.',
    decision:
      'CSV as in RFC 4180 or JSON Lines, UTF-8, without a redirect; parts can be requested (Range, ETag).',
    otherwise:
      'The bytes are saved as they are. A redirect from https to https is followed, without a token. Without parts, an interrupted download starts again.',
  },
  'model-columns': {
    gap: 'The service does not describe the tables and columns of a model.',
    decision:
      'Models are PostgreSQL schemas, collections are tables in snake_case, fields are snake_case columns, structured fields are jsonb; information_schema.columns can be queried through execute. A service may also list the tables of a model: GET /v1/schema/models/{name}/tables, a list of tables with columns, keys and references, and GET /v1/schema/server says what the database is, which collections there are, and what to know of it. Both have an ETag. A model in the list of models then has listsTables: true. The model with default: true is that of queries that name none.',
    otherwise:
      'Without listsTables, the query is sent. Without a model that is the default, it is platform_identity. For platform_identity, the tables of the specification are shown and completed, labeled as such; for other models, only the names are known. Unknown tables and columns are never reported.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptions;
