/** A process that holds a lock for as long as it lives. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ProcessLock } from '../../core/src/util/files/process-lock.ts';

/** @returns the process, once it has tried. */
export async function lockInProcess(
  file: string,
): Promise<{ readonly child: ChildProcess; readonly hasLock: boolean }> {
  const child = fork(fileURLToPath(import.meta.url));
  const answered = once(child, 'message');
  child.send(file);
  const [hasLock] = (await answered) as [boolean]; // sent below
  return { child, hasLock };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (file) => process.send?.(ProcessLock.try(String(file)) !== undefined));
  // Stays alive until killed.
  process.on('message', () => undefined);
}
