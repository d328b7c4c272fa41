/**
 * Queries of an agent, made up at random, over data whose sensitive columns hold a marker: it must come out nowhere.
 * FUZZ_RUNS queries (default: 10,000) from FUZZ_SEED. Prints JSON lines.
 */
import { answerText } from '../../core/src/agents/answers/answer-text.ts';
import { makeQuery, randomFrom } from '../helpers/agent-queries.ts';
import { holdsMarker, startMarkedService } from '../helpers/marked-service.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 10_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const service = await startMarkedService();
const caller = { client: 'fuzz', signal: new AbortController().signal };
const counts: Record<string, number> = {};
const leaks: string[] = [];
const random = randomFrom(seed);
let marked = 0;
for (let run = 0; run < runs; run++) {
  const sql = makeQuery(random);
  const isSaved = run % 4 === 0;
  if (isSaved) service.save('q', sql);
  const answer = isSaved
    ? await service.session.call('run_saved_query', { id: 'q' }, caller)
    : await service.session.call('run_query', { sql }, caller);
  const outcome = `${answer.status}${answer.code === undefined ? '' : ` ${answer.code}`}`;
  counts[outcome] = (counts[outcome] ?? 0) + 1;
  if (service.answered.splice(0).some(holdsMarker)) marked++;
  const told = [answerText(answer), JSON.stringify(answer), JSON.stringify(service.log.splice(0))];
  if (told.some(holdsMarker)) leaks.push(sql);
}
for (const sql of leaks.slice(0, 20)) process.stdout.write(`${JSON.stringify({ leak: sql })}\n`);
const summary = {
  fuzz: 'agents',
  seed,
  runs,
  sent: service.sent.length,
  marked,
  leaks: leaks.length,
  counts,
};
process.stdout.write(`${JSON.stringify(summary)}\n`);
await service.close();
process.exitCode = leaks.length > 0 ? 1 : 0;
