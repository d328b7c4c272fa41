/** The results and logs of failing handlers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResponseError, type RemoteConsole } from 'vscode-languageserver/node';
import { createGuard } from '#server/guard.ts';

function setUp() {
  const logged: string[] = [];
  // The guard only logs errors.
  const guard = createGuard({ error: (line: string) => logged.push(line) } as unknown as RemoteConsole);
  return { guard, logged };
}

const fail = (): never => {
  throw new SyntaxError(`Unexpected token in "SELECT secret\nFROM salaries"`);
};

describe('a handler that fails', () => {
  for (const [name, answer] of [
    ['at once', fail],
    ['later', () => Promise.reject(new SyntaxError('SELECT secret\n    at salaries'))],
  ] as const) {
    it(`${name}: returns nothing, and logs the location of the failure but not the message`, async () => {
      const { guard, logged } = setUp();
      assert.equal(await guard<unknown>('hover', answer), null);
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? '', /^hover failed: SyntaxError\n {4}at .*guard\.test\.ts/);
      assert.doesNotMatch(logged[0] ?? '', /secret/);
      assert.doesNotMatch(logged[0] ?? '', /salaries/);
    });
  }

  it('passes on an intended response', async () => {
    const { guard, logged } = setUp();
    const answer = new ResponseError(1, 'The document has changed.');
    assert.throws(
      () =>
        guard('rename', () => {
          throw answer;
        }),
      answer,
    );
    await assert.rejects(
      guard('check', () => Promise.reject(answer)),
      answer,
    );
    assert.deepEqual(logged, []);
  });

  it('does not affect a handler that succeeds', async () => {
    const { guard, logged } = setUp();
    assert.equal(
      guard('hover', () => 1),
      1,
    );
    assert.equal(await guard('hover', () => Promise.resolve(2)), 2);
    assert.deepEqual(logged, []);
  });
});
