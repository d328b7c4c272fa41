/** Each claim in the README has a test or a benchmark behind it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { claims, problemsOfClaims } from '#scripts/lib/claims.js';
import { fromRoot } from '#scripts/lib/paths.js';

suite('claims in the README', () => {
  test('exist, and have existing proofs', () => {
    assert.deepEqual(problemsOfClaims(), []);
  });

  test('cover every highlight, step and command', () => {
    const readme = readFileSync(fromRoot('README.md'), 'utf8');
    const highlights = [...readme.matchAll(/^- \*\*.*?\*\* (.*)$/gm)].map(([, text = '']) => text);
    const steps = [...readme.matchAll(/^\d+\. (.*)$/gm)].map(([, text = '']) => text);
    const commands = [...readme.matchAll(/^```sh\n([^`]*)```$/gm)].flatMap(([, lines = '']) =>
      lines.trim().split('\n'),
    );
    assert.ok(highlights.length >= 5 && steps.length >= 5 && commands.length >= 8, 'they were found');
    for (const text of [...highlights, ...steps, ...commands])
      assert.ok(
        claims.some(({ claim }) => text.includes(claim) || claim.includes(text)),
        `nothing shows: ${text}`,
      );
  });

  test('are reported if they are not in the README, or lack a proof', () => {
    const problems = problemsOfClaims([
      { claim: 'It makes coffee.', proofs: ['npm run test'] },
      { claim: '# Identity Queries', proofs: [] },
      { claim: '# Identity Queries', proofs: ['test/unit/words.test.ts: makes coffee'] },
      { claim: '# Identity Queries', proofs: ['test/unit/coffee.test.ts', 'npm run coffee'] },
    ]);
    assert.deepEqual(problems, [
      'README.md does not say: It makes coffee.',
      'nothing shows: # Identity Queries',
      'not found: test/unit/words.test.ts: makes coffee',
      'not found: test/unit/coffee.test.ts',
      'not found: npm run coffee',
    ]);
  });
});
