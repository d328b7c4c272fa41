/** `npm run package:cli` in a fresh clone builds what it packs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fromRoot } from '#scripts/lib/paths.js';

const builds = readFileSync(fromRoot('esbuild.mjs'), 'utf8');
const packs = readFileSync(fromRoot('scripts/package-cli.js'), 'utf8');

/** Returns the name under which a bundle with a fixed file is built. */
function nameOf(bundle: string): string | undefined {
  const [before = '', ...found] = builds.split(`'dist/${bundle}'`);
  return found.length === 0
    ? undefined
    : /name: '([^']+)'/.exec(before.slice(before.lastIndexOf('name: ')))?.[1];
}

describe('packing the command line', () => {
  it('builds every bundle that it packs', () => {
    const built = /const names = '([^']+)'/.exec(packs)?.[1]?.split(',') ?? [];
    const [, list = ''] = /const bundles = \[([^\]]+)\]/.exec(packs) ?? [];
    const needed = [...list.matchAll(/'([^']+)'/g)].flatMap(([, bundle = '']) => nameOf(bundle) ?? []);
    assert.ok(needed.length >= 8, needed.join(' '));
    assert.deepEqual(
      needed.filter((name) => !built.includes(name)),
      [],
    );
  });
});
