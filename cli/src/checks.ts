/** Runs the editor's checks on the command line, with longer limits, since no one is typing. */
import { setFlagsFromString } from 'node:v8';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

/**
 * V8 recompiles hot WebAssembly. For PostgreSQL's grammar, that takes half a second and 500 MB (measured 2026-11-22),
 * and a program cannot exit before it is done, so it is worthwhile only for long checks.
 */
const longCheck = '--wasm-tiering-budget=100000000';

export interface RunningAnalyser {
  readonly analyser: Analyser;
  /** Stops the analyser's threads. */
  readonly dispose: () => Promise<void>;
}

export function startAnalyser(): RunningAnalyser {
  setFlagsFromString(longCheck);
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  const dialectParser = new WorkerDialectParser({ timeLimitMs: 2_000 });
  return {
    analyser: new Analyser(parser, new DialectAnalyser(dialectParser)),
    dispose: async () => {
      await Promise.all([parser.dispose(), dialectParser.dispose()]);
    },
  };
}

export async function withAnalyser<Result>(use: (analyser: Analyser) => Promise<Result>): Promise<Result> {
  const { analyser, dispose } = startAnalyser();
  try {
    return await use(analyser);
  } finally {
    await dispose();
  }
}
