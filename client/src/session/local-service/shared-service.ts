/**
 * A local service shared by all windows, which records its address in a file. Each window that uses it creates a secret and
 * stores the secret's hash in the lease folder under its process ID. It exits when none of those processes is
 * alive.
 */
import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DisposableLike } from '#base/disposables.ts';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import { isNumber, isText, optional, shapeOf } from '#base/values/shapes.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { startServiceProcess, type ServiceAddress, type ServiceProgram } from './service-process.ts';

const startLimitMs = 30_000;
const stopLimitMs = 4_000;

const isAddress = shapeOf<ServiceAddress>({
  ...{ pid: isNumber, baseUrl: isText, authUrl: isText, clientId: isText },
  ...{ schemas: optional(isText), preset: optional(isText) },
});

export interface SharedServiceOptions {
  /** Folder in the global storage for saved queries and leases. */
  readonly folder: string;
  /** Returns the program to start, given the folder of the leases. */
  readonly program: (leases: string) => ServiceProgram;
  /** Called when this window's service has ended. `isExpected` is true after a requested stop. */
  readonly onEnd: (end: { readonly isExpected: boolean }) => void;
  /** Throws the error for the user if a service that another window started is not the one that is wanted. */
  readonly assertWanted?: (address: ServiceAddress) => void;
}

export class SharedService implements DisposableLike {
  readonly #options: SharedServiceOptions;
  readonly #leases: string;
  /** This window's secret, valid while the window is open. */
  readonly secret = randomBytes(18).toString('base64url');
  #address: ServiceAddress | undefined;
  #starting: Promise<ServiceAddress> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isStartedHere = false;

  constructor(options: SharedServiceOptions) {
    this.#options = options;
    this.#leases = path.join(options.folder, 'windows');
  }

  get address(): ServiceAddress | undefined {
    return this.#address;
  }

  /** Whether this window started the process that it uses, so that the process has read this window's input. */
  get isStartedHere(): boolean {
    return this.#isStartedHere;
  }

  /** Starts the service or joins a running one. @throws ExpectedError if it does not start. */
  async start(): Promise<ServiceAddress> {
    if (this.#address !== undefined) return this.#address;
    this.#starting ??= this.#startOrJoin().finally(() => (this.#starting = undefined));
    return await this.#starting;
  }

  /** Stops the service for every window, also if only others use it. Starts nothing. */
  async stop(): Promise<void> {
    const address = this.#address ?? (await this.#ofOthers());
    if (address === undefined) return;
    this.#leave();
    // The missing record signals to other windows that the stop is intended.
    await rm(this.#record, { force: true });
    await end(address.pid);
  }

  /** Called when the window closes. The service keeps running only for other windows. */
  dispose(): void {
    this.#leave();
  }

  async #startOrJoin(): Promise<ServiceAddress> {
    this.#takeLease();
    try {
      const deadline = performance.now() + startLimitMs;
      while (performance.now() < deadline) {
        const others = await this.#running();
        if (others !== undefined) this.#options.assertWanted?.(others);
        const address = others ?? (await this.#spawn());
        if (address !== 'in-use') {
          this.#isStartedHere = others === undefined;
          this.#use(address);
          return address;
        }
        // Another window is starting the service, or it is exiting.
        await pause(200);
      }
      throw new ExpectedError(this.#options.program(this.#leases).words.inOtherWindow);
    } catch (error) {
      this.#releaseLease();
      throw error;
    }
  }

  async #spawn(): Promise<ServiceAddress | 'in-use'> {
    return await startServiceProcess(this.#options.program(this.#leases));
  }

  /** Returns the address of the running service, if it responds. */
  async #running(): Promise<ServiceAddress | undefined> {
    const record = await this.#readRecord();
    if (record === undefined || !isAlive(record.pid)) return undefined;
    return (await answers(record, this.secret)) ? record : undefined;
  }

  /** Returns the address of a service that only other windows use. */
  async #ofOthers(): Promise<ServiceAddress | undefined> {
    if ((await this.#readRecord()) === undefined) return undefined;
    this.#takeLease();
    try {
      return await this.#running();
    } finally {
      this.#releaseLease();
    }
  }

  async #readRecord(): Promise<ServiceAddress | undefined> {
    try {
      const record: unknown = JSON.parse(await readFile(this.#record, 'utf8'));
      return isAddress(record) ? record : undefined;
    } catch {
      return undefined; // missing or incomplete, so there is nothing to join
    }
  }

  #use(address: ServiceAddress): void {
    this.#address = address;
    this.#watch = setInterval(() => {
      if (isAlive(address.pid)) return;
      this.#leave();
      void this.#readRecord().then((record) => this.#options.onEnd({ isExpected: record === undefined }));
    }, 1_000);
    this.#watch.unref();
  }

  #leave(): void {
    clearInterval(this.#watch);
    this.#address = undefined;
    this.#releaseLease();
  }

  #takeLease(): void {
    makeFoldersSync(this.#leases);
    writeFileSync(this.#leaseFile, createHash('sha256').update(this.secret).digest('hex'));
  }

  #releaseLease(): void {
    rmSync(this.#leaseFile, { force: true });
  }

  get #record(): string {
    return path.join(this.#leases, 'running.json');
  }

  get #leaseFile(): string {
    return path.join(this.#leases, String(process.pid));
  }
}

/**
 * Returns whether the process at the address is the service. Only the service can verify this secret; another program
 * may have reused its process ID or port.
 */
async function answers(address: ServiceAddress, secret: string): Promise<boolean> {
  const basic = Buffer.from(`${address.clientId}:${secret}`).toString('base64');
  try {
    const response = await fetch(address.authUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(2_000),
    });
    return response.ok;
  } catch {
    return false; // no response in time
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process, or another user's
  }
}

async function end(pid: number): Promise<void> {
  const deadline = performance.now() + stopLimitMs;
  for (let signal: NodeJS.Signals = 'SIGTERM'; isAlive(pid);) {
    if (performance.now() > deadline) signal = 'SIGKILL';
    try {
      process.kill(pid, signal);
    } catch {
      return; // the process exited in the meantime
    }
    await pause(50);
  }
}
