/**
 * Changes fields of a saved query: the name, the model, the description or the text. The request names the base
 * version. If a newer version exists, its other changes are kept. If it changed the same field, the user sees both
 * values and decides. Independent of the editor.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError, UserAbort } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Draft } from './merge-drafts.ts';
import { writeAnswerOf } from './write-answers.ts';

export type FieldName = keyof Draft;

export interface FieldConflict {
  /** The newest version. */
  readonly theirs: SavedQuery;
  /** Fields that both sides changed to different values. */
  readonly fields: readonly FieldName[];
}

/**
 * Applies a change to a saved query.
 * @param base the record that the user saw.
 * @param settle asks whether to apply the change even though a newer version changed `fields`.
 * @returns the service's record after the change.
 * @throws UserAbort if `settle` resolves to false; ConflictError if the name is taken; any other ApiError or
 * ContractError.
 */
export async function editRecord(
  client: Pick<ServiceClient, 'savedQueries'>,
  base: SavedQuery,
  change: Partial<Draft>,
  settle: (conflict: FieldConflict) => Promise<boolean>,
): Promise<SavedQuery> {
  let current = base;
  for (;;) {
    if (holds(current, change)) return current;
    try {
      const { description, ...fields } = { ...fieldsOf(current), ...change };
      const written = await client.savedQueries.update(base.query_id, {
        ...fields,
        // An empty description clears an existing one. If there is none, it is omitted.
        ...(description === '' && !current.description ? {} : { description }),
        expected_version: current.version,
      });
      if (written.version === current.version && !holds(written, change)) throw notTaken();
      return written;
    } catch (error) {
      if (!mayBeStale(error) && !isUnanswered(error)) throw error;
      const newest = await newestAfter(error, client, base.query_id);
      if (holds(newest, change)) return newest;
      if (newest.version === current.version) throw error;
      const before = current;
      const fields = namesOf(change).filter((field) => fieldsOf(newest)[field] !== fieldsOf(before)[field]);
      if (fields.length > 0 && !(await settle({ theirs: newest, fields })))
        throw new UserAbort('the newer version was left as it is');
      current = newest;
    }
  }
}

export function fieldsOf(record: SavedQuery): Draft {
  const { name, model, query_string } = record;
  return { name, model, query_string, description: record.description ?? '' };
}

/** Returns whether no response arrived, so the outcome must be looked up. */
export function isUnanswered(error: unknown): boolean {
  const { kind } = writeAnswerOf(error);
  return kind === 'unanswered' || kind === 'notSent';
}

/** Services report a stale version in different ways. */
function mayBeStale(error: unknown): boolean {
  const { kind } = writeAnswerOf(error);
  return kind === 'conflict' || kind === 'rejected';
}

/** A success response with an unchanged record does not count as a success. */
function notTaken(): ContractError {
  return new ContractError('The service returned the unchanged record, so the change was not saved.', {
    status: 200,
  });
}

/** @throws the original error if reading the record fails too, since the outcome remains unknown. */
async function newestAfter(
  error: unknown,
  client: Pick<ServiceClient, 'savedQueries'>,
  queryId: string,
): Promise<SavedQuery> {
  try {
    return await client.savedQueries.get(queryId);
  } catch (lookUpError) {
    if (isUnanswered(lookUpError)) throw error;
    throw lookUpError;
  }
}

function holds(record: SavedQuery, change: Partial<Draft>): boolean {
  const fields = fieldsOf(record);
  return namesOf(change).every((field) => fields[field] === change[field]);
}

function namesOf(change: Partial<Draft>): FieldName[] {
  return Object.keys(change) as FieldName[]; // the type has no other keys
}
