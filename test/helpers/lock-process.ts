/** A child process that holds a lock until it exits. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ProcessLock } from '#base/files/process-lock.ts';

/** Starts a process that tries to take the lock, and returns once it has tried. */
export async function lockInProcess(
  file: string,
): Promise<{ readonly child: ChildProcess; readonly hasLock: boolean }> {
  const child = fork(fileURLToPath(import.meta.url));
  const answered = once(child, 'message');
  child.send(file);
  const [hasLock] = (await answered) as [boolean]; // the child process below sends a boolean
  return { child, hasLock };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (file) => process.send?.(ProcessLock.try(String(file)) !== undefined));
  // Keeps the process alive until it is killed.
  process.on('message', () => undefined);
}
