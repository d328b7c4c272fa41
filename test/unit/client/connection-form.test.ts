/** An open connection form without an editor: requests from its page, and the resulting state. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UserAbort } from '#api/client/errors.ts';
import { parseFormRequest } from '#client/features/connection/form/form-request.ts';
import {
  ConnectionForm,
  type Candidate,
  type FormWork,
  type TestOutcome,
} from '#client/features/connection/form/form-state.ts';
import { profileOf } from '#core/connections/parse-connection.ts';
import type { ConnectionFormState, TestedStep } from '#panel-protocol/connection-form.ts';

const texts = {
  name: 'Reviews',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'reviews',
  secretFrom: 'storage',
  scopes: 'read and write',
};
const old = profileOf({
  name: 'Production',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'production',
  ai: 'select',
  sensitiveColumns: ['salary*'],
});
const outcome: TestOutcome = {
  summary: 'Everything works',
  hasFailed: false,
  secretOrigin: 'entered',
  steps: [],
  copy: { title: 'Copy Report', href: 'command:copy' },
};

function open(change: Partial<FormWork> = {}) {
  const shown: ConnectionFormState[] = [];
  const tested: Candidate[] = [];
  const saved: Candidate[] = [];
  const warnings: (string | undefined)[] = [];
  let closed = 0;
  const form = new ConnectionForm({
    title: 'Add Connection',
    old: undefined,
    hasStoredSecret: false,
    secretHint: (keepsSecret) => (keepsSecret ? 'stored' : 'it is stored on saving'),
    others: () => [],
    test: (candidate) => {
      tested.push(candidate);
      return Promise.resolve(outcome);
    },
    save: (candidate, failure) => {
      saved.push(candidate);
      warnings.push(failure);
      return Promise.resolve();
    },
    close: () => {
      closed += 1;
    },
    show: (state) => shown.push(state),
    ...change,
  });
  return { form, shown, tested, saved, warnings, closed: () => closed };
}

function isStale({ test: { kind, ...report } }: ConnectionFormState): boolean {
  return kind === 'done' && 'isStale' in report && report.isStale;
}

suite('an open connection form', () => {
  test('tests and saves the input of its page, and closes once it is saved', async () => {
    const { form, tested, saved, closed } = open();
    await form.receive({ kind: 'ready' });
    await form.receive({ kind: 'test', texts, secret: 'hush-1' });
    assert.deepEqual(form.state.test, { ...outcome, kind: 'done', isStale: false });
    assert.equal(closed(), 0);
    await form.receive({ kind: 'save', texts, secret: 'hush-2' });
    assert.deepEqual(
      [...tested, ...saved].map(({ setting, secret }) => [setting.name, secret]),
      [
        ['Reviews', 'hush-1'],
        ['Reviews', 'hush-2'],
      ],
    );
    assert.equal(closed(), 1);
    assert.equal(form.draft, undefined);
  });

  test('no state that its page gets, and no draft, contains a secret', async () => {
    const { form, shown } = open();
    const secret = 'hush-and-never-back';
    await form.receive({ kind: 'change', texts: { ...texts, secret }, hasSecret: true });
    await form.receive({ kind: 'test', texts: { ...texts, secret }, secret });
    await form.receive({ kind: 'change', texts, hasSecret: true });
    assert.ok(shown.length > 3);
    assert.ok(!JSON.stringify([shown, form.state, form.draft]).includes(secret));
  });

  test('nothing is tested or saved while a field is invalid, and refusals are counted', async () => {
    const { form, tested, saved } = open();
    await form.receive({ kind: 'save', texts: { ...texts, name: '' }, secret: '' });
    assert.deepEqual(Object.keys(form.state.problems), ['name', 'secret']);
    await form.receive({ kind: 'test', texts, secret: '' });
    assert.deepEqual(Object.keys(form.state.problems), ['secret']);
    assert.equal(form.state.refusals, 2);
    assert.deepEqual([...tested, ...saved], []);
  });

  test('a save knows why the test of the same input failed', async () => {
    const steps = [
      { status: 'ok', text: 'fine' },
      { status: 'failed', text: 'The client ID is wrong.' },
    ].map((step) => ({ word: '', title: '', target: '', ms: 1, actions: [], ...step }) as TestedStep);
    const failed = () => Promise.resolve({ ...outcome, hasFailed: true, steps });
    const save = async (change: Partial<FormWork>, changes: Partial<typeof texts>, secret: string) => {
      const { form, warnings } = open(change);
      await form.receive({ kind: 'test', texts, secret: 'hush' });
      await form.receive({ kind: 'save', texts: { ...texts, ...changes }, secret });
      return warnings;
    };
    assert.deepEqual(await save({ test: failed }, {}, 'hush'), ['The client ID is wrong.']);
    assert.deepEqual(await save({}, {}, 'hush'), [undefined]);
    assert.deepEqual(await save({ test: failed }, { clientId: 'other' }, 'hush'), [undefined]);
    assert.deepEqual(await save({ test: failed }, {}, 'another'), [undefined]);
  });

  test('an entered secret is ignored if a variable or a program provides one', async () => {
    const { form, saved } = open();
    const from = { ...texts, secretFrom: 'variable', variable: 'IDENTITY_SECRET' };
    await form.receive({ kind: 'save', texts: from, secret: 'typed before the choice' });
    assert.deepEqual(
      saved.map(({ secret, setting }) => [secret, setting.secretVariable]),
      [[undefined, 'IDENTITY_SECRET']],
    );
  });

  test('the stored secret is kept while the addresses and the client stay; otherwise a new one is needed', async () => {
    const { form, saved } = open({ old, hasStoredSecret: true });
    const same = { ...texts, name: 'Renamed', clientId: 'production' };
    await form.receive({ kind: 'change', texts: same, hasSecret: false });
    assert.deepEqual([form.state.problems, form.state.hints.secret], [{}, 'stored']);
    await form.receive({ kind: 'change', texts: { ...same, clientId: 'else' }, hasSecret: false });
    assert.deepEqual(Object.keys(form.state.problems), ['secret']);
    assert.equal(form.state.hints.secret, 'it is stored on saving');
    await form.receive({ kind: 'save', texts: same, secret: '' });
    const [candidate] = saved;
    assert.equal(candidate?.secret, undefined);
    assert.deepEqual([candidate?.setting.ai, candidate?.setting.sensitiveColumns], ['select', ['salary*']]);
  });

  test('a reloaded page shows all input except for the secret', async () => {
    const { form } = open();
    await form.receive({ kind: 'change', texts, hasSecret: true });
    assert.deepEqual(form.state.problems, {});
    await form.receive({ kind: 'ready' });
    assert.deepEqual(Object.keys(form.state.problems), ['secret']);
    assert.equal(form.state.answers.name, 'Reviews');
  });

  test('a report is marked as outdated if the form has changed since', async () => {
    const { form } = open();
    await form.receive({ kind: 'test', texts, secret: 'hush' });
    await form.receive({ kind: 'change', texts: { ...texts, clientId: 'else' }, hasSecret: true });
    assert.equal(isStale(form.state), true);
  });

  test('a change during a test makes its report outdated immediately', async () => {
    const running = Promise.withResolvers<TestOutcome>();
    const { form } = open({ test: () => running.promise });
    const testing = form.receive({ kind: 'test', texts, secret: 'hush' });
    assert.deepEqual(form.state.test, { kind: 'running', done: 0 });
    await form.receive({ kind: 'change', texts: { ...texts, name: 'Else' }, hasSecret: true });
    running.resolve(outcome);
    await testing;
    assert.equal(isStale(form.state), true);
  });

  test('a test names its steps, and Stop ends it without a report', async () => {
    const slow: FormWork['test'] = async (_, signal, stepDone) => {
      stepDone('TLS');
      stepDone('Token');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new UserAbort('stopped');
    };
    const { form } = open({ test: slow });
    const testing = form.receive({ kind: 'test', texts, secret: 'hush' });
    assert.deepEqual(form.state.test, { kind: 'running', done: 2, last: 'Token' });
    await form.receive({ kind: 'stop' });
    await testing;
    assert.deepEqual(form.state.test, { kind: 'none' });
  });

  test('closing or saving ends a running test', async () => {
    const aborted: string[] = [];
    const slow =
      (name: string): FormWork['test'] =>
      async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted.push(name);
        throw new UserAbort('stopped');
      };
    const closing = open({ test: slow('closed') });
    const first = closing.form.receive({ kind: 'test', texts, secret: 'hush' });
    closing.form.dispose();
    await first;
    const saving = open({ test: slow('saved') });
    const second = saving.form.receive({ kind: 'test', texts, secret: 'hush' });
    await saving.form.receive({ kind: 'save', texts, secret: 'hush' });
    await second;
    assert.deepEqual(aborted, ['closed', 'saved']);
  });

  test('a test that cannot start shows the reason, and a change clears the message', async () => {
    const { form } = open({ test: () => Promise.reject(new Error('no [such](command:x) file')) });
    await form.receive({ kind: 'test', texts, secret: 'hush' });
    assert.deepEqual(form.state.test, { kind: 'failed', message: 'no [such] (command:x) file' });
    await form.receive({ kind: 'change', texts, hasSecret: true });
    assert.deepEqual(form.state.test, { kind: 'none' });
  });

  test('a failed save shows the reason, keeps the form open and can be repeated', async () => {
    let fails = true;
    const { form, closed } = open({
      save: () => (fails ? Promise.reject(new Error('the settings file is read-only')) : Promise.resolve()),
    });
    await form.receive({ kind: 'save', texts, secret: 'hush' });
    assert.deepEqual(
      [form.state.failure, form.state.isSaving, closed()],
      ['the settings file is read-only', false, 0],
    );
    fails = false;
    await form.receive({ kind: 'save', texts, secret: 'hush' });
    assert.equal(closed(), 1);
  });

  test('pressing Save twice saves once', async () => {
    const saving = Promise.withResolvers<undefined>();
    let count = 0;
    const { form } = open({
      save: () => {
        count += 1;
        return saving.promise;
      },
    });
    const both = [1, 2].map(() => form.receive({ kind: 'save', texts, secret: 'hush' }));
    assert.equal(form.state.isSaving, true);
    saving.resolve(undefined);
    await Promise.all(both);
    assert.equal(count, 1);
  });

  test('a page closed without saving leaves a draft, and the next page starts with it', async () => {
    const { form, closed } = open();
    await form.receive({ kind: 'change', texts, hasSecret: true });
    const { draft } = form;
    assert.equal(draft?.clientId, 'reviews');
    const next = open({ draft });
    assert.equal(next.form.state.answers.clientId, 'reviews');
    assert.notEqual(next.form.draft, undefined);
    await form.receive({ kind: 'cancel' });
    assert.deepEqual([form.draft, closed()], [undefined, 1]);
  });

  test('a secret alone is also a draft, which is not lost silently', async () => {
    const { form } = open({ old, hasStoredSecret: true });
    await form.receive({ kind: 'change', texts: form.state.answers, hasSecret: false });
    assert.equal(form.draft, undefined);
    await form.receive({ kind: 'change', texts: form.state.answers, hasSecret: true });
    assert.notEqual(form.draft, undefined);
  });
});

suite('messages from the connection page', () => {
  test('are accepted only with a valid shape', () => {
    const good = { kind: 'save', texts, secret: 'hush' };
    assert.deepEqual(parseFormRequest(good), good);
    for (const kind of ['ready', 'stop', 'cancel']) assert.deepEqual(parseFormRequest({ kind }), { kind });
    const bad = [
      undefined,
      'save',
      { kind: 'else' },
      { kind: 'save', texts },
      { kind: 'save', texts, secret: 7 },
      { kind: 'change', texts: { name: 7 }, hasSecret: true },
      { kind: 'change', texts },
    ];
    for (const each of bad) assert.equal(parseFormRequest(each), undefined);
  });
});
