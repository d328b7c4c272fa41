/** Plans, derived from the files, their history and the service. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Draft } from '#core/saved-queries/merge-drafts.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { pairQueries, type QueryHere, type QueryThere } from '#core/sync/plan/pair.ts';
import { choicesOf, parsePlanFile, planFileOf, sendsTheSame } from '#core/sync/plan/plan-file.ts';
import { noChoices, planQueries, type Choices, type History, type PlanItem } from '#core/sync/plan/plan.ts';
import { nearest, relateField, relateText, type Sides } from '#core/sync/plan/relate.ts';

const labels = { mine: 'repository', theirs: 'service' };
const sides = (change: Partial<Sides>): Sides => ({
  mine: 'm',
  theirs: 't',
  history: [],
  agreed: undefined,
  ...change,
});
const lines = (...all: readonly string[]) => all.join('\n');

suite('who changed a text', () => {
  const [a, b, c] = [lines('a', 'x', 'y', 'z'), lines('b', 'x', 'y', 'z'), lines('c', 'x', 'y', 'z')];
  const bottom = lines('a', 'x', 'y', 'w');
  const cases: readonly (readonly [string, Partial<Sides>, object])[] = [
    ['neither', { mine: a, theirs: a }, { kind: 'same' }],
    [
      'the repository, when the service has what a commit had',
      { mine: b, theirs: a, history: [b, a] },
      { kind: 'mine' },
    ],
    ['the service, when it has what no commit had', { mine: a, theirs: b, history: [a] }, { kind: 'theirs' }],
    [
      'both, in different lines',
      { mine: b, theirs: bottom, history: [b, a] },
      { kind: 'merged', text: lines('b', 'x', 'y', 'w') },
    ],
    [
      'the service once more in the line of a pushed edit',
      { mine: b, theirs: c, history: [b, a], agreed: b },
      { kind: 'theirs' },
    ],
    [
      'the repository twice since the last push',
      { mine: c, theirs: a, history: [c, b, a], agreed: a },
      { kind: 'mine' },
    ],
    [
      'the service back to what it was',
      { mine: b, theirs: a, history: [b, a], agreed: b },
      { kind: 'theirs' },
    ],
    [
      'the repository, when another clone has pushed since',
      { mine: c, theirs: b, history: [c, b, a], agreed: a },
      { kind: 'mine' },
    ],
    [
      'the service, when a pull is not committed yet',
      { mine: b, theirs: c, history: [a], agreed: b },
      { kind: 'theirs' },
    ],
    [
      'the service, when a pull was thrown away',
      { mine: a, theirs: b, history: [a], agreed: b },
      { kind: 'theirs' },
    ],
    [
      'the repository, when the merge of a pull was committed',
      { mine: lines('b', 'x', 'y', 'w'), theirs: bottom, history: [lines('b', 'x', 'y', 'w'), b, a] },
      { kind: 'mine' },
    ],
  ];
  for (const [what, change, relation] of cases)
    test(what, () => assert.deepEqual(relateText(sides(change), labels), relation));

  test('both, in the same line, which is put between markers', () => {
    const relation = relateText(sides({ mine: b, theirs: c, history: [b, a], agreed: a }), labels);
    assert.equal(relation.kind, 'conflict');
    assert.match(
      'marked' in relation ? relation.marked : '',
      /<<<<<<< repository\nb\n=======\nc\n>>>>>>> service/,
    );
  });

  test('an edit over a discarded pull is a conflict, which is not pushed', () => {
    const relation = relateText(sides({ mine: c, theirs: b, history: [c, a], agreed: b }), labels);
    assert.equal(relation.kind, 'conflict');
  });

  test('the repository, if the first commit of a pulled file contains an edit', () => {
    const first = { mine: b, theirs: a, history: [b], agreed: a };
    assert.equal(relateText(sides(first), labels).kind, 'theirs');
    assert.deepEqual(relateText(sides({ ...first, isFirst: true }), labels), { kind: 'mine' });
  });

  test('the repository, if a pulled file was edited before its commit', () => {
    const both = lines('b', 'x', 'y', 'w');
    assert.deepEqual(relateText(sides({ mine: both, theirs: b, history: [both, a], agreed: b }), labels), {
      kind: 'mine',
    });
  });

  test('both, if a text has no shared history', () => {
    assert.equal(relateText(sides({}), labels).kind, 'conflict');
  });

  test('the service or the repository, even if only line endings differ', () => {
    const crlf = a.replaceAll('\n', '\r\n');
    assert.deepEqual(relateText(sides({ mine: a, theirs: crlf, history: [a] }), labels), { kind: 'theirs' });
    assert.deepEqual(relateText(sides({ mine: crlf, theirs: a, history: [crlf, a] }), labels), {
      kind: 'mine',
    });
  });

  test('the older of two equally close states is the base', () => {
    assert.equal(nearest([b, a], c), a);
  });
});

suite('who changed a field', () => {
  test('the service, if the repository never changed it', () => {
    assert.deepEqual(relateField(sides({ mine: 'a', theirs: 'b', history: ['a'] })), { kind: 'theirs' });
  });
  test('both, if the repository changed it too and the base is unknown', () => {
    assert.equal(relateField(sides({ mine: 'b', theirs: 'c', history: ['b', 'a'] })).kind, 'conflict');
  });
  test('the service, if it follows from the shared state', () => {
    const relation = relateField(sides({ mine: 'b', theirs: 'c', history: ['b', 'a'], agreed: 'b' }));
    assert.deepEqual(relation, { kind: 'theirs' });
  });
});

const draft = (change: Partial<Draft> = {}): Draft => ({
  name: 'A',
  query_string: 'SELECT 1',
  model: 'm',
  description: '',
  ...change,
});
const here = (change: Partial<Draft> = {}, id?: string): QueryHere => {
  const own = draft(change);
  return {
    file: `${own.name.toLowerCase()}.identity.sql`,
    draft: own,
    ids: id === undefined ? {} : { s: id },
  };
};
const there = (id: string, change: Partial<Draft> = {}, version = 1): QueryThere => ({
  id,
  version,
  draft: draft(change),
});
const historyOf = (...drafts: readonly Draft[]): History => ({
  name: drafts.map(({ name }) => name),
  model: drafts.map(({ model }) => model),
  description: drafts.map(({ description }) => description),
  query_string: drafts.map(({ query_string }) => query_string),
});

function plan(
  folder: readonly QueryHere[],
  service: readonly QueryThere[],
  known: {
    readonly past?: readonly Draft[];
    readonly removed?: readonly Draft[];
    readonly agreed?: readonly QueryThere[];
    readonly choices?: Partial<Choices>;
  } = {},
): readonly PlanItem[] {
  const agreed = new Map((known.agreed ?? []).map((query) => [query.id, query]));
  return planQueries({
    ...pairQueries({ queries: folder, held: [] }, service, 's'),
    historyOf: (query) => historyOf(query.draft, ...(known.past ?? [])),
    removedOf: () => (known.removed === undefined ? undefined : historyOf(...known.removed)),
    agreedOf: (id) => agreed.get(id),
    choices: { ...noChoices, ...known.choices },
    labels,
  }).items;
}
const kinds = (items: readonly PlanItem[]) => items.map(({ kind }) => kind);

suite('a plan', () => {
  test('is empty if both sides are equal', () => {
    assert.deepEqual(plan([here({}, 'q')], [there('q')]), []);
  });

  test('identifies a query by its ID, so a rename is a rename', () => {
    const items = plan([here({ name: 'B' }, 'q')], [there('q')], { past: [draft()] });
    assert.deepEqual(kinds(items), ['update']);
    assert.equal(items[0] && sayItem(items[0]).text, 'B (was A): changed here (name)');
  });

  test('identifies a query without an ID by its name', () => {
    assert.deepEqual(kinds(plan([here()], [there('q', { name: 'a ' })])), ['changedThere']);
    assert.deepEqual(kinds(plan([here()], [there('q')])), ['linked']);
    assert.deepEqual(kinds(plan([here({}, 'old')], [there('new')])), ['linked']);
  });

  test('creates queries that are new locally, and pulls those that are new on the service', () => {
    const other = there('q', { name: 'B', query_string: 'SELECT 2' });
    assert.deepEqual(kinds(plan([here()], [other])), ['create', 'newThere']);
  });

  test('creates no second query for a text that is on the service under another name', () => {
    const items = plan([here()], [there('q', { name: 'B' })]);
    assert.deepEqual(kinds(items), ['refused', 'newThere']);
  });

  test('merges changes on both sides with a pull', () => {
    const items = plan([here({ description: 'mine' }, 'q')], [there('q', { query_string: 'SELECT 2' })], {
      past: [draft()],
    });
    assert.deepEqual(kinds(items), ['merge']);
  });

  test('deletes nothing unless it is named', () => {
    const gone = [draft()];
    assert.deepEqual(kinds(plan([], [there('q')], { removed: gone })), ['deletedHere']);
    const choices = { deletes: new Map([['a', undefined]]) };
    assert.deepEqual(kinds(plan([], [there('q')], { removed: gone, choices })), ['delete']);
    assert.deepEqual(kinds(plan([here({}, 'q')], [])), ['deletedThere']);
    assert.deepEqual(kinds(plan([here({}, 'q')], [], { choices })), ['remove']);
    assert.deepEqual(kinds(plan([here({}, 'q')], [], { choices: { restores: new Set(['a']) } })), ['create']);
  });

  test('deletes an uncommitted text only if its version is named', () => {
    const edited = there('q', { query_string: 'SELECT 2' }, 3);
    const by = (version: number | undefined) =>
      kinds(plan([], [edited], { removed: [draft()], choices: { deletes: new Map([['a', version]]) } }));
    assert.deepEqual(by(undefined), ['deletedHere']);
    assert.deepEqual(by(2), ['deletedHere']);
    assert.deepEqual(by(3), ['delete']);
  });

  test('replaces only the named version', () => {
    const [mine, theirs] = [
      here({ query_string: 'SELECT 2' }, 'q'),
      there('q', { query_string: 'SELECT 3' }, 4),
    ];
    const by = (version: number) =>
      plan([mine], [theirs], { past: [draft()], choices: { replaces: new Map([['a', version]]) } });
    assert.deepEqual(kinds(plan([mine], [theirs], { past: [draft()] })), ['conflict']);
    assert.deepEqual(kinds(by(4)), ['update']);
    assert.deepEqual(kinds(by(3)), ['refused']);
  });

  test('sends a rename after the query that frees the name, and refuses a cycle', () => {
    const chain = plan(
      [here({ name: 'B' }, '1'), here({ name: 'C' }, '2')],
      [there('1', { name: 'A' }), there('2', { name: 'B' })],
      {
        past: [draft({ name: 'A' }), draft({ name: 'B' })],
        agreed: [there('1', { name: 'A' }), there('2', { name: 'B' })],
      },
    );
    assert.deepEqual(
      chain.map((item) => (item.kind === 'update' ? item.there.id : item.kind)),
      ['2', '1'],
    );
    const ring = plan(
      [here({ name: 'B' }, '1'), here({ name: 'A' }, '2')],
      [there('1', { name: 'A' }), there('2', { name: 'B' })],
      {
        agreed: [there('1', { name: 'A' }), there('2', { name: 'B' })],
        past: [draft({ name: 'A' }), draft({ name: 'B' })],
      },
    );
    assert.deepEqual(kinds(ring), ['refused', 'refused']);
    assert.match(ring[0] === undefined ? '' : sayItem(ring[0]).text, /swap names/);
  });

  test('does not send conflict markers', () => {
    const marked = lines('<<<<<<< repository', 'a', '=======', 'b', '>>>>>>> service');
    assert.deepEqual(kinds(plan([here({ query_string: marked }, 'q')], [there('q')], { past: [draft()] })), [
      'refused',
    ]);
    assert.deepEqual(kinds(plan([here({ query_string: marked })], [])), ['refused']);
  });

  test('survives the round trip through a file, and differs from another plan', () => {
    const parts = pairQueries({ queries: [here()], held: [] }, [], 's');
    const input = {
      ...parts,
      historyOf: () => historyOf(),
      removedOf: () => undefined,
      agreedOf: () => undefined,
      labels,
    };
    const choices: Choices = {
      deletes: new Map([
        ['a', undefined],
        ['b', 2],
      ]),
      restores: new Set(['c']),
      replaces: new Map([['d', 3]]),
    };
    const file = planFileOf(planQueries({ ...input, choices }), { service: 's', commit: 'c', choices });
    assert.deepEqual(parsePlanFile(JSON.stringify(file)), file);
    assert.deepEqual(choicesOf(file), choices);
    assert.ok(sendsTheSame(file, { ...file, commit: 'other' }));
    assert.ok(!sendsTheSame(file, { ...file, writes: [] }));
    assert.equal(parsePlanFile(JSON.stringify(file).replace('{', '{"service":"another",')), undefined);
    assert.equal(parsePlanFile('{}'), undefined);
    assert.equal(parsePlanFile('x'), undefined);
  });
});
