/** The editor's checks for a command: the same analyser with longer limits, since no one is typing. */
import { setFlagsFromString } from 'node:v8';
import { Analyser } from '../../server/src/language/checks/analyser.ts';
import { DialectAnalyser } from '../../server/src/language/dialects/analyse.ts';
import { WorkerDialectParser } from '../../server/src/parser/dialect-parser.ts';
import { WorkerParser } from '../../server/src/parser/worker-parser.ts';

/**
 * V8 recompiles hot WebAssembly. For PostgreSQL's grammar that takes half a second and 500 MB
 * (2026-11-22), and an ending program waits for it: worthwhile only for long checks.
 */
const longCheck = '--wasm-tiering-budget=100000000';

export async function withAnalyser<Result>(use: (analyser: Analyser) => Promise<Result>): Promise<Result> {
  setFlagsFromString(longCheck);
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  const dialectParser = new WorkerDialectParser({ timeLimitMs: 2_000 });
  try {
    return await use(new Analyser(parser, new DialectAnalyser(dialectParser)));
  } finally {
    await Promise.all([parser.dispose(), dialectParser.dispose()]);
  }
}
