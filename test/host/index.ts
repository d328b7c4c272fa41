/** Runs the Mocha suite in the extension host and writes each result as a JSON line. */
import { appendFileSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import Mocha from 'mocha';

/** Suppresses Mocha's own output, since the runner prints the results file. */
class SilentReporter extends Mocha.reporters.Base {
  override epilogue(): void {
    // Intentionally empty.
  }
}

/** Reads the selection of tests that scripts/test-host.js writes before each run. */
function readChoice(): { readonly part: string; readonly titles?: readonly string[] } {
  const file = process.env['IDENTITY_QUERIES_TEST_CHOICE'];
  return file === undefined
    ? { part: '' }
    : (JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readChoice>);
}

/** Matches tests whose full title starts with one of these titles. */
function anyStartOf(titles: readonly string[]): RegExp {
  return new RegExp(
    `^(?:${titles.map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|')})`,
  );
}

export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const resultsFile = process.env['IDENTITY_QUERIES_TEST_RESULTS'];
  if (resultsFile === undefined) throw new Error('IDENTITY_QUERIES_TEST_RESULTS names no file');
  const mocha = new Mocha({ ui: 'tdd', timeout: 5 * 60_000, reporter: SilentReporter });
  const { part, titles } = readChoice();
  if (titles !== undefined) mocha.grep(anyStartOf(titles));
  else if (part !== '') mocha.fgrep(part);
  mocha.addFile(join(import.meta.dirname, 'tests.cjs'));
  const write = (test: Mocha.Test | Mocha.Hook, outcome: 'passed' | 'failed', error?: unknown) => {
    const result = {
      title: test.fullTitle(),
      again: test.type === 'hook' ? (test.parent?.fullTitle() ?? '') : test.fullTitle(),
      outcome,
      ms: test.duration ?? 0,
      ...(error === undefined
        ? {}
        : {
            error: error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error),
            load: loadavg()[0],
          }),
    };
    appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
  };
  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', (test) => write(test, 'passed'))
      .on('fail', (test, error) => write(test, 'failed', error));
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
