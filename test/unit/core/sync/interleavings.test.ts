/** Some of the random sequences that `npm run fuzz -- sync` tests: no line is lost, and a push follows its plan. */
import { suite, test } from 'node:test';
import { randomFrom } from '#test/helpers/random.ts';
import { playSync } from '#test/helpers/sync-model.ts';

suite('two clones and a service', () => {
  test('lose no line, and push the planned changes', async () => {
    for (let seed = 1; seed <= 300; seed += 1) await playSync(randomFrom(seed), 40);
  });
});
