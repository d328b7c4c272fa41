/** Runs the state machine for a create: sends requests and looks up unknown outcomes. */
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { createStep, type CreateEffect, type CreateEvent, type CreateState } from './create-machine.ts';
import { nameKeyOf } from './known-query.ts';
import type { Draft } from './merge-drafts.ts';
import { isListMissing, writeAnswerOf } from './write-answers.ts';

export interface CreateContext {
  readonly client: ServiceClient;
  /** Returns a known query's ID by name, which avoids reading the whole list. */
  readonly idOf?: ((name: string) => string | undefined) | undefined;
}

export interface CreateOutcome {
  readonly state: CreateState;
  /** Never `create` or `find`, which have already been executed. */
  readonly effect: CreateEffect | undefined;
  /** All names in use, if the list was read. */
  readonly names?: ReadonlySet<string> | undefined;
  /** The service's last error, if any. */
  readonly error?: unknown;
}

export async function runCreate(
  from: CreateState,
  draft: Draft,
  context: CreateContext,
): Promise<CreateOutcome> {
  let state = from;
  let event: CreateEvent = { kind: 'submit', draft };
  let seen: Pick<CreateOutcome, 'names' | 'error'> = {};
  for (;;) {
    const next = createStep(state, event);
    if (next === undefined) return { state, effect: undefined, ...seen };
    state = next.state;
    const { effect } = next;
    if (effect.kind === 'create') {
      const created = await create(effect.draft, context.client);
      event = created.event;
      if ('error' in created) seen = { ...seen, error: created.error };
    } else if (effect.kind === 'find') {
      const found = await find(effect.names, context);
      event = found.event;
      if (found.names !== undefined) seen = { ...seen, names: found.names };
    } else {
      return { state, effect, ...seen };
    }
  }
}

async function create(
  { description, ...draft }: Draft,
  client: ServiceClient,
): Promise<{ readonly event: CreateEvent; readonly error?: unknown }> {
  try {
    const record = await client.savedQueries.create({
      ...draft,
      ...(description === '' ? {} : { description }),
    });
    return { event: { kind: 'created', record } };
  } catch (error) {
    return { event: { kind: 'failed', answer: writeAnswerOf(error) }, error };
  }
}

async function find(
  names: readonly string[],
  { client, idOf }: CreateContext,
): Promise<{ readonly event: CreateEvent; readonly names?: ReadonlySet<string> }> {
  const wanted = new Set(names.map(nameKeyOf));
  const isWanted = ({ name }: Pick<SavedQuery, 'name'>) => wanted.has(nameKeyOf(name));
  const [only] = names;
  const knownId = names.length === 1 && only !== undefined ? idOf?.(only) : undefined;
  try {
    const known = knownId === undefined ? undefined : await unlessGone(client.savedQueries.get(knownId));
    if (known !== undefined && isWanted(known)) return { event: { kind: 'found', records: [known] } };
  } catch {
    return { event: { kind: 'unreadable' } }; // the error of the create itself is reported
  }
  try {
    const records: SavedQuery[] = [];
    const all = new Set<string>();
    const leftOut: string[] = [];
    // Lists may omit the text, and unreadable records of other queries must not fail the search.
    for await (const listed of client.savedQueries.listSummaries({
      onLeftOut: (more) => more.forEach((each) => leftOut.push(each)),
    })) {
      all.add(nameKeyOf(listed.name));
      if (!isWanted(listed)) continue;
      const record = await unlessGone(client.savedQueries.get(listed.query_id));
      if (record !== undefined && isWanted(record)) records.push(record);
    }
    if (records.length === 0 && leftOut.length > 0) return { event: { kind: 'unreadable' } };
    return { event: { kind: 'found', records }, names: all };
  } catch (error) {
    return { event: { kind: isListMissing(error) ? 'unlisted' : 'unreadable' } };
  }
}

/** Resolves to undefined if the query has been deleted in the meantime. */
async function unlessGone(record: Promise<SavedQuery>): Promise<SavedQuery | undefined> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
