/** Rows that change while the editor asks for them, as it keeps what it asked for and drops the change. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AskedRows } from '#client/ui/shown/asked-rows.ts';

/** An editor that hears of a change only when it is not waiting for rows. */
class Editor {
  #waiting = 0;
  readonly drawn: (string | undefined)[] = [];
  readonly asked = new AskedRows<string>({
    draw: (rows) => {
      assert.equal(this.#waiting, 0, 'the editor still waits');
      this.drawn.push(...rows);
    },
    whenTaken: async () => {
      await new Promise(setImmediate);
      this.#waiting = 0;
    },
  });

  async ask(row: string | undefined, rows: () => readonly string[] | Promise<readonly string[]>) {
    this.#waiting += 1;
    return await this.asked.answer(row, rows);
  }

  /** Until every round for answers is over. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }
}

suite('rows that the editor asks for', () => {
  test('what changes before the answer is drawn again after it, once', async () => {
    const editor = new Editor();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const answer = editor.ask('query', () => promise);
    editor.asked.change();
    editor.asked.change();
    await editor.rest();
    assert.deepEqual(editor.drawn, []);
    resolve(['version']);
    assert.deepEqual(await answer, ['version']);
    await editor.rest();
    assert.deepEqual(editor.drawn, ['query']);
  });

  test('what changes after the answer, but before the editor has it, is drawn again', async () => {
    const editor = new Editor();
    await editor.ask(undefined, () => ['query']);
    editor.asked.change();
    await editor.rest();
    assert.deepEqual(editor.drawn, [undefined]);
  });

  test('a change at another time draws nothing more, nor do rows that nobody changed', async () => {
    const editor = new Editor();
    await editor.ask('query', () => ['version']);
    await editor.rest();
    editor.asked.change();
    await editor.rest();
    assert.deepEqual(editor.drawn, []);
  });

  test('rows that cannot be read are drawn again too, and answers in between are heard', async () => {
    const editor = new Editor();
    const failing = editor.ask('one', () => Promise.reject(new Error('gone')));
    editor.asked.change();
    await assert.rejects(failing, /gone/);
    const other = editor.ask('other', () => ['version']);
    editor.asked.change();
    await other;
    await editor.rest();
    assert.deepEqual(editor.drawn, ['one', 'other']);
  });

  test('rows asked for at once are all drawn again, as the editor gets one answer after the last of them', async () => {
    const editor = new Editor();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    await editor.ask('quick', () => ['version']);
    const slow = editor.ask('slow', () => promise);
    await editor.rest();
    editor.asked.change();
    resolve([]);
    await slow;
    await editor.rest();
    assert.deepEqual(editor.drawn, ['quick', 'slow']);
  });

  test('a window that closes ends the rounds quietly', async () => {
    const drawn: unknown[] = [];
    const asked = new AskedRows<string>({
      draw: (rows) => drawn.push(...rows),
      whenTaken: () => Promise.reject(new Error('closed')),
    });
    await asked.answer('query', () => []);
    asked.change();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(drawn, ['query']);
  });
});
