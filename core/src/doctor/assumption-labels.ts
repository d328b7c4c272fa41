/** Titles of the assumptions about a service, and the visible effect if the service differs. */
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { t } from '#base/texts.ts';

export interface AssumptionWords {
  readonly title: string;
  /** The effect that users notice if the service differs. */
  readonly meaning: string;
}

export function assumptionWords(id: AssumptionId): AssumptionWords {
  return {
    'saved-query-list': {
      title: t('Lists saved queries with their SQL'),
      meaning: t(
        'Without a list, the Saved Queries view shows the queries that you opened, created or marked. Without SQL in the list, each query is read when it is needed.',
      ),
    },
    update: {
      title: t('Updates saved queries with PUT'),
      meaning: t('PATCH is used where the service allows it. Otherwise you can only save as a new query.'),
    },
    delete: {
      title: t('Deletes saved queries'),
      meaning: t('Saved queries cannot be deleted from here.'),
    },
    execute: {
      title: t('Returns columns, types and rows for queries'),
      meaning: t(
        'Rows in other known shapes are shown too. Without types, all columns are shown as received.',
      ),
    },
    'execute-paging': {
      title: t('Pages results by pageSize, pageToken and nextPageToken'),
      meaning: t('Nothing: further pages are asked for in another way.'),
    },
    scopes: {
      title: t('Runs SQL with the read scope'),
      meaning: t('Queries need a client with the write scope.'),
    },
    'page-tokens': {
      title: t('Gives each page of a list a token of its own'),
      meaning: t('Nothing: pages are asked for until the service tells of no more.'),
    },
    'activity-window': {
      title: t('Accepts a window of activities with only its beginning'),
      meaning: t('Nothing: both ends are always sent.'),
    },
    'records-by-id': {
      title: t('Has a table for each collection'),
      meaning: t('Only roles, account roles, activities and enrollments can be opened by their ID.'),
    },
    'other-ids': {
      title: t('Names applications and groups in access assignments'),
      meaning: t('Access cannot be removed from here.'),
    },
    principals: {
      title: t('Names users and service clients as authors'),
      meaning: t('The kind of an author is shown as received.'),
    },
    'data-classifications': {
      title: t('Lists classes of data as strings'),
      meaning: t('Classes of data are shown as received.'),
    },
    'open-words': {
      title: t('Uses the known types of accounts'),
      meaning: t('Other values are shown as received, and completion does not offer them.'),
    },
    characters: {
      title: t('Counts Unicode characters, and folds their case'),
      meaning: t('Some names or texts that are offered here are refused by the service.'),
    },
    'kept-jobs': {
      title: t('Keeps the jobs of changes'),
      meaning: t('The outcome of an older change cannot be read.'),
    },
    'export-file': {
      title: t('Sends files of exports as UTF-8, in parts and without a redirect'),
      meaning: t('An interrupted download starts again.'),
    },
    'parse-error': {
      title: t('Reports the position of SQL errors (line and column from 1)'),
      meaning: t('The marker of a service error may be missing or misplaced.'),
    },
    'query-failed': {
      title: t('Reports why a query failed (QUERY_FAILED with an SQL state)'),
      meaning: t("The service's message is shown without advice."),
    },
    'unknown-model': {
      title: t('Names the models when one is unknown'),
      meaning: t('The error for a wrong model name does not list the available models.'),
    },
    'http-errors': {
      title: t('Returns its own error for an unknown path'),
      meaning: t(
        'A missing feature looks the same as a wrong base address, so messages show only the status.',
      ),
    },
    'create-status': {
      title: t('Returns 201 for a new saved query'),
      meaning: t('Any success status is accepted.'),
    },
    token: {
      title: t('Issues tokens with a lifetime, for read and write, through HTTP Basic'),
      meaning: t('Without a lifetime, five minutes are assumed.'),
    },
    'retry-after': {
      title: t('Reports how long to wait after too many requests'),
      meaning: t('Each retry waits longer.'),
    },
    'account-role': {
      title: t('Names the role of an account `accountRole`'),
      meaning: t('The role is shown under the name that the service gives it. Links to it are missing.'),
    },
    'other-lists': {
      title: t('Lists account roles and authenticator enrollments'),
      meaning: t('These collections cannot be opened in the Records view.'),
    },
    'link-text': {
      title: t('Writes enrollment links as graph patterns'),
      meaning: t('Enrollment links are shown as received.'),
    },
    'action-job': {
      title: t('Reports the progress of a change'),
      meaning: t('The record of a job is shown as JSON, and its end may not be recognized.'),
    },
    membership: {
      title: t('Adds and removes members of groups'),
      meaning: t('Members of groups cannot be changed from here.'),
    },
    'create-download': {
      title: t('Creates exports'),
      meaning: t('Exports can only be looked up by their ID.'),
    },
    'model-columns': {
      title: t('Describes the columns of its models (information_schema)'),
      meaning: t(
        'The editor completes tables and columns from the specification, labeled as such, and the checks report none of them as unknown.',
      ),
    },
  }[id];
}
