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

let parsers: { readonly own: WorkerParser; readonly other: WorkerDialectParser } | undefined;

/**
 * All checks of a run share their threads: to start one takes longer than most checks. They do not keep the program
 * alive.
 */
export function sharedAnalyser(): Analyser {
  if (parsers === undefined) {
    setFlagsFromString(longCheck);
    parsers = {
      own: new WorkerParser({ timeLimitsMs: [5_000, 10_000] }),
      other: new WorkerDialectParser({ timeLimitMs: 2_000 }),
    };
  }
  return new Analyser(parsers.own, new DialectAnalyser(parsers.other));
}
