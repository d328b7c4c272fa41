/** Assumptions about lists and their records. */
import { accountEnumerations } from '../../contract/records/accounts.ts';
import { memberOf } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found } from './finding.ts';
import { firstItem, isUntold, itemsOf, statusSeen } from './told.ts';

export async function pageTokens({ ask }: ProbeContext): Promise<Found> {
  const path = '/v1/accounts';
  const first = await ask.get(path, { pageSize: 1 });
  const one = memberOf(first.body, 'nextPageToken');
  if (typeof one !== 'string') return unknown({ kind: 'nothing-there', request: first.request });
  const second = await ask.get(path, { pageSize: 1, pageToken: one });
  const two = memberOf(second.body, 'nextPageToken');
  if (typeof two !== 'string') return unknown({ kind: 'nothing-there', request: second.request });
  return one === two ? differs({ kind: 'member', request: second.request, member: 'nextPageToken' }) : holds;
}

export async function oneSidedWindow({ ask }: ProbeContext): Promise<Found> {
  const from = new Date(Date.now() - dayMs).toISOString();
  const told = await ask.get('/v1/activities', { pageSize: 1, from });
  if (itemsOf(told) !== undefined) return holds;
  return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
}

const dayMs = 86_400_000;

export async function otherIds({ ask }: ProbeContext): Promise<Found> {
  const path = '/v1/entity-assigned-access-to-object';
  const told = await ask.get(path, { pageSize: 1 });
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const { request } = told;
  const first = await firstItem(ask, path, told);
  if (first === undefined) return unknown({ kind: 'nothing-there', request });
  const member = ['globalAssignedObjectId', 'globalEntityId'].find((name) => !isText(memberOf(first, name)));
  return member === undefined ? holds : differs({ kind: 'member', request, member });
}

export async function principals(context: ProbeContext): Promise<Found> {
  const isKnown = (value: unknown) => {
    const type = memberOf(value, 'type');
    return type === 'user' || type === 'service_client';
  };
  return await firstHas(context, '/v1/query/saved-queries', ['created_by'], isKnown);
}

export async function dataClassifications(context: ProbeContext): Promise<Found> {
  const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
  return await firstHas(context, '/v1/accounts', ['enrichedDataClassifications'], isTexts);
}

export async function openWords(context: ProbeContext): Promise<Found> {
  const isKnown = (value: unknown) => accountEnumerations.type.some((word) => word === value);
  return await firstHas(context, '/v1/accounts', ['type'], isKnown);
}

/** A member that is absent shows nothing: most are optional. */
async function firstHas(
  { ask }: ProbeContext,
  path: string,
  names: readonly string[],
  is: (value: unknown) => boolean,
): Promise<Found> {
  const told = await ask.get(path, { pageSize: 1 });
  const { request } = told;
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const first = await firstItem(ask, path, told);
  const present = names.filter((name) => memberOf(first, name) !== undefined);
  const wrong = present.find((name) => !is(memberOf(first, name)));
  if (wrong !== undefined) return differs({ kind: 'member', request, member: wrong });
  return present.length === names.length ? holds : unknown({ kind: 'nothing-there', request });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
