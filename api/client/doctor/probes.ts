/**
 * One function per assumption ID, using only read-only requests. A service may return anything, so a probe examines
 * individual members and reports what it found.
 */
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { UserAbort } from '../errors.ts';
import { memberOf, nobody, type Asking, type Told } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found } from './finding.ts';
import {
  failedQuery,
  identityTables,
  pagesOfResults,
  queryAnswer,
  runsWithRead,
  schemaColumns,
  unknownModel,
  unparsedQuery,
} from './query-probes.ts';
import {
  dataClassifications,
  oneSidedWindow,
  openWords,
  otherIds,
  pageTokens,
  principals,
} from './record-probes.ts';
import { firstItem, isUntold, itemsOf, notOffered, otherListOf, statusSeen } from './told.ts';

export const probes: Readonly<Record<AssumptionId, (context: ProbeContext) => Promise<Found> | Found>> = {
  token: ({ token }) => token,
  'saved-query-list': savedQueryList,
  update: takes('/v1/query/saved-queries/{id}', 'PUT'),
  delete: takes('/v1/query/saved-queries/{id}', 'DELETE'),
  'create-status': () => unknown({ kind: 'needs-write' }),
  execute: queryAnswer,
  'execute-paging': pagesOfResults,
  scopes: runsWithRead,
  'page-tokens': pageTokens,
  'activity-window': oneSidedWindow,
  'records-by-id': identityTables,
  'other-ids': otherIds,
  principals,
  'data-classifications': dataClassifications,
  'open-words': openWords,
  characters: () => unknown({ kind: 'needs-write' }),
  'kept-jobs': () => unknown({ kind: 'needs-write' }),
  'export-file': () => unknown({ kind: 'needs-write' }),
  'parse-error': unparsedQuery,
  'query-failed': failedQuery,
  'unknown-model': unknownModel,
  'model-columns': schemaColumns,
  'http-errors': async ({ ask }) => {
    const told = await ask.get('/v1/identity-queries-doctor');
    if (told.status === 404 && told.code === 'NOT_FOUND') return holds;
    return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
  },
  'retry-after': () => unknown({ kind: 'needs-rate-limit' }),
  'account-role': accountRole,
  'other-lists': otherLists,
  'link-text': linkText,
  'action-job': async ({ ask }) => {
    const told = await ask.get(`/v1/action-jobs/${nobody}`);
    // The expected error for an unknown job reveals nothing about the shape of a job record.
    const isAsAssumed = told.status === 404 && (told.code ?? 'NOT_FOUND') === 'NOT_FOUND';
    if (isAsAssumed) return unknown({ kind: 'needs-write' });
    if (told.isMissing()) return differs(notOffered(told));
    return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
  },
  membership: takes('/v1/groups/{id}/members/{id}', 'PUT', 'DELETE'),
  'create-download': takes('/v1/downloads', 'POST'),
};

/**
 * Probes whether a path supports methods that the specification leaves open, if the service lists the path's methods.
 */
function takes(path: string, ...methods: readonly string[]): (context: ProbeContext) => Promise<Found> {
  return async ({ ask, tellsMethods }) => {
    if (!tellsMethods) return unknown({ kind: 'methods-untold' });
    const told = await ask.options(path.replaceAll('{id}', nobody));
    if (told.allow === undefined && (isUntold(told) || told.status < 400))
      return unknown({ kind: 'methods-untold' });
    const missing = methods.filter((method) => told.allow?.has(method) !== true);
    return missing.length === 0 ? holds : differs({ kind: 'methods', path, missing });
  };
}

/** Returns whether the service lists a path's methods, tested on a path whose methods are specified. */
export async function tellsMethods(ask: Asking): Promise<boolean> {
  try {
    const { allow } = await ask.options('/v1/query/saved-queries');
    return allow?.has('POST') === true;
  } catch (error) {
    if (error instanceof UserAbort) throw error;
    return false; // one request without an answer must not keep the others from being judged
  }
}

async function savedQueryList({ ask }: ProbeContext): Promise<Found> {
  const told = await otherListOf(ask, '/v1/query/saved-queries');
  const refused = refusedList(told);
  if (refused !== undefined) return refused;
  const { request } = told;
  const first = await firstItem(ask, '/v1/query/saved-queries', told);
  if (first === undefined) return holds;
  const member = ['query_id', 'query_string'].find((name) => typeof memberOf(first, name) !== 'string');
  return member === undefined ? holds : differs({ kind: 'member', request, member });
}

async function otherLists({ ask }: ProbeContext): Promise<Found> {
  for (const path of ['/v1/account-roles', '/v1/authenticator-enrollments']) {
    const refused = refusedList(await otherListOf(ask, path));
    if (refused !== undefined) return refused;
  }
  return holds;
}

async function accountRole({ ask }: ProbeContext): Promise<Found> {
  const told = await ask.get('/v1/accounts', { pageSize: 1 });
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const { request } = told;
  const first = await firstItem(ask, '/v1/accounts', told);
  if (first === undefined) return unknown({ kind: 'nothing-there', request });
  return typeof memberOf(first, 'accountRole') === 'string'
    ? holds
    : differs({ kind: 'member', request, member: 'accountRole' });
}

const linkPattern =
  /^\(:AuthenticatorEnrollment \{id: "[^"]*"\}\)-\[:EnrolledVia\]->\(:Authenticator \{id: "[^"]*"\}\)$/;

async function linkText({ ask }: ProbeContext): Promise<Found> {
  const path = '/v1/enrollment-via-authenticator';
  const told = await ask.get(path, { pageSize: 1 });
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const { request } = told;
  const first = await firstItem(ask, path, told);
  if (first === undefined) return unknown({ kind: 'nothing-there', request });
  if (typeof first !== 'string') return differs({ kind: 'member', request, member: 'items' });
  return linkPattern.test(first) ? holds : differs({ kind: 'value', request, member: 'items' });
}

function refusedList(told: Told): Found | undefined {
  if (itemsOf(told) !== undefined) return undefined;
  const { status, request } = told;
  if (status >= 200 && status < 300) return differs({ kind: 'member', request, member: 'items' });
  return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
}
