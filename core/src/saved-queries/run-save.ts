/**
 * Runs the state machine for a save: sends the requests that `step` needs until the save ends or the user must decide.
 */
import type { ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  step,
  type MergeLabelsOf,
  type SaveEffect,
  type SaveEvent,
  type SaveState,
  type Step,
} from './save-machine.ts';
import type { StoredForm } from './stored-text.ts';
import { readAnswerOf, writeAnswerOf } from './write-answers.ts';

export interface SaveContext {
  readonly client: ServiceClient;
  readonly labels: MergeLabelsOf;
  /** How the service normalizes text, as learned from previous saves. */
  readonly stored: StoredForm;
  /** Called with every returned record. */
  readonly onRecord: (record: SavedQuery) => void;
}

export interface SaveOutcome {
  readonly state: SaveState;
  /** Never `write` or `read`, which have already been executed. */
  readonly effect: SaveEffect;
  /** The service's last error, if any. */
  readonly error?: unknown;
}

/** @returns undefined if the event does not apply in this state. Never rejects when a request fails. */
export async function runSave(
  from: SaveState,
  event: SaveEvent,
  context: SaveContext,
): Promise<SaveOutcome | undefined> {
  let next = step(from, event, context.labels, context.stored.apply);
  let failure: { readonly error?: unknown } = {};
  while (next !== undefined) {
    const { state, effect } = next;
    if (effect.kind !== 'write' && effect.kind !== 'read') return { state, effect, ...failure };
    const asked = effect.kind === 'write' ? await write(effect, context) : await read(effect, context);
    // The refusal is reported, not the failed read after it.
    const isExplained = state.kind === 'lookingUp' && state.reason === 'rejected';
    if (asked.error !== undefined && !isExplained) failure = { error: asked.error };
    const following: Step | undefined = step(state, asked.event, context.labels, context.stored.apply);
    next = following;
  }
  return undefined;
}

interface Asked {
  readonly event: SaveEvent;
  readonly error?: unknown;
}

async function write(
  { draft, expected }: Extract<SaveEffect, { kind: 'write' }>,
  { client, onRecord, stored }: SaveContext,
): Promise<Asked> {
  const { description, ...fields } = draft;
  // An empty description clears an existing one. If there is none, it is omitted.
  const isDescribed = description !== '' || typeof expected.description === 'string';
  try {
    const record = await client.savedQueries.update(expected.query_id, {
      ...fields,
      ...(isDescribed ? { description } : {}),
      expected_version: expected.version,
    });
    if (record.version !== expected.version) stored.learn(draft.query_string, record.query_string);
    onRecord(record);
    return { event: { kind: 'written', answer: { kind: 'saved', record } } };
  } catch (error) {
    return { event: { kind: 'written', answer: writeAnswerOf(error) }, error };
  }
}

async function read(
  { queryId }: Extract<SaveEffect, { kind: 'read' }>,
  { client, onRecord }: SaveContext,
): Promise<Asked> {
  try {
    const record = await client.savedQueries.get(queryId);
    onRecord(record);
    return { event: { kind: 'read', answer: { kind: 'found', record } } };
  } catch (error) {
    return { event: { kind: 'read', answer: readAnswerOf(error) }, error };
  }
}
