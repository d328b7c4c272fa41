/**
 * Counts the steps that code takes: how often the engine enters each of its blocks. Unlike time, the count is the same
 * on every machine. Only code that is loaded after `startCounting` is counted block by block.
 */
import { Session, type Profiler } from 'node:inspector';

export interface StepCounter {
  /** Returns the number of steps since the last call. */
  take(): number;
  /** Returns the functions with the most steps in the given count, for a message. */
  most(): readonly string[];
  stop(): void;
}

/** @param part of the URL of the modules that are counted */
export function startCounting(part: string): StepCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let last: readonly Profiler.ScriptCoverage[] = [];
  return {
    take() {
      session.post('Profiler.takePreciseCoverage', (_, taken) => (last = taken.result));
      last = last.filter(({ url }) => url.includes(part));
      return last
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
        .reduce((sum, count) => sum + count, 0);
    },
    most: () =>
      last
        .flatMap(({ url, functions }) =>
          functions.map(({ functionName, ranges }) => ({
            steps: ranges.reduce((sum, { count }) => sum + count, 0),
            name: `${functionName} in ${url.slice(url.indexOf(part))}`,
          })),
        )
        .sort((a, b) => b.steps - a.steps)
        .slice(0, 3)
        .map(({ steps, name }) => `${steps} ${name}`),
    stop: () => session.disconnect(),
  };
}
