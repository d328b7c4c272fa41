/** A page that fails to start is reported once; a working page is not. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { Handshake } from '#client/features/results/panel/handshake.ts';

function started(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let stuck = 0;
  const handshake = new Handshake(15_000, () => (stuck += 1));
  handshake.begin();
  return { handshake, pass: (ms: number) => context.mock.timers.tick(ms), stuck: () => stuck };
}

suite('the handshake with the page', () => {
  test('reports a page that does not load once, after the timeout', (context) => {
    const { handshake, pass, stuck } = started(context);
    pass(14_999);
    assert.equal(stuck(), 0);
    pass(1);
    assert.equal(stuck(), 1);
    handshake.end();
    pass(60_000);
    assert.equal(stuck(), 1);
  });

  test('does not report a page that has loaded', (context) => {
    const one = started(context);
    one.handshake.end();
    one.pass(60_000);
    assert.equal(one.stuck(), 0);
  });

  test('does not report a page that is hidden before it loads, and restarts the timeout when it is shown', (context) => {
    const { handshake, pass, stuck } = started(context);
    pass(14_000);
    handshake.end();
    pass(60_000);
    assert.equal(stuck(), 0);
    handshake.begin();
    pass(14_999);
    assert.equal(stuck(), 0);
    pass(1);
    assert.equal(stuck(), 1);
  });

  test('does not report a panel that was closed meanwhile', (context) => {
    const { handshake, pass, stuck } = started(context);
    handshake.dispose();
    pass(60_000);
    assert.equal(stuck(), 0);
  });
});
