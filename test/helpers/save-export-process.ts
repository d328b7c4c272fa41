/** A process that saves an export, as a window does, and can be killed midway. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '#api/client/client.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { ExportStore, type ExportKey } from '#core/exports/export-store.ts';
import { memoryAt } from './memory.ts';
import type { RunningSandbox } from './sandbox.ts';

type Service = Pick<RunningSandbox, 'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret'>;

interface Order {
  readonly service: Service;
  readonly key: ExportKey;
  readonly target: string;
  /** Folder of the export store. */
  readonly folder: string;
}

/** Starts the process, and returns it once some bytes are on disk. */
export async function saveInProcess(
  { baseUrl, authUrl, clientId, clientSecret }: Service,
  order: Omit<Order, 'service'>,
): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), { stdio: 'inherit' });
  const isBegun = once(child, 'message');
  child.send({ ...order, service: { baseUrl, authUrl, clientId, clientSecret } } satisfies Order);
  await isBegun;
  return child;
}

/** Kills the process without a chance to clean up. */
export async function kill(child: ChildProcess): Promise<void> {
  const isOver = once(child, 'exit');
  child.kill('SIGKILL');
  await isOver;
}

async function save({ service, key, target, folder }: Order): Promise<void> {
  await saveExport(createClient(service), key, target, {
    store: new ExportStore(memoryAt(folder)),
    signal: new AbortController().signal,
    onProgress: ({ bytes }) => process.send?.(bytes),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (order) => void save(order as Order)); // sent by `saveInProcess`
}
