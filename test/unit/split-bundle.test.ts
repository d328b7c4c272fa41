/** Bundles with several files: lazily loaded code is not read at startup, and no module runs twice. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { build } from 'esbuild';
import { splitBundle } from '#scripts/lib/split-bundle.js';

const groups = { first: /first/, second: /./ };

test('lazily loaded modules are in their group, and share the modules loaded at startup', async (t) => {
  const { folder, bundle } = await program(t, {
    'main.ts': `import { counted } from './shared.ts';
      export const start = () => counted();
      export const first = async () => (await import('./first.ts')).first();
      export const second = async () => (await import('./second.ts')).second();`,
    'first.ts': `import { counted } from './shared.ts'; import { both } from './both.ts';
      export const first = () => [counted(), both()];`,
    'second.ts': `import { both } from './both.ts'; export const second = () => both();`,
    'shared.ts': `let count = 0; export const counted = () => (count += 1);`,
    'both.ts': `let count = 10; export const both = () => (count += 1);`,
  });
  await bundle();
  const main = createRequire(import.meta.url)(path.join(folder, 'dist/main.cjs')) as {
    start(): number;
    first(): Promise<unknown>;
    second(): Promise<unknown>;
  };
  assert.equal(main.start(), 1);
  assert.deepEqual(await main.first(), [2, 11]);
  assert.equal(await main.second(), 12);
  const loaded = await readFile(path.join(folder, 'dist/main-second.cjs'), 'utf8');
  assert.match(loaded, /second/);
  assert.doesNotMatch(await readFile(path.join(folder, 'dist/main.cjs'), 'utf8'), /count/);
});

test('two modules in one group may not export the same name', async (t) => {
  const { bundle } = await program(t, {
    'main.ts': `export const run = () => Promise.all([import('./first.ts'), import('./second.ts')]);`,
    'first.ts': `export const same = 1;`,
    'second.ts': `export const same = 2;`,
  });
  await bundle();
  await assert.rejects(bundle({ all: /./ }), /src\/first\.ts and src\/second\.ts .* both export same/);
});

async function program(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-split-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'src', name), text);
  const bundle = async (into: Readonly<Record<string, RegExp>> = groups) => {
    const options = {
      absWorkingDir: folder,
      bundle: true,
      platform: 'node',
      target: 'node22',
      supported: { 'dynamic-import': false },
      sourcemap: false,
    } as const;
    const split = { name: 'main', entry: 'src/main.ts', groups: into };
    await build(await splitBundle(options, split, { outdir: 'dist', write: true }));
  };
  return { folder, bundle };
}
