/**
 * Runs random agent queries on data whose sensitive columns contain a marker, which must never reach the agent. What
 * is sent for the agent's own query does nothing with a sensitive value, by its parse tree, and is answered alike by a
 * service whose data differ only in such values. Runs FUZZ_RUNS queries (default: 10,000) from FUZZ_SEED. Prints JSON
 * lines.
 */
import { answerText } from '#core/agents/answers/answer-text.ts';
import { makeQuery, randomFrom } from '../helpers/agent-queries.ts';
import { holdsMarker, otherText, startMarkedService, toldOf } from '../helpers/marked-service.ts';
import { sensitiveUses } from '../helpers/sensitive-uses.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 10_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const service = await startMarkedService();
const other = await startMarkedService({}, otherText);
const caller = { client: 'fuzz', signal: new AbortController().signal };
const counts: Record<string, number> = {};
const random = randomFrom(seed);
let marked = 0;
let leaks = 0;
let judged = 0;
/** Alternates between a user's saved query, a control and, half of the time, the agent's own query. */
async function ask(run: number, sql: string) {
  const { session } = service;
  switch (run % 4) {
    case 0:
      service.save('q', sql);
      return await session.call('run_saved_query', { id: 'q' }, caller);
    case 1:
      return await session.call('run_control', { sql: `-- @control F-1 Fuzz\n${sql}` }, caller);
    default:
      return await session.call('run_query', { sql }, caller);
  }
}

function leak(what: string, sql: string, run: number): void {
  leaks += 1;
  // Print leaks immediately: they matter more than the rest of the run.
  if (leaks <= 20) process.stdout.write(`${JSON.stringify({ leak: what, sql, run })}\n`);
}

for (let run = 0; run < runs; run++) {
  const sql = makeQuery(random);
  const sentBefore = service.sent.length;
  const answer = await ask(run, sql);
  if (run % 4 > 1) {
    for (const text of service.sent.slice(sentBefore)) {
      const uses = sensitiveUses(text);
      if (uses.kind === 'ambiguous') continue;
      judged += 1;
      if (uses.violations.length > 0) leak(`uses ${uses.violations.join(', ')}`, text, run);
    }
    const second = await other.session.call('run_query', { sql }, caller);
    if (toldOf(answer) !== toldOf(second)) leak('answers differ', sql, run);
  }
  const outcome = `${answer.status}${answer.code === undefined ? '' : ` ${answer.code}`}`;
  counts[outcome] = (counts[outcome] ?? 0) + 1;
  if (service.answered.splice(0).some(holdsMarker)) marked++;
  const told = [answerText(answer), JSON.stringify(answer), JSON.stringify(service.log.splice(0))];
  if (told.some(holdsMarker)) leak('marker', sql, run);
  if ((run + 1) % 1_000 === 0) process.stderr.write(`${run + 1} of ${runs} queries, ${leaks} leaks\n`);
}
const summary = {
  fuzz: 'agents',
  seed,
  runs,
  sent: service.sent.length,
  marked,
  judged,
  leaks,
  counts,
};
process.stdout.write(`${JSON.stringify(summary)}\n`);
await Promise.all([service.close(), other.close()]);
process.exitCode = leaks > 0 ? 1 : 0;
