/** Runs the built sandbox as a process, and sets the environment variables that connect the extension to it. */
import { createInterface } from 'node:readline';
import { fromRoot } from './paths.js';
import { start, stop } from './processes.js';

/**
 * @typedef {object} Sandbox
 * @property {string} address
 * @property {string} authUrl
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {() => Promise<void>} stop
 */

/**
 * @param {readonly string[]} args additional flags
 * @returns {Promise<Sandbox>}
 */
export async function startSandbox(args = []) {
  return await startListening('the sandbox', [
    fromRoot('dist/sandbox/main.js'),
    '--json',
    '--port',
    '0',
    ...args,
  ]);
}

/**
 * Starts the tests' second service (test/service).
 * @returns {Promise<Sandbox>}
 */
export async function startSecondService() {
  return await startListening('the second service', [fromRoot('test/service/main.ts')]);
}

/**
 * Starts a process that prints its address.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<Sandbox>}
 */
async function startListening(name, args) {
  const child = start(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const listening = await new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error(`${name} has no output`);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line));
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it listened`)));
    child.once('error', reject);
  });
  return { ...listening, stop: () => stop(child) };
}

/**
 * Returns the environment variables of a connection that lasts until the window closes
 * (core/src/connections/environment-connection.ts).
 * @param {Sandbox} sandbox
 * @param {string} name
 */
export function connectionEnvironment(sandbox, name) {
  return {
    IDENTITY_QUERIES_BASE_URL: sandbox.address,
    IDENTITY_QUERIES_AUTH_URL: sandbox.authUrl,
    IDENTITY_QUERIES_CLIENT_ID: sandbox.clientId,
    IDENTITY_QUERIES_CLIENT_SECRET: sandbox.clientSecret,
    IDENTITY_QUERIES_CONNECTION_NAME: name,
    // Changes to a sandbox are harmless.
    IDENTITY_QUERIES_ALLOW_CHANGES: '1',
  };
}

/**
 * Returns environment variables with the second service's address, for tests inside an editor.
 * @param {Sandbox} service
 */
export function secondServiceEnvironment(service) {
  return {
    IDENTITY_QUERIES_SECOND_BASE_URL: service.address,
    IDENTITY_QUERIES_SECOND_AUTH_URL: service.authUrl,
    IDENTITY_QUERIES_SECOND_CLIENT_ID: service.clientId,
    IDENTITY_QUERIES_SECOND_CLIENT_SECRET: service.clientSecret,
  };
}
