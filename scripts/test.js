/** Everything: build, then each stage; the last line counts the tests of all. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeOf, start } from './lib/processes.js';

/** @type {{ name: string, args: string[], counts: boolean }[]} */
const stages = [
  { name: 'build', args: ['esbuild.mjs'], counts: false },
  { name: 'unit', args: ['scripts/test-node.js', 'unit'], counts: true },
  { name: 'contract', args: ['scripts/test-node.js', 'contract'], counts: true },
  { name: 'host', args: ['scripts/test-host.js'], counts: true },
  { name: 'package', args: ['scripts/package.js'], counts: false },
  { name: 'ui', args: ['scripts/test-node.js', 'ui'], counts: true },
];

// Host and UI tests need it; it is fetched meanwhile. Where that fails they try again, and say why.
const codeServer = exitCodeOf(start(process.execPath, ['scripts/ensure-code-server.js']));

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-test-'));
const countsFile = path.join(folder, 'counts.jsonl');
let passed = 0;
let failed = 0;
for (const { name, args, counts } of stages) {
  process.stdout.write(`\n== ${name} ==\n`);
  await writeFile(countsFile, '');
  if (name === 'host') await codeServer;
  const started = performance.now();
  const env = { ...process.env, IDENTITY_QUERIES_TEST_COUNTS: countsFile };
  const code = await exitCodeOf(start(process.execPath, args, { env }));
  const lines = (await readFile(countsFile, 'utf8')).split('\n').filter((line) => line !== '');
  /** @type {{ passed: number, failed: number }[]} */
  const results = lines.map((line) => JSON.parse(line));
  const stageFailed = results.reduce((sum, each) => sum + each.failed, 0);
  passed += results.reduce((sum, each) => sum + each.passed, 0);
  failed += stageFailed;
  // A stage that ends badly, or ends without having counted anything, has failed whatever it counted.
  const isBroken = (code !== 0 && stageFailed === 0) || (counts && results.length === 0);
  if (isBroken) {
    failed += 1;
    process.stdout.write(`✖ ${name}: ended with code ${code}\n`);
  }
  process.stdout.write(`== ${name}: ${Math.round((performance.now() - started) / 1000)} s ==\n`);
  // Nothing after it would test what is there now.
  if ((name === 'build' || name === 'package') && code !== 0) break;
}
await rm(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
