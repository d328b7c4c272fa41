/**
 * The service as a separate process. It prints its addresses as one line of JSON and exits together with its parent.
 */
import { parseArgs } from 'node:util';
import { startService } from './service.ts';
import { oddities, otherWays, type Assumptions, type Oddity } from './switches.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    /** GAP=WAY, with names from switches.ts. */
    assume: { type: 'string', multiple: true, default: [] },
    odd: { type: 'string', multiple: true, default: [] },
    /** Exits when standard input ends. */
    attached: { type: 'boolean', default: false },
  },
});

function assumptionsOf(pairs: readonly string[]): Assumptions {
  const known: Readonly<Record<string, readonly string[]>> = otherWays;
  const entries = pairs.map((pair) => {
    const [gap = '', way = ''] = pair.split('=');
    if (known[gap]?.includes(way) !== true) throw new Error(`There is no ${pair}.`);
    return [gap, way];
  });
  return Object.fromEntries(entries) as Assumptions; // checked above
}

function oddityOf(name: string): Oddity {
  const found = oddities.find((each) => each === name);
  if (found === undefined) throw new Error(`There is no oddity ${name}.`);
  return found;
}

const service = await startService({
  accounts: Number(values.accounts),
  assumptions: assumptionsOf(values.assume),
  oddities: values.odd.map(oddityOf),
});
const { baseUrl: address, authUrl, clientId, clientSecret } = service;
process.stdout.write(`${JSON.stringify({ event: 'listening', address, authUrl, clientId, clientSecret })}\n`);
if (values.attached) process.stdin.resume().on('end', () => void service.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void service.stop());
