/**
 * Two people edit one saved query over HTTP with the real save states: every typed word reaches the service, whatever it
 * answers.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { markedRegions } from '#core/saved-queries/merge-drafts.ts';
import { runSave } from '#core/saved-queries/run-save.ts';
import {
  draftFor,
  settledOn,
  type SaveEffect,
  type SaveEvent,
  type SaveState,
} from '#core/saved-queries/save-machine.ts';
import { StoredForm } from '#core/saved-queries/stored-text.ts';
import type { RunningSandbox } from './sandbox.ts';

type Service = Pick<RunningSandbox, 'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret' | 'stop'>;

interface Turn {
  readonly who: 0 | 1;
  readonly line: number;
  /** Whether the other person saves at the same moment. */
  readonly isAtOnce: boolean;
}

const stories = fc.array(
  fc.record({ who: fc.constantFrom(0 as const, 1 as const), line: fc.nat(5), isAtOnce: fc.boolean() }),
  { minLength: 3, maxLength: 8 },
);
const storiesEach = 5;
/** Far more attempts than a save with merges needs. */
const savesMax = 12;

class Writer {
  readonly #client: ServiceClient;
  readonly #stored = new StoredForm();
  #state: SaveState;
  text: string;

  constructor(client: ServiceClient, first: SavedQuery) {
    this.#client = client;
    this.#state = settledOn(first);
    this.text = first.query_string;
  }

  type(line: number, word: string): void {
    const lines = this.text.split('\n');
    const at = line % lines.length;
    lines[at] = `${lines[at] ?? ''} ${word}`;
    this.text = lines.join('\n');
  }

  /** Saves like a user who merges every conflict until the save succeeds. */
  async save(): Promise<void> {
    let event: SaveEvent = { kind: 'save', mine: draftFor(this.#state, this.text) };
    for (let attempt = 0; attempt < savesMax; attempt += 1) {
      const outcome = await runSave(this.#state, event, {
        client: this.#client,
        stored: this.#stored,
        labels: () => ({ mine: 'Mine', theirs: 'Theirs' }),
        onRecord: () => undefined,
      });
      assert.ok(outcome, `${this.#state.kind} takes no ${event.kind}`);
      this.#state = outcome.state;
      if (outcome.effect.kind === 'saved') return;
      event = this.#next(outcome.effect);
    }
    assert.fail('a save does not end');
  }

  #next(effect: SaveEffect): SaveEvent {
    if (effect.kind === 'ask')
      return { kind: 'choose', choice: 'merge', mine: draftFor(this.#state, this.text) };
    if (effect.kind === 'fill') this.text = effect.text;
    this.#keepBothSides();
    return { kind: 'save', mine: draftFor(this.#state, this.text) };
  }

  #keepBothSides(): void {
    const marks = new Set(
      markedRegions(this.text).flatMap(({ mine, middle, theirs }) => [mine, middle, theirs]),
    );
    this.text = this.text
      .split('\n')
      .filter((_, index) => !marks.has(index))
      .join('\n');
  }
}

export async function play(service: Service, turns: readonly Turn[], attempts = 1): Promise<void> {
  const clients = [1, 2].map(() => createClient({ ...service, retry: { attempts } }));
  try {
    const [client] = clients;
    assert.ok(client);
    const query_string = '  SELECT\n  alias,\n  email\nFROM accounts\nWHERE enabled\nLIMIT 10';
    const create = () => client.savedQueries.create({ name: randomUUID(), query_string });
    // A create is not repeated by the client, so an instance that was just killed takes it along.
    const first = await create().catch((error: unknown) => {
      if (attempts === 1) throw error;
      return create();
    });
    const writers = clients.map((each) => new Writer(each, first));
    const typed: string[] = [];
    for (const [index, { who, line, isAtOnce }] of turns.entries()) {
      const writing = isAtOnce ? writers : writers.slice(who, who + 1);
      for (const [number, writer] of writing.entries()) {
        const word = `w${index}x${number}x`;
        writer.type(line, word);
        typed.push(word);
      }
      await Promise.all(writing.map((writer) => writer.save()));
      const newest: SavedQuery = await client.savedQueries.get(first.query_id);
      const lost: readonly string[] = typed.filter((word) => !newest.query_string.includes(word));
      assert.deepEqual(lost, [], `lost in turn ${index}`);
      assert.deepEqual(markedRegions(newest.query_string), [], 'conflict markers were saved');
    }
  } finally {
    await Promise.all(clients.map((each) => each.close()));
  }
}

/** @param attempts how often a request is sent that may be repeated, for a service that is killed on the way */
export async function playStories(service: Service, attempts?: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(stories, (turns) => play(service, turns, attempts)),
    { numRuns: storiesEach, seed: 14 },
  );
}
