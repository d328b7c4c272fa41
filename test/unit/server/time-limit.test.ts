/** Endless work is terminated, and an editing feature that takes too long reports the timeout. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createFeatureLimit } from '#server/handlers/feature-limit.ts';
import { createTimeLimit, TooSlowError } from '#server/time-limit.ts';

/** Time limit for calls that must not be interrupted, even on a slow machine. */
const longMs = 600_000;

describe('a time limit', () => {
  const withinTime = createTimeLimit();

  it('returns the result of the work, and passes on its error', () => {
    assert.equal(
      withinTime(longMs, () => 7),
      7,
    );
    const failure = new RangeError('own');
    assert.throws(
      () =>
        withinTime(longMs, () => {
          throw failure;
        }),
      failure,
    );
  });

  it('terminates endless work: a loop, and a catastrophic regular expression', () => {
    assert.throws(
      () =>
        withinTime(20, () => {
          for (let index = 0; ; index++) if (index < 0) return;
        }),
      TooSlowError,
    );
    const text = `${'a'.repeat(60)}!`;
    // Lint forbids catastrophic expressions elsewhere.
    assert.throws(() => withinTime(20, () => new RegExp('^(a+)+$').test(text)), TooSlowError);
  });

  it('works again afterwards, even when nested', () => {
    assert.equal(
      withinTime(longMs, () => withinTime(longMs, () => 1) + withinTime(longMs, () => 2)),
      3,
    );
  });
});

describe('an editing feature that takes too long', () => {
  const tooSlow = (): string => {
    throw new TooSlowError(2_000);
  };
  function setUp(text: string) {
    const told: string[] = [];
    const limit = createFeatureLimit({ tell: (message) => told.push(message) });
    return { told, limit, document: TextDocument.create('file:///a.sql', 'identity-sql', 1, text) };
  }

  it('reports the timeout each time if a person requested it', () => {
    const { told, limit, document } = setUp('SELECT 1');
    assert.equal(limit.answer('rename', document, tooSlow), undefined);
    assert.equal(limit.answer('rename', document, tooSlow), undefined);
    assert.deepEqual(told, [
      'Renaming was stopped: it took longer than 2 seconds for this text. Split the text.',
      'Renaming was stopped: it took longer than 2 seconds for this text. Split the text.',
    ]);
    assert.equal(
      limit.answer('rename', document, () => 'done'),
      'done',
    );
  });

  it('is disabled after the second timeout if the editor requested it, with one report, until the text is shorter', () => {
    const { told, limit, document } = setUp('SELECT 1');
    assert.equal(limit.answer('hover', document, tooSlow), undefined);
    assert.equal(
      limit.answer('hover', document, () => 'once is no reason'),
      'once is no reason',
    );
    assert.equal(limit.answer('hover', document, tooSlow), undefined);
    assert.equal(
      limit.answer('hover', document, () => 'off'),
      undefined,
    );
    assert.deepEqual(told, [
      'Hover is off in this document until its text is shorter: it took longer than 2 seconds. Split the text.',
    ]);
    assert.equal(
      limit.answer('outline', document, () => 'another feature'),
      'another feature',
    );
    TextDocument.update(document, [{ text: 'SELECT' }], 2);
    assert.equal(
      limit.answer('hover', document, () => 'shorter'),
      'shorter',
    );
  });

  it('is terminated, and other errors are passed on', () => {
    const told: string[] = [];
    const document = TextDocument.create('file:///a.sql', 'identity-sql', 1, 'SELECT 1');
    const createLimit = (limitMs: number) =>
      createFeatureLimit({ tell: (message) => told.push(message), limitMs });
    const endless = (): string => {
      for (let index = 0; ; index++) if (index < 0) return '';
    };
    assert.equal(createLimit(20).answer('references', document, endless), undefined);
    assert.equal(told.length, 1);
    assert.throws(
      () =>
        createLimit(longMs).answer('references', document, () => {
          throw new TypeError('own');
        }),
      TypeError,
    );
  });
});
