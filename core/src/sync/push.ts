/**
 * Sends a plan's changes one at a time. Requests name the base version, and the state machines look up unanswered
 * requests, so no request is repeated blindly.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { AuthError, isAboutScope } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { t } from '#base/texts.ts';
import { ExpectedError } from '../failures/failure.ts';
import { isSameDraft, type Draft } from '../saved-queries/merge-drafts.ts';
import { runCreate } from '../saved-queries/run-create.ts';
import { runDelete } from '../saved-queries/run-delete.ts';
import { runSave } from '../saved-queries/run-save.ts';
import { settledOn } from '../saved-queries/save-machine.ts';
import { StoredForm } from '../saved-queries/stored-text.ts';
import { writeAnswerOf } from '../saved-queries/write-answers.ts';
import type { QueryThere } from './plan/pair.ts';
import { isWrite, type PlanItem } from './plan/plan.ts';
import { queryOf, readQuery } from './read-service.ts';

export type Write = Extract<PlanItem, { kind: 'create' | 'update' | 'delete' }>;

export type WriteResult =
  | { readonly kind: 'done'; readonly there: QueryThere | undefined }
  /** A newer change exists, so the plan is outdated. */
  | { readonly kind: 'changed' }
  /** The outcome is unknown. */
  | { readonly kind: 'unknown'; readonly error?: unknown }
  | { readonly kind: 'failed'; readonly error?: unknown }
  /** The service has no such operation. */
  | { readonly kind: 'unsupported'; readonly error: Error }
  /** Not sent, because the push was cancelled or an earlier failure affects all requests. */
  | { readonly kind: 'notTried' };

export interface PushedWrite {
  readonly item: Write;
  readonly result: WriteResult;
}

export interface PushOptions {
  readonly client: ServiceClient;
  readonly signal?: AbortSignal | undefined;
  readonly onWritten?: ((write: PushedWrite) => void) | undefined;
}

/** Never rejects when a request fails. */
export async function push(
  items: readonly PlanItem[],
  { client, signal, onWritten }: PushOptions,
): Promise<readonly PushedWrite[]> {
  const stored = new StoredForm();
  const written: PushedWrite[] = [];
  let isOver = false;
  let mayWrite = false;
  for (const item of items.filter(isWrite)) {
    const isStopped = isOver || signal?.aborted === true;
    const result: WriteResult = isStopped ? { kind: 'notTried' } : await send(item, { client, stored });
    mayWrite ||= result.kind === 'done';
    isOver ||= endsAll(result, mayWrite);
    written.push({ item, result });
    onWritten?.({ item, result });
  }
  return written;
}

interface Sending {
  readonly client: ServiceClient;
  readonly stored: StoredForm;
}

async function send(item: Write, sending: Sending): Promise<WriteResult> {
  switch (item.kind) {
    case 'create':
      return await create(item.here.draft, sending);
    case 'update':
      return await update(item.there, item.here.draft, sending);
    case 'delete':
      return await remove(item.there, sending);
    default:
      return item satisfies never;
  }
}

async function create(draft: Draft, { client }: Sending): Promise<WriteResult> {
  const { effect, error } = await runCreate({ kind: 'open', attempts: [] }, draft, { client });
  if (effect?.kind === 'done') return { kind: 'done', there: queryOf(effect.record) };
  if (effect?.kind === 'ask') return { kind: 'changed' };
  const isUnknown = effect?.kind === 'keep' && effect.reason !== 'refused' && effect.reason !== 'notSent';
  return { kind: isUnknown ? 'unknown' : 'failed', error };
}

async function update(there: QueryThere, mine: Draft, { client, stored }: Sending): Promise<WriteResult> {
  const outcome = await runSave(
    settledOn(recordOf(there)),
    { kind: 'save', mine },
    { client, stored, labels: () => ({ mine: '', theirs: '' }), onRecord: () => undefined },
  );
  const effect = outcome?.effect;
  if (effect?.kind === 'saved') return { kind: 'done', there: queryOf(effect.record) };
  if (effect?.kind === 'ask') return { kind: 'changed' };
  if (effect?.kind !== 'keep') return { kind: 'failed', error: outcome?.error };
  if (effect.reason === 'unsupported')
    return unsupported(t('This service does not update saved queries.'), outcome?.error);
  if (effect.reason === 'deleted' || effect.reason === 'newerUnread' || effect.reason === 'nameTaken')
    return { kind: 'changed' };
  const isUnknown = effect.reason === 'unknown' || effect.reason === 'unanswered';
  return { kind: isUnknown ? 'unknown' : 'failed', error: outcome?.error };
}

/**
 * A deletion request does not include a version, so the query is read just before it. Only changes after that read are
 * not detected.
 */
async function remove(there: QueryThere, { client }: Sending): Promise<WriteResult> {
  try {
    const now = await readQuery(client, there.id);
    if (now === undefined) return { kind: 'done', there: undefined };
    if (now.version !== there.version || !isSameDraft(now.draft, there.draft)) return { kind: 'changed' };
    const outcome = await runDelete(client, there.id);
    switch (outcome.kind) {
      case 'deleted':
        return { kind: 'done', there: undefined };
      case 'unsupported':
        return unsupported(t('This service does not delete saved queries.'), outcome.error);
      case 'failed':
      case 'unknown':
        return outcome;
      default:
        return outcome satisfies never;
    }
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function unsupported(message: string, cause: unknown): WriteResult {
  return { kind: 'unsupported', error: new ExpectedError(message, [], { cause }) };
}

/** Returns whether the failure meets every other write, too. A refusal can be about its query alone. */
function endsAll(result: WriteResult, mayWrite: boolean): boolean {
  if (result.kind !== 'failed' && result.kind !== 'unknown') return false;
  const { error } = result;
  if (!(error instanceof AuthError)) return writeAnswerOf(error).kind === 'notSent';
  return error.at !== 'forbidden' || (isAboutScope(error) && !mayWrite);
}

function recordOf({ id, version, draft }: QueryThere): SavedQuery {
  return { query_id: id, version, ...draft };
}
