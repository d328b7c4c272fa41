/**
 * Runs each regular expression in the sources on a megabyte of each repeated token. None may take 200 ms of CPU time.
 * The unit test for their growth stops at 24,000 characters. Prints JSON lines.
 */
import { createTimeLimit, TooSlowError } from '#server/time-limit.ts';
import { attacksOn, textOf, type Attack } from '../helpers/regex-attacks.ts';
import { expressionsOfSources } from '../helpers/regex-sources.ts';

const length = 1_000_000;
const limitMs = 200;
/** Timeout for one expression. */
const patienceMs = 5_000;
const shownMax = 10;

const withinTime = createTimeLimit();

interface Measured {
  readonly expression: string;
  readonly attack: Attack;
  readonly ms: number;
}

const measured: Measured[] = [];
const texts = new Map<string, string>();
let tried = 0;
const expressions = await expressionsOfSources();
for (const expression of expressions) {
  for (const attack of attacksOn(expression).filter(({ suffix }) => suffix !== '')) {
    tried += 1;
    const ms = leastMs(expression, longText(attack));
    if (ms > 20) measured.push({ expression: String(expression), attack, ms: Math.round(ms) });
  }
}
const slowest = measured.toSorted((a, b) => b.ms - a.ms);
for (const each of slowest.slice(0, shownMax)) process.stdout.write(`${JSON.stringify(each)}\n`);
const over = slowest.filter(({ ms }) => ms > limitMs).length;
const summary = { fuzz: 'expressions', expressions: expressions.length, tried, length, limitMs, over };
process.stdout.write(`${JSON.stringify(summary)}\n`);
process.exitCode = over > 0 ? 1 : 0;

/** Returns the best time of up to three runs, since other load distorts the time of a slow expression. */
function leastMs(expression: RegExp, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 3 && best > limitMs; run += 1) {
    const started = process.cpuUsage();
    try {
      withinTime(patienceMs, () => use(expression, text));
    } catch (error) {
      if (!(error instanceof TooSlowError)) throw error;
      return patienceMs;
    }
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** Matches as the code does: a global expression replaces all matches. */
function use(expression: RegExp, text: string): boolean {
  expression.lastIndex = 0;
  if (!expression.global) return expression.test(text);
  return text.replaceAll(expression, '') === text;
}

/** Returns a long string. It is cached, since most expressions share it. */
function longText(attack: Attack): string {
  const key = JSON.stringify(attack);
  const text = texts.get(key) ?? textOf(attack, length);
  if (attack.prefix === '' && attack.pump.length <= 2) texts.set(key, text);
  return text;
}
