/**
 * State machine for creating a saved query, without I/O. Invariant: before anything is sent again, a create that may
 * have succeeded is looked up under every name that was tried, so that one draft never becomes two queries.
 */
import { createHash } from 'node:crypto';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { nameKeyOf } from './known-query.ts';
import type { Draft } from './merge-drafts.ts';
import { plainText } from './same-text.ts';
import type { WriteAnswer } from './save-machine.ts';
import { commonForm, isOnlyReshaped } from './stored-text.ts';

/** An unanswered create request. The text is reduced to a digest so that the attempt can be stored. */
export interface Attempt {
  readonly name: string;
  readonly digest: string;
}

export type CreateState =
  /** The user is deciding what to create. */
  | { readonly kind: 'open'; readonly attempts: readonly Attempt[] }
  | { readonly kind: 'creating'; readonly draft: Draft; readonly attempts: readonly Attempt[] }
  | {
      readonly kind: 'looking';
      readonly draft: Draft;
      readonly attempts: readonly Attempt[];
      /** `conflict`: the service refused with 409, which need not be about the name. */
      readonly reason: 'earlier' | 'taken' | 'conflict' | 'unanswered';
    };

export type CreateEvent =
  | { readonly kind: 'submit'; readonly draft: Draft }
  | { readonly kind: 'created'; readonly record: SavedQuery }
  | { readonly kind: 'failed'; readonly answer: Exclude<WriteAnswer, { kind: 'saved' }> }
  /** The queries that have one of the requested names. */
  | { readonly kind: 'found'; readonly records: readonly SavedQuery[] }
  | { readonly kind: 'unreadable' }
  /** The service has no list to search (assumption `saved-query-list`). */
  | { readonly kind: 'unlisted' };

export type CreateEffect =
  | { readonly kind: 'create'; readonly draft: Draft }
  | { readonly kind: 'find'; readonly names: readonly string[] }
  /** The query was created, either by this request or by an earlier one without a response. */
  | { readonly kind: 'done'; readonly record: SavedQuery; readonly isEarlier: boolean }
  /** A query with the name exists. `holder` is undefined if it cannot be read. */
  | { readonly kind: 'ask'; readonly draft: Draft; readonly holder: SavedQuery | undefined }
  | { readonly kind: 'keep'; readonly reason: 'refused' | 'unknown' | 'unlisted' | 'unanswered' | 'notSent' };

export interface CreateStep {
  readonly state: CreateState;
  readonly effect: CreateEffect;
}

/** @returns undefined if the event does not apply in this state. */
export function createStep(state: CreateState, event: CreateEvent): CreateStep | undefined {
  switch (event.kind) {
    case 'submit':
      if (state.kind !== 'open') return undefined;
      return state.attempts.length > 0
        ? look(state.attempts, event.draft, 'earlier')
        : create(state.attempts, event.draft);
    case 'created':
      return state.kind === 'creating' ? done(event.record, false) : undefined;
    case 'failed':
      return state.kind === 'creating' ? onFailed(state, event.answer.kind) : undefined;
    case 'found':
      return state.kind === 'looking' ? onFound(state, event.records) : undefined;
    case 'unreadable':
      return state.kind === 'looking' ? onUnreadable(state) : undefined;
    case 'unlisted':
      return state.kind === 'looking' ? onUnlisted(state) : undefined;
    default:
      return event satisfies never;
  }
}

export function attemptOf({ name, query_string, model }: Draft): Attempt {
  return { name, digest: digestOf(commonForm(query_string), model) };
}

type Of<Kind extends CreateState['kind']> = Extract<CreateState, { kind: Kind }>;

