/** Server lifecycle: exits, failed starts and restarts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { GoneServer } from '#client/features/language/gone-server.ts';
import { ServerLife } from '#client/features/language/server-life.ts';

/** Creates a server lifecycle with fake clients that record events. */
function setUp(starts: (nth: number, end: () => void) => Promise<void> = () => Promise.resolve()) {
  const events: string[] = [];
  const ends: (() => void)[] = [];
  const note = (event: string) => void events.push(event);
  const life = new ServerLife({
    create(onEnded) {
      const nth = ends.push(onEnded);
      const client = {
        async start() {
          note(`start ${nth}`);
          await starts(nth, onEnded);
        },
        dispose() {
          note(`stop ${nth}`);
          return Promise.resolve();
        },
      };
      return Promise.resolve(client as unknown as LanguageClient); // no other members are used
    },
    tellAgain() {
      note('tell again');
      return Promise.resolve();
    },
    gone: { tell: () => note('gone'), isBack: () => note('back') } as unknown as GoneServer, // no other members are used
    log: { debug: note, info: note, warn: note, error: note },
  });
  /** Simulates a crash of the newest client's server. */
  const crash = async () => {
    await life.client;
    ends.at(-1)?.();
    await life.client.catch(() => undefined);
  };
  return { life, events, crash };
}

suite('the lifecycle of the language server', () => {
  test('the server starts once, and a crash restarts it with the previous state', async () => {
    const { life, events, crash } = setUp();
    await life.client;
    assert.deepEqual(events, ['start 1', 'back']);
    await crash();
    assert.deepEqual(events.slice(2), ['start 2', 'back', 'tell again']);
  });

  test('after the fifth crash, the person is informed and can restart the server, which resets the count', async () => {
    const { life, events, crash } = setUp();
    for (let nth = 0; nth < 5; nth++) await crash();
    assert.deepEqual(
      events.filter((event) => event.startsWith('start')),
      ['start 1', 'start 2', 'start 3', 'start 4', 'start 5'],
    );
    assert.equal(events.at(-1), 'gone');
    await life.restart();
    assert.deepEqual(events.slice(-4), ['stop 5', 'start 6', 'back', 'tell again']);
    await crash();
    assert.equal(events.at(-1), 'tell again');
    assert.equal(events.filter((event) => event === 'gone').length, 1);
  });

  test('a server that ends while starting counts once, although it is reported twice', async () => {
    const { life, events } = setUp((nth, end) => {
      if (nth > 4) return Promise.resolve();
      end();
      return Promise.reject(new Error('connection got disposed'));
    });
    while (!events.includes('back')) await life.client.catch(() => undefined);
    assert.equal(events.filter((event) => event.startsWith('start')).length, 5);
    assert.ok(!events.includes('gone'));
  });

  test('a server that never starts is abandoned, and no failed client is reused', async () => {
    const { life, events } = setUp(() => Promise.reject(new Error('no')));
    while (!events.includes('gone')) await life.client.catch(() => undefined);
    assert.equal(events.filter((event) => event.startsWith('start')).length, 5);
    await assert.rejects(life.client);
    await assert.rejects(life.restart());
    assert.ok(!events.some((event) => event.startsWith('stop')));
  });

  test('a stopped server stays stopped', async () => {
    const { life, events, crash } = setUp();
    await life.client;
    await life.dispose();
    await crash();
    assert.deepEqual(events, ['start 1', 'back', 'stop 1']);
  });
});
