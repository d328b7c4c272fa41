/** Splitting command lines as users type them. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { joinCommand, splitCommand } from '#core/connections/command-line.ts';

suite('splitCommand', () => {
  const lines: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['vault read -field=secret identity', ['vault', 'read', '-field=secret', 'identity']],
    ['  a   b ', ['a', 'b']],
    ['"C:\\Program Files\\vault.exe" read', ['C:\\Program Files\\vault.exe', 'read']],
    [`a 'b "c"' ""`, ['a', 'b "c"', '']],
    ['--x="a b"', ['--x=a b']],
    ['a $HOME `id`;b', ['a', '$HOME', '`id`;b']],
    ['a "b', undefined],
    ['', undefined],
    ['""', undefined],
  ];
  for (const [line, words] of lines) {
    test(line === '' ? '(empty)' : line, () => assert.deepEqual(splitCommand(line), words));
  }

  test('splits what joinCommand joins, whatever the words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) =>
        assert.deepEqual(splitCommand(joinCommand(words)), words),
      ),
    );
  });
});
