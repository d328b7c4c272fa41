/** A process that counts in the memory until it is killed. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Facts } from '#core/memory/facts.ts';
import { memoryAt } from './memory.ts';

export function counters(folder: string): Facts<number> {
  return new Facts(memoryAt(folder), {
    noun: 'counters',
    parse: (value) => (typeof value === 'number' ? value : undefined),
  });
}

/** Two facts that only ever change together. */
export async function countOnce(facts: Facts<number>): Promise<void> {
  await facts.change((rows) => {
    for (const key of ['one', 'other']) rows.put(key, (rows.get(key) ?? 0) + 1);
  });
}

/** @param times how often it counts; for ever if undefined. Resolves once it has counted for the first time. */
export async function countInProcess(folder: string, times?: number): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url));
  const isBegun = once(child, 'message');
  child.send({ folder, times });
  await isBegun;
  return child;
}

async function count({ folder, times = Infinity }: { folder: string; times?: number }): Promise<void> {
  const facts = counters(folder);
  for (let done = 0; done < times; done++) {
    await countOnce(facts);
    if (done === 0) process.send?.('begun');
  }
  process.disconnect();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (order) => void count(order as Parameters<typeof count>[0])); // sent by `countInProcess`
}
