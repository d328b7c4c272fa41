/**
 * Compares the client with raw undici on the same service: listing 100,000 records, and the memory used. Also measures
 * getting a record by ID. Prints JSON lines.
 */
import { createClient } from '#api/client/client.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';
import { closeRawPages, rawPages } from './raw-pages.ts';
import { percentile, print } from './statistics.ts';

const recordCount = 100_000;
const sandbox = await startSandbox({ from: 'dist', accounts: 20_000 });
const http = new ServiceHttp(sandbox);
const token = await http.token('read');
const client = createClient(sandbox);

async function overUndici(): Promise<number> {
  let count = 0;
  while (count < recordCount) {
    for await (const items of rawPages(sandbox.baseUrl, token)) {
      count += items.length;
      if (count >= recordCount) break;
    }
  }
  return count;
}

async function overClient(onRecord: () => void = () => undefined): Promise<number> {
  let count = 0;
  while (count < recordCount) {
    const accounts = client.accounts.listAll();
    while (count < recordCount && (await accounts.next()).done !== true) {
      count += 1;
      onRecord();
    }
  }
  return count;
}

const times: Record<'client' | 'undici', number[]> = { client: [], undici: [] };
/** CPU time of this process only. It excludes time spent waiting for the service, and varies less with other load. */
const cpuTimes: Record<'client' | 'undici', number[]> = { client: [], undici: [] };
let peakMb = 0;
const watch = (): void => {
  peakMb = Math.max(peakMb, process.memoryUsage().heapUsed / 1_048_576);
};
for (let time = 0; time < 5; time += 1) {
  for (const [name, list] of [
    ['undici', overUndici],
    ['client', () => overClient()],
  ] as const) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await list();
    times[name].push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    cpuTimes[name].push((user + system) / 1_000);
  }
}
let records = 0;
await overClient(() => {
  records += 1;
  if (records % 5_000 === 0) watch();
});
const [clientMs, undiciMs] = [percentile(times.client, 0.5), percentile(times.undici, 0.5)];
const [clientCpuMs, undiciCpuMs] = [percentile(cpuTimes.client, 0.5), percentile(cpuTimes.undici, 0.5)];
const ratio = (a: number, b: number): number => Math.round((a / b) * 100) / 100;
print({
  bench: 'list 100,000 accounts',
  clientMs,
  undiciMs,
  ratio: ratio(clientMs, undiciMs),
  clientCpuMs,
  undiciCpuMs,
  cpuRatio: ratio(clientCpuMs, undiciCpuMs),
  peakHeapMb: Math.round(peakMb),
});

const { items } = await client.roles.list({ pageSize: 100 });
const ids = items.map((role) => role.globalId);
await Promise.all(ids.map((id) => client.roles.get(id)));
const started = performance.now();
let got = 0;
const worker = async (): Promise<void> => {
  while (got < 5_000) {
    got += 1;
    await client.roles.get(ids[got % ids.length] ?? '');
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
print({ bench: 'get by id', requestsPerSecond: Math.round((5_000 / (performance.now() - started)) * 1_000) });
await client.close();
await closeRawPages();
await sandbox.stop();
