/** A few hundred of the thousands of stories of `npm run fuzz -- sync`: no line is lost, a push is its plan. */
import { suite, test } from 'node:test';
import { randomFrom } from '../../../helpers/random.ts';
import { playSync } from '../../../helpers/sync-model.ts';

suite('two clones and a service', () => {
  test('lose no line, and push the planned changes', async () => {
    for (let seed = 1; seed <= 300; seed += 1) await playSync(randomFrom(seed), 40);
  });
});
