/** Updates of the editor's storage that follow each other closely, or that another window overtakes. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ExtensionContext, Memento } from 'vscode';
import { OrderedMemento, withOrderedStores } from '#client/session/ordered-memento.ts';

/**
 * The editor's own memento as of 1.106: all keys are one value, which is sent to the main process a moment later, and
 * taken over as it comes back.
 */
class EditorMemento implements Memento {
  #here: Record<string, unknown> = {};
  stored: Record<string, unknown> = {};
  /** Called when a value arrives in the main process. */
  onArrival: () => void = () => undefined;

  keys(): readonly string[] {
    return Object.keys(this.#here).filter((key) => this.#here[key] !== undefined);
  }

  get<T>(key: string, defaultValue?: T): T {
    return (this.#here[key] ?? defaultValue) as T; // as the editor's
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#here[key] = value;
    await setImmediate();
    const sent = structuredClone(this.#here);
    await setImmediate();
    this.stored = sent;
    this.onArrival();
    await setImmediate();
    this.#here = structuredClone(this.stored);
    await setImmediate();
  }

  /** Another window stores its keys. */
  takeOver(value: Record<string, unknown>): void {
    this.stored = value;
    this.#here = structuredClone(value);
  }
}

suite('storage of the editor', () => {
  const made = () => {
    const editor = new EditorMemento();
    return { editor, store: new OrderedMemento(editor) };
  };

  test('an update while another one is under way is not lost', async () => {
    for (let turns = 0; turns < 6; turns += 1) {
      const { editor, store } = made();
      const first = store.update('a', 1);
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      const second = store.update('b', { c: [2] });
      assert.deepEqual([store.get('a'), store.get('b')], [1, { c: [2] }]);
      await Promise.all([first, second]);
      assert.deepEqual(editor.stored, { a: 1, b: { c: [2] } }, `${turns} turns later`);
      assert.deepEqual([store.get('a'), store.get('b')], [1, { c: [2] }]);
    }
  });

  test('of two updates of one key, the later one counts at once and in the end', async () => {
    const { editor, store } = made();
    const value = { text: 'a' };
    const both = [store.update('a', value), store.update('a', undefined)];
    value.text = 'changed';
    assert.equal(store.get('a'), undefined);
    await Promise.all(both);
    assert.deepEqual([editor.stored['a'], store.get('a')], [undefined, undefined]);
  });

  test("another window's update does not undo this one's", async () => {
    const { editor, store } = made();
    editor.onArrival = () => {
      editor.onArrival = () => undefined;
      editor.takeOver({ theirs: 1 });
    };
    await store.update('mine', 2);
    assert.deepEqual(editor.stored, { theirs: 1, mine: 2 });
  });

  test('an error of the editor reaches the caller, and later updates work', async () => {
    const { editor, store } = made();
    editor.onArrival = () => {
      editor.onArrival = () => undefined;
      throw new Error('no space left');
    };
    await assert.rejects(store.update('a', 1), /no space left/);
    await store.update('b', 2);
    assert.equal(editor.stored['b'], 2);
  });

  test('keys are those that will be stored', async () => {
    const { store } = made();
    await Promise.all([store.update('a', 1), store.update('b', 2)]);
    const later = [store.update('a', undefined), store.update('c', 3)];
    assert.deepEqual(store.keys(), ['b', 'c']);
    await Promise.all(later);
    assert.deepEqual(store.keys(), ['b', 'c']);
  });

  test('both stores of the context are in order, and its other members are not read', async () => {
    const [workspaceState, globalState] = [new EditorMemento(), new EditorMemento()];
    const synced: (readonly string[])[] = [];
    const given = {
      workspaceState,
      globalState: Object.assign(globalState, {
        setKeysForSync: (keys: readonly string[]) => void synced.push(keys),
      }),
      extensionPath: '/here',
      get extensionRuntime(): never {
        throw new Error('a proposed API');
      },
    };
    const context = withOrderedStores(Object.freeze(given) as unknown as ExtensionContext);
    assert.equal(context.extensionPath, '/here');
    for (const [store, editor] of [
      [context.workspaceState, workspaceState],
      [context.globalState, globalState],
    ] as const) {
      const first = store.update('a', 1);
      await setImmediate();
      await Promise.all([first, store.update('b', 2)]);
      assert.deepEqual(editor.stored, { a: 1, b: 2 });
    }
    context.globalState.setKeysForSync(['a']);
    assert.deepEqual(synced, [['a']]);
  });
});