function onFailed(
  { draft, attempts }: Of<'creating'>,
  answer: Exclude<WriteAnswer['kind'], 'saved'>,
): CreateStep {
  switch (answer) {
    case 'nameTaken':
      return look(attempts, draft, 'taken');
    case 'conflict':
      return look(attempts, draft, 'conflict');
    case 'unanswered': {
      const attempt = attemptOf(draft);
      const others = attempts.filter(
        ({ name, digest }) => name !== attempt.name || digest !== attempt.digest,
      );
      return look([...others, attempt], draft, 'unanswered');
    }
    case 'notSent':
      return keep(attempts, 'notSent');
    case 'missing':
    case 'unsupported':
    case 'rejected':
    case 'refused':
      return keep(attempts, 'refused');
    default:
      return answer satisfies never;
  }
}

function onFound({ draft, attempts, reason }: Of<'looking'>, records: readonly SavedQuery[]): CreateStep {
  const earlier = records.find((record) => attempts.some((attempt) => isAttempt(record, attempt)));
  if (earlier !== undefined) {
    // The earlier create succeeded. Saving later edits would change that query, so the user sees it first.
    return isOnlyReshaped(draft.query_string, earlier.query_string) && earlier.model === draft.model
      ? done(earlier, true)
      : ask([], draft, earlier);
  }
  const holder = records.find((record) => nameKeyOf(record.name) === nameKeyOf(draft.name));
  switch (reason) {
    case 'earlier':
      return create(attempts, draft);
    case 'taken':
      return ask(attempts, draft, holder);
    case 'conflict':
      return holder === undefined ? keep(attempts, 'refused') : ask(attempts, draft, holder);
    case 'unanswered':
      return holder === undefined ? keep(attempts, 'unanswered') : ask(attempts, draft, holder);
    default:
      return reason satisfies never;
  }
}

function onUnreadable({ draft, attempts, reason }: Of<'looking'>): CreateStep {
  return isTaken(reason) ? ask(attempts, draft, undefined) : keep(attempts, 'unknown');
}

/** Without a list, a conflict is most likely one of the name. */
function isTaken(reason: Of<'looking'>['reason']): boolean {
  return reason === 'taken' || reason === 'conflict';
}

/** Names are unique, so repeating a create under the same name is refused if the first one succeeded. */
function onUnlisted({ draft, attempts, reason }: Of<'looking'>): CreateStep {
  if (isTaken(reason)) return ask(attempts, draft, undefined);
  const isSameName = attempts.every(({ name }) => nameKeyOf(name) === nameKeyOf(draft.name));
  return reason === 'earlier' && isSameName ? create(attempts, draft) : keep(attempts, 'unlisted');
}

/** The service may have stored the text in its own form. */
function isAttempt({ name, query_string: text, model }: SavedQuery, attempt: Attempt): boolean {
  if (nameKeyOf(name) !== nameKeyOf(attempt.name)) return false;
  // Attempts of earlier versions of this program are digests of the plain text.
  return [commonForm(text), plainText(text)].some((form) => digestOf(form, model) === attempt.digest);
}

function digestOf(text: string, model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([text, model]))
    .digest('hex');
}

function create(attempts: readonly Attempt[], draft: Draft): CreateStep {
  return { state: { kind: 'creating', draft, attempts }, effect: { kind: 'create', draft } };
}

function look(attempts: readonly Attempt[], draft: Draft, reason: Of<'looking'>['reason']): CreateStep {
  const names = [...new Set([draft.name, ...attempts.map(({ name }) => name)])];
  return { state: { kind: 'looking', draft, attempts, reason }, effect: { kind: 'find', names } };
}

function done(record: SavedQuery, isEarlier: boolean): CreateStep {
  return { state: { kind: 'open', attempts: [] }, effect: { kind: 'done', record, isEarlier } };
}

function ask(attempts: readonly Attempt[], draft: Draft, holder: SavedQuery | undefined): CreateStep {
  return { state: { kind: 'open', attempts }, effect: { kind: 'ask', draft, holder } };
}

function keep(
  attempts: readonly Attempt[],
  reason: Extract<CreateEffect, { kind: 'keep' }>['reason'],
): CreateStep {
  return { state: { kind: 'open', attempts }, effect: { kind: 'keep', reason } };
}
