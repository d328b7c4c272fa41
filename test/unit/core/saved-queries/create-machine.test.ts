/** Creating a query: every state with every event, and random sequences, in which a draft never becomes two queries. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  attemptOf,
  createStep,
  type Attempt,
  type CreateEvent,
  type CreateState,
  type CreateStep,
} from '#core/saved-queries/create-machine.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import type { Draft } from '#core/saved-queries/merge-drafts.ts';

const draft: Draft = {
  name: 'Orphans',
  query_string: 'SELECT 1',
  model: 'platform_identity',
  description: '',
};
const record: SavedQuery = { ...draft, query_id: 'q', version: 1 };
const stranger: SavedQuery = { ...record, name: 'ORPHANS ', query_string: 'SELECT 2', version: 7 };
const tried: readonly Attempt[] = [attemptOf(draft)];

const open = (attempts: readonly Attempt[] = []): CreateState => ({ kind: 'open', attempts });
const creating = (attempts: readonly Attempt[] = []): CreateState => ({ kind: 'creating', draft, attempts });
const looking = (
  reason: 'earlier' | 'taken' | 'conflict' | 'unanswered',
  attempts: readonly Attempt[] = [],
  of = draft,
): CreateState => ({
  kind: 'looking',
  draft: of,
  attempts,
  reason,
});
const failed = (
  kind: 'nameTaken' | 'conflict' | 'missing' | 'unsupported' | 'unanswered' | 'notSent' | 'refused',
): CreateEvent => ({
  kind: 'failed',
  answer: { kind },
});
const found = (...records: SavedQuery[]): CreateEvent => ({ kind: 'found', records });
const submit = (change: Partial<Draft> = {}): CreateEvent => ({
  kind: 'submit',
  draft: { ...draft, ...change },
});

function inWords(step: CreateStep | undefined): string {
  if (step === undefined) return 'nothing';
  const { effect, state } = step;
  const tries = state.attempts.length === 0 ? '' : ` [${state.attempts.length}]`;
  switch (effect.kind) {
    case 'find':
      return `find ${effect.names.join(', ')}${tries}`;
    case 'ask':
      return `ask about v${effect.holder?.version}${tries}`;
    case 'keep':
      return `keep, ${effect.reason}${tries}`;
    case 'done':
      return `done${effect.isEarlier ? ' earlier' : ''}${tries}`;
    case 'create':
      return `create${tries}`;
    default:
      return effect satisfies never;
  }
}

const table: readonly (readonly [string, CreateState, string, CreateEvent, string])[] = [
  ['open', open(), 'submit', submit(), 'create'],
  ['open after an unanswered create', open(tried), 'submit', submit(), 'find Orphans [1]'],
  ['open after an unanswered create', open(tried), 'another name', submit({ name: 'Leavers' }), 'find Leavers, Orphans [1]'],
  ['open', open(), 'an answer that is late', failed('refused'), 'nothing'],
  ['open', open(), 'a look that is late', found(record), 'nothing'],
  ['open', open(), 'a failed look that is late', { kind: 'unreadable' }, 'nothing'],

  ['open', open(), 'a look without a list that is late', { kind: 'unlisted' }, 'nothing'],

  ['creating', creating(), 'created', { kind: 'created', record }, 'done'],
  ['creating', creating(), 'taken', failed('nameTaken'), 'find Orphans'],
  ['creating', creating(), 'another conflict', failed('conflict'), 'find Orphans'],
  ['creating', creating(), 'no answer', failed('unanswered'), 'find Orphans [1]'],
  ['creating', creating(tried), 'no answer again', failed('unanswered'), 'find Orphans [1]'],
  ['creating', creating(), 'nobody there', failed('notSent'), 'keep, notSent'],
  ['creating', creating(), 'a refusal', failed('refused'), 'keep, refused'],
  ['creating', creating(), '404', failed('missing'), 'keep, refused'],
  ['creating', creating(), '405', failed('unsupported'), 'keep, refused'],
  ['creating', creating(), 'another submit', submit(), 'nothing'],

  ['looking, taken', looking('taken'), 'its holder', found(stranger), 'ask about v7'],
  ['looking, taken', looking('taken'), 'nobody holds it', found(), 'ask about vundefined'],
  ['looking, taken', looking('taken'), 'nobody there', { kind: 'unreadable' }, 'ask about vundefined'],
  ['looking, taken', looking('taken'), 'the same text, not ours', found(record), 'ask about v1'],
  ['looking, taken', looking('taken', tried), 'ours', found(record), 'done earlier'],
  ['looking, a conflict', looking('conflict'), 'its holder', found(stranger), 'ask about v7'],
  ['looking, a conflict', looking('conflict', tried), 'ours', found(record), 'done earlier'],
  ['looking, a conflict', looking('conflict'), 'nobody has the name', found(), 'keep, refused'],
  ['looking, a conflict', looking('conflict'), 'nobody there', { kind: 'unreadable' }, 'ask about vundefined'],
  ['looking, a conflict', looking('conflict'), 'no list', { kind: 'unlisted' }, 'ask about vundefined'],
  ['looking, no answer', looking('unanswered', tried), 'ours', found(record), 'done earlier'],
  ['looking, no answer', looking('unanswered', tried), 'nothing', found(), 'keep, unanswered [1]'],
  ['looking, no answer', looking('unanswered', tried), 'another', found(stranger), 'ask about v7 [1]'],
  ['looking, no answer', looking('unanswered', tried), 'nobody there', { kind: 'unreadable' }, 'keep, unknown [1]'],
  ['looking, earlier', looking('earlier', tried), 'ours', found(record), 'done earlier'],
  ['looking, earlier', looking('earlier', tried, { ...draft, name: 'Leavers' }), 'ours under its first name', found(record), 'done earlier'],
  ['looking, earlier', looking('earlier', tried, { ...draft, query_string: 'SELECT 3' }), 'ours, the text changed since', found(record), 'ask about v1'],
  ['looking, earlier', looking('earlier', tried), 'nothing', found(), 'create [1]'],
  ['looking, earlier', looking('earlier', tried), 'another', found(stranger), 'create [1]'],
  ['looking, earlier', looking('earlier', tried), 'nobody there', { kind: 'unreadable' }, 'keep, unknown [1]'],
  ['looking, taken', looking('taken', tried), 'no list', { kind: 'unlisted' }, 'ask about vundefined [1]'],
  ['looking, no answer', looking('unanswered', tried), 'no list', { kind: 'unlisted' }, 'keep, unlisted [1]'],
  ['looking, earlier', looking('earlier', tried), 'no list', { kind: 'unlisted' }, 'create [1]'],
  ['looking, earlier', looking('earlier', tried, { ...draft, name: 'Leavers' }), 'no list, another name', { kind: 'unlisted' }, 'keep, unlisted [1]'],
  ['looking', looking('taken'), 'submit', submit(), 'nothing'],
  ['looking', looking('taken'), 'an answer that is late', failed('refused'), 'nothing'],
]; // oxfmt-ignore

suite('creating', () => {
  for (const [from, state, what, event, expected] of table) {
    test(`${from}: ${what}`, () => assert.equal(inWords(createStep(state, event)), expected));
  }

  test('names are compared as the service compares them', () => {
    assert.equal(nameKeyOf(' Caf\u00e9 '), nameKeyOf('CAFE\u0301'));
    assert.notEqual(nameKeyOf('Cafe'), nameKeyOf('Caf\u00e9'));
  });

  test('one draft becomes one query, whatever is lost and whichever name is tried next', () => {
    const fates = ['arrives', 'is lost', 'answer is lost', 'is refused'] as const;
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name: fc.constantFrom('A', 'B', 'a '),
            fate: fc.constantFrom(...fates),
            look: fc.constantFrom('found' as const, 'unreadable' as const, 'unlisted' as const),
          }),
          { maxLength: 12 },
        ),
        (story) => {
          const service: SavedQuery[] = [];
          let state: CreateState = { kind: 'open', attempts: [] };
          let isDone = false;
          for (const { name, fate, look } of story) {
            if (isDone) break;
            let event: CreateEvent = { kind: 'submit', draft: { ...draft, name } };
            for (let step = createStep(state, event); step !== undefined; step = createStep(state, event)) {
              state = step.state;
              const { effect } = step;
              isDone ||= effect.kind === 'done';
              if (effect.kind === 'create') event = request(service, effect.draft, fate);
              else if (effect.kind === 'find') {
                const wanted = new Set(effect.names.map(nameKeyOf));
                event =
                  look === 'found'
                    ? { kind: look, records: service.filter((each) => wanted.has(nameKeyOf(each.name))) }
                    : { kind: look };
              } else break;
            }
          }
          assert.ok(service.length <= 1, `one draft became ${service.length} queries`);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function request(
  service: SavedQuery[],
  { name, ...rest }: Draft,
  fate: 'arrives' | 'is lost' | 'answer is lost' | 'is refused',
): CreateEvent {
  if (fate === 'is refused') return failed('refused');
  if (fate === 'is lost') return failed('unanswered');
  if (service.some((each) => nameKeyOf(each.name) === nameKeyOf(name))) return failed('nameTaken');
  const created: SavedQuery = { ...rest, name, query_id: name, version: 1 };
  service.push(created);
  return fate === 'arrives' ? { kind: 'created', record: created } : failed('unanswered');
}
