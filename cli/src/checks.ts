/** The checks of the editor for a command: the same analyser, with more time, since nobody is typing. */
import { Analyser } from '../../server/src/language/checks/analyser.ts';
import { DialectAnalyser } from '../../server/src/language/dialects/analyse.ts';
import { WorkerDialectParser } from '../../server/src/parser/dialect-parser.ts';
import { WorkerParser } from '../../server/src/parser/worker-parser.ts';

export async function withAnalyser<Result>(use: (analyser: Analyser) => Promise<Result>): Promise<Result> {
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  const dialectParser = new WorkerDialectParser({ timeLimitMs: 2_000 });
  try {
    return await use(new Analyser(parser, new DialectAnalyser(dialectParser)));
  } finally {
    await Promise.all([parser.dispose(), dialectParser.dispose()]);
  }
}
