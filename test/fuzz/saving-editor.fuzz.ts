/**
 * Plays stories in the real editor with a colleague (test/host/saving-story.ts), many more than `npm test`. Uses the
 * same build and window as the host tests. FUZZ_SEED and FUZZ_STORIES=1 replay one story.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeOf, start } from '#scripts/lib/processes.js';

const stories = Number(process.env['FUZZ_STORIES'] ?? 500);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 0x7fff_ffff);
const started = performance.now();
const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-stories-'));
try {
  const figures = path.join(folder, 'figures.json');
  const env = {
    ...process.env,
    FUZZ_STORIES: String(stories),
    FUZZ_SEED: String(seed),
    FUZZ_STEPS: process.env['FUZZ_STEPS'] ?? '12',
    FUZZ_FIGURES: figures,
  };
  process.exitCode = await exitCodeOf(
    start(process.execPath, ['scripts/test-host.js', 'stories of saving'], { env, stdio: 'inherit' }),
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  const counted: unknown = JSON.parse(await readFile(figures, 'utf8'));
  process.stdout.write(`${JSON.stringify({ fuzz: 'saving-editor', seed, seconds, counted })}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
