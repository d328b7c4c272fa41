/** Titles of the assumptions about a service, and the visible effect if the service differs. */
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { t } from '#base/texts.ts';

export interface AssumptionWords {
  readonly title: string;
  /** The effect that users notice if the service differs. */
  readonly meaning: string;
}

export function assumptionWords(id: AssumptionId): AssumptionWords {
  switch (id) {
    case 'saved-query-list':
      return {
        title: t('Lists saved queries with their SQL'),
        meaning: t(
          'Without a list, the Saved Queries view shows the queries that you opened, created or marked. Without SQL in the list, each query is read when it is needed.',
        ),
      };
    case 'update':
      return {
        title: t('Updates saved queries with PUT'),
        meaning: t('PATCH is used where the service allows it. Otherwise you can only save as a new query.'),
      };
    case 'delete':
      return {
        title: t('Deletes saved queries'),
        meaning: t('Saved queries cannot be deleted from here.'),
      };
    case 'execute':
      return {
        title: t('Returns columns, types and rows for queries'),
        meaning: t(
          'Rows in other known shapes are shown too. Without types, all columns are shown as received.',
        ),
      };
    case 'execute-paging':
      return {
        title: t('Pages results by pageSize, pageToken and nextPageToken'),
        meaning: t('Nothing: further pages are asked for in another way.'),
      };
    case 'scopes':
      return {
        title: t('Runs SQL with the read scope'),
        meaning: t('Queries need a client with the write scope.'),
      };
    case 'page-tokens':
      return {
        title: t('Gives each page of a list a token of its own'),
        meaning: t('Nothing: pages are asked for until the service tells of no more.'),
      };
    case 'activity-window':
      return {
        title: t('Accepts a window of activities with only its beginning'),
        meaning: t('Nothing: both ends are always sent.'),
      };
    case 'records-by-id':
      return {
        title: t('Has a table for each collection'),
        meaning: t('Only roles, account roles, activities and enrollments can be opened by their ID.'),
      };
    case 'other-ids':
      return {
        title: t('Names applications and groups in access assignments'),
        meaning: t('Access cannot be removed from here.'),
      };
    case 'principals':
      return {
        title: t('Names users and service clients as authors'),
        meaning: t('The kind of an author is shown as received.'),
      };
    case 'data-classifications':
      return {
        title: t('Lists classes of data as strings'),
        meaning: t('Classes of data are shown as received.'),
      };
    case 'open-words':
      return {
        title: t('Uses the known types of accounts'),
        meaning: t('Other values are shown as received, and completion does not offer them.'),
      };
    case 'characters':
      return {
        title: t('Counts Unicode characters, and folds their case'),
        meaning: t('Some names or texts that are offered here are refused by the service.'),
      };
    case 'kept-jobs':
      return {
        title: t('Keeps the jobs of changes'),
        meaning: t('The outcome of an older change cannot be read.'),
      };
    case 'export-file':
      return {
        title: t('Sends files of exports as UTF-8, in parts and without a redirect'),
        meaning: t('An interrupted download starts again.'),
      };
    case 'parse-error':
      return {
        title: t('Reports the position of SQL errors (line and column from 1)'),
        meaning: t('The marker of a service error may be missing or misplaced.'),
      };
    case 'query-failed':
      return {
        title: t('Reports why a query failed (QUERY_FAILED with an SQL state)'),
        meaning: t("The service's message is shown without advice."),
      };
    case 'unknown-model':
      return {
        title: t('Names the models when one is unknown'),
        meaning: t('The error for a wrong model name does not list the available models.'),
      };
    case 'http-errors':
      return {
        title: t('Returns its own error for an unknown path'),
        meaning: t(
          'A missing feature looks the same as a wrong base address, so messages show only the status.',
        ),
      };
    case 'create-status':
      return {
        title: t('Returns 201 for a new saved query'),
        meaning: t('Any success status is accepted.'),
      };
    case 'token':
      return {
        title: t('Issues tokens with a lifetime, for read and write, through HTTP Basic'),
        meaning: t('Without a lifetime, five minutes are assumed.'),
      };
    case 'retry-after':
      return {
        title: t('Reports how long to wait after too many requests'),
        meaning: t('Each retry waits longer.'),
      };
    case 'account-role':
      return {
        title: t('Names the role of an account `accountRole`'),
        meaning: t('The role is shown under the name that the service gives it. Links to it are missing.'),
      };
    case 'other-lists':
      return {
        title: t('Lists account roles and authenticator enrollments'),
        meaning: t('These collections cannot be opened in the Records view.'),
      };
    case 'link-text':
      return {
        title: t('Writes enrollment links as graph patterns'),
        meaning: t('Enrollment links are shown as received.'),
      };
    case 'action-job':
      return {
        title: t('Reports the progress of a change'),
        meaning: t('The record of a job is shown as JSON, and its end may not be recognized.'),
      };
    case 'membership':
      return {
        title: t('Adds and removes members of groups'),
        meaning: t('Members of groups cannot be changed from here.'),
      };
    case 'create-download':
      return {
        title: t('Creates exports'),
        meaning: t('Exports can only be looked up by their ID.'),
      };
    case 'model-columns':
      return {
        title: t('Describes the columns of its models (information_schema)'),
        meaning: t(
          'The editor completes tables and columns from the specification, labeled as such, and the checks report none of them as unknown.',
        ),
      };
    default:
      return id satisfies never;
  }
}
