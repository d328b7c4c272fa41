/** Starts child processes that never outlive this process, and runs commands to completion. */
import { spawn } from 'node:child_process';
import { root } from './paths.js';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();

/**
 * Starts a process that is stopped together with this one.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Runs a command to completion. Rejects with the command line and the exit code if the code is not 0.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<void>}
 */
export async function run(command, args, options = {}) {
  const code = await exitCodeOf(start(command, args, { shell: process.platform === 'win32', ...options }));
  if (code !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` ended with code ${code}`);
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<number>} the exit code, or 1 if the process was killed by a signal
 */
export function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Stops a process, gracefully at first.
 * @param {ChildProcess} child
 */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
}

/** Stops all processes that `start` started. */
export async function stopAll() {
  await Promise.all([...running].map(stop));
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    void stopAll().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  });
}
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
