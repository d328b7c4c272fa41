/** The gate before every query: what goes, what is asked about, what is refused, and that nothing goes around it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { AcceptedFunctions } from '../../../core/src/policy/accepted-functions.ts';
import { mayRun, type GateFacts } from '../../../core/src/policy/may-run.ts';
import { Analyser } from '../../../server/src/language/analyser.ts';
import { WorkerParser } from '../../../server/src/parser/worker-parser.ts';
import type { CalledPart, ReadOnlyVerdict } from '../../../server/src/protocol.ts';

const strict: GateFacts = { isProofRequired: true, isKnownToRun: false, isAccepted: () => false };
const nextval: CalledPart = { kind: 'function', name: 'nextval', does: 'changes a sequence' };
const mine: CalledPart = { kind: 'function', name: 'mine' };
const other: CalledPart = { kind: 'function', name: 'other' };

suite('the gate', () => {
  const cases: readonly (readonly [ReadOnlyVerdict, Partial<GateFacts>, string])[] = [
    ['read-only', {}, 'go'],
    ['read-only', { isProofRequired: false }, 'go'],
    ['not-read-only', {}, 'refuse'],
    ['not-read-only', { isKnownToRun: true, isAccepted: () => true }, 'refuse'],
    ['not-read-only', { isProofRequired: false }, 'go'],
    ['syntax-error', {}, 'ask syntax-error'],
    ['syntax-error', { isProofRequired: false }, 'ask syntax-error'],
    ['syntax-error', { isKnownToRun: true }, 'go'],
    ['unverified', {}, 'ask unverified'],
    ['unverified', { isAccepted: () => true }, 'ask unverified'],
    ['unverified', { isKnownToRun: true }, 'go'],
    ['side-effects', {}, 'ask side-effects'],
    ['side-effects', { isKnownToRun: true, isAccepted: () => true }, 'ask side-effects'],
    ['side-effects', { isProofRequired: false }, 'go'],
    ['unknown-function', {}, 'ask unknown-function'],
    ['unknown-function', { isKnownToRun: true }, 'ask unknown-function'],
    ['unknown-function', { isAccepted: () => true }, 'go'],
    ['unknown-function', { isAccepted: ({ name }) => name === 'mine' }, 'ask unknown-function'],
    ['unknown-function', { isProofRequired: false }, 'go'],
  ];
  for (const [verdict, facts, expected] of cases) {
    test(`${verdict}, ${JSON.stringify(Object.keys(facts))}: ${expected}`, () => {
      const calls =
        verdict === 'side-effects' ? [nextval, mine] : verdict === 'unknown-function' ? [mine, other] : [];
      const permission = mayRun({ verdict, calls }, { ...strict, ...facts });
      assert.equal(permission.kind === 'ask' ? `ask ${permission.reason}` : permission.kind, expected);
    });
  }

  test('a question is about what is new to the person', () => {
    const permission = mayRun(
      { verdict: 'unknown-function', calls: [mine, other] },
      { ...strict, isAccepted: ({ name }) => name === 'mine' },
    );
    assert.deepEqual(permission, { kind: 'ask', reason: 'unknown-function', parts: [other] });
    const effects = mayRun({ verdict: 'side-effects', calls: [nextval, mine] }, strict);
    assert.deepEqual(effects, { kind: 'ask', reason: 'side-effects', parts: [nextval] });
  });

  test('what a server of another version says is asked about', () => {
    const verdict = 'certainly-fine' as ReadOnlyVerdict; // from outside
    assert.deepEqual(mayRun({ verdict }, strict), { kind: 'ask', reason: 'unverified', parts: [] });
    assert.equal(mayRun({ verdict: 'unknown-function' }, strict).kind, 'ask');
  });
});

suite('functions that were run although nobody knows them', () => {
  const open = (stored = new Map<string, unknown>()) => ({
    stored,
    accepted: new AcceptedFunctions({
      get: (key) => stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, value)),
    }),
  });

  test('are remembered for the connection, over a restart', async () => {
    const { stored, accepted } = open();
    assert.ok(!accepted.has('a', mine));
    await accepted.accept('a', [mine, mine]);
    await accepted.accept('a', [other]);
    for (const one of [accepted, open(stored).accepted]) {
      assert.ok(one.has('a', mine) && one.has('a', other));
      assert.ok(!one.has('b', mine));
      assert.ok(!one.has('a', { kind: 'type', name: 'mine' }));
      assert.ok(!one.has('a', { kind: 'function', name: 'x.mine' }));
    }
  });

  test('whatever is in the storage', async () => {
    for (const value of ['x', [], null, { a: 'x' }, { a: [1, null] }, { __proto__: ['function mine'] }]) {
      const { accepted } = open(new Map([['identityQueries.acceptedFunctions', value]]));
      assert.ok(!accepted.has('a', mine));
      assert.ok(!accepted.has('constructor', mine));
      await accepted.accept('a', [mine]);
      assert.ok(accepted.has('a', mine));
    }
  });
});

const root = path.join(import.meta.dirname, '../../..');
/** Files of a folder that send queries, with their text. */
const senders = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      name: path.basename(file),
      text: readFileSync(path.join(root, folder, file), 'utf8'),
    }))
    .filter(({ text }) => /\bqueries\s*\??\.\s*(execute|pages)\s*\(/.test(text));

suite('callers of execute', () => {
  const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
  const analyser = new Analyser(parser);
  after(() => parser.dispose());
  const callers = ['client/src', 'core/src', 'cli', 'api/client', 'server/src'].flatMap(senders);
  /** What people write passes the gate in the controller, which is the only one to build a request of it. */
  const ofPeople = 'run-controller.ts';

  test('are the run controller, and what sends queries of its own', () => {
    const found = callers.map(({ name }) => name).filter((name) => name !== ofPeople);
    assert.deepEqual(found.sort(), ownSenders);
  });

  test('the run controller asks the gate before it sends', () => {
    const { text = '' } = callers.find(({ name }) => name === ofPeople) ?? {};
    const execute = text.indexOf('async #execute(');
    const gate = text.indexOf('this.#mayGoOn(', execute);
    assert.ok(execute > 0 && gate > execute && gate < text.indexOf('queries.execute(', execute));
    assert.equal(text.split('queries.execute(').length, 2);
  });

  test('queries of its own are proven to only read', async () => {
    const queries = callers
      .filter(({ name }) => ownSenders.includes(name))
      .flatMap(({ text }) => [...text.matchAll(/`(SELECT\b[^`]*)`|'(SELECT\b[^'\n]*)'/g)])
      .map(([, template, plain]) =>
        (template ?? plain ?? '')
          .replaceAll(/\$\{[^}]*\}/g, 'x')
          .replaceAll('\\n', '\n')
          .replaceAll(/\(\s*x\s*\)/g, '(SELECT 1)'),
      );
    assert.ok(queries.length >= 12, String(queries.length));
    for (const sql of queries) {
      const analysis = await analyser.analyse(sql, { isSavedQuery: true });
      assert.deepEqual(
        analysis?.statements.map(({ verdict }) => verdict),
        ['read-only'],
        sql,
      );
    }
  });
});

/** Their queries are fixed texts; what varies in them are parameters, and names from our own contract. */
const ownSenders: readonly string[] = [
  'ask-filter.ts',
  'change-service.ts',
  'choose-id.ts',
  'connection-test.ts',
  'find-record.ts',
  'memberships.ts',
  'model-schema.ts',
  'of-record.ts',
  'open-referring.ts',
  'preview.ts',
];
