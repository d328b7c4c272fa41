/** A name counts as unknown only after the service has been asked again, but not on every keystroke. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Confirmation } from '#client/features/models/models-store.ts';
import { UnknownNames, type NameFinding, type NamePlace } from '#client/features/models/unknown-names.ts';

const uri = 'file:///a.identity.sql';
const finding = (code: string, message: string): NameFinding => ({ code, message });
const other = finding('SELECT_STAR', 'all columns');
const mail = finding('UNKNOWN_COLUMN', 'accounts has no column mail');
const table = finding('UNKNOWN_TABLE', 'no table acounts');

function harness(place: Partial<NamePlace> | undefined, answers: Confirmation[] = []) {
  const shown: (readonly string[])[] = [];
  const asked: (readonly string[])[] = [];
  const clock = { now: 0 };
  let answer: (() => void) | undefined;
  const names = new UnknownNames<NameFinding>({
    placeOf: () =>
      place && { connection: 'Acme', models: ['platform_identity'], canAsk: true, isFresh: true, ...place },
    confirm: async (models) => {
      asked.push(models);
      await new Promise<void>((resolve) => (answer = resolve));
      return answers.shift() ?? 'same';
    },
    now: () => clock.now,
  });
  return {
    shown,
    asked,
    clock,
    names,
    review: (...diagnostics: NameFinding[]) =>
      names.review(uri, diagnostics, (some) => shown.push(some.map(({ message }) => message))),
    /** Delivers the service's response, and waits for its effects. */
    answer: async () => {
      answer?.();
      await new Promise(setImmediate);
    },
  };
}

suite('unknown names', () => {
  test('any other finding is shown immediately, without a request', () => {
    const { review, shown, asked } = harness({});
    review(other);
    review();
    assert.deepEqual(shown, [[other.message], []]);
    assert.deepEqual(asked, []);
  });

  test('an unknown name is held back until the service has confirmed it; other findings are not', async () => {
    const { review, shown, asked, answer } = harness({});
    review(other, mail);
    assert.deepEqual(shown, [[other.message]]);
    assert.deepEqual(asked, [['platform_identity']]);
    await answer();
    assert.deepEqual(shown.at(-1), [other.message, mail.message]);
    review(mail);
    assert.deepEqual(shown.at(-1), [mail.message], 'confirmed once is enough');
    assert.equal(asked.length, 1);
  });

  test('a name that exists by then is never shown', async () => {
    const { review, shown, answer } = harness({}, ['changed']);
    review(mail);
    await answer();
    review();
    assert.deepEqual(shown, [[], []]);
  });

  test('a response covers all names for half a minute; then the service is asked again', async () => {
    const { review, shown, asked, answer, clock } = harness({});
    review(mail);
    await answer();
    clock.now = 29_999;
    review(mail, table);
    assert.deepEqual(shown.at(-1), [mail.message, table.message]);
    assert.equal(asked.length, 1);
    clock.now = 30_001;
    review(mail, finding('UNKNOWN_TABLE', 'no table rolls'));
    assert.deepEqual(shown.at(-1), [mail.message], 'what was confirmed stays');
    assert.equal(asked.length, 2);
    await answer();
    assert.deepEqual(shown.at(-1), [mail.message, 'no table rolls']);
  });

  test('outdated findings are not restored, and only one request is sent', async () => {
    const { review, shown, asked, answer } = harness({});
    review(mail);
    review(table);
    review(other);
    await answer();
    assert.deepEqual(shown, [[], [], [other.message]]);
    assert.equal(asked.length, 1);
  });

  test('without a response, models that this window read are trusted, and cached ones are not', async () => {
    const fresh = harness({}, ['unanswered']);
    fresh.review(mail);
    await fresh.answer();
    assert.deepEqual(fresh.shown.at(-1), [mail.message]);
    const kept = harness({ isFresh: false }, ['unanswered']);
    kept.review(mail);
    await kept.answer();
    assert.deepEqual(kept.shown, [[]]);
    kept.review(mail);
    assert.deepEqual(kept.shown, [[], []]);
    assert.equal(kept.asked.length, 1);
  });

  test("a document of another connection is checked with that connection's models, without a request", () => {
    const fresh = harness({ canAsk: false });
    fresh.review(mail);
    const kept = harness({ canAsk: false, isFresh: false });
    kept.review(mail, other);
    assert.deepEqual([fresh.shown, kept.shown], [[[mail.message]], [[other.message]]]);
    assert.deepEqual([fresh.asked, kept.asked], [[], []]);
  });

  test('a closed document leaves nothing behind', async () => {
    const { review, shown, names, answer } = harness({});
    review(mail);
    names.forget(uri);
    await answer();
    assert.deepEqual(shown, [[]]);
  });
});
