/** Editor objects that sanitize text when it is assigned. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fitted, whereGiven } from '#client/ui/shown/fitted.ts';

class Item {
  text = '';
  tooltip: string | undefined;
  value = '';
  readonly #shown: string[] = [];

  get shown(): readonly string[] {
    return this.#shown;
  }

  show(): void {
    this.#shown.push(this.text);
  }
}

const upper = (text: string) => text.toUpperCase();

suite('objects with safe texts', () => {
  test('assigned texts are sanitized, and everything else is unchanged', () => {
    const item = new Item();
    const shown = fitted(item, { text: upper, tooltip: whereGiven(upper) });
    shown.text = 'a';
    shown.tooltip = 'b';
    shown.value = 'c';
    assert.deepEqual([item.text, item.tooltip, item.value], ['A', 'B', 'c']);
    shown.tooltip = undefined;
    assert.equal(item.tooltip, undefined);
  });

  test('methods and getters work on the object itself', () => {
    const shown = fitted(new Item(), { text: upper });
    shown.text = 'a';
    shown.show();
    assert.deepEqual(shown.shown, ['A']);
  });

  test('a function can be called before a method', () => {
    const item = new Item();
    const calls: string[] = [];
    const shown = fitted(item, { text: upper }, { show: () => calls.push(`before ${item.shown.length}`) });
    shown.text = 'a';
    assert.deepEqual(calls, []);
    shown.show();
    assert.deepEqual(calls, ['before 0']);
    assert.deepEqual(shown.shown, ['A']);
  });

  test('frozen objects with texts behind setters work too', () => {
    let text = '';
    const item: { text: string; readonly show: () => string } = {
      get text() {
        return text;
      },
      set text(value: string) {
        text = value;
      },
      show: () => `shown ${text}`,
    };
    Object.freeze(item);
    const shown = fitted(item, { text: upper });
    shown.text = 'a';
    assert.equal(shown.text, 'A');
    assert.equal(shown.show(), 'shown A');
  });
});
