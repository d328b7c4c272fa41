/** What a sandbox can be told, with the defaults of each choice. */
import type { Log } from './log.ts';
import type { Oddity } from './plugins/oddities.ts';

export interface SandboxOptions {
  /** The address callers use, without a trailing slash; scopes are named after it. Set once the port is known. */
  baseUrl: string;
  /** The address that is listened on. */
  readonly host: string;
  /** The address callers use, where it is not the one listened on. */
  readonly publicUrl: string | undefined;
  /** Names that callers may use beside those of this machine, `host` and `publicUrl`. */
  readonly allowedHosts?: readonly string[];
  /** Folder of what must survive a restart (saved queries, changes, jobs). None: kept in memory. */
  readonly dataFolder: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Folder with a file for each window of an editor, whose secrets are taken too (leases.ts). */
  readonly leases?: string | undefined;
  /** Seconds. */
  readonly tokenLifetimeSeconds: number;
  /** Picks the synthetic data: the same seed, size and day give the same records. */
  readonly seed: number;
  readonly accounts: number;
  /** The day the data ends: activities lead up to it. Milliseconds since 1970. */
  readonly now: number;
  /** Answers /_sandbox/faults and /_sandbox/requests. */
  readonly faults: boolean;
  /** Most milliseconds a query may run. */
  readonly queryTimeoutMs: number;
  /** Most rows a query may answer. */
  readonly queryRowLimit: number;
  /** Milliseconds between two states of a job or an export. */
  readonly jobStepMs: number;
  /** Empty pages at the start of every list, as if its results were still being prepared. */
  readonly preparingPages: number;
  /** Requests a client may send in a second; undefined: as many as it likes. */
  readonly rateLimit: number | undefined;
  /** Ways to answer as another service of the same specification could. */
  readonly odd: ReadonlySet<Oddity>;
  readonly log: Log;
}

export const dayMs = 86_400_000;

export const defaults = {
  host: '127.0.0.1',
  clientId: 'sandbox-client',
  tokenLifetimeSeconds: 3_600,
  seed: 1,
  accounts: 1_000,
  queryTimeoutMs: 30_000,
  queryRowLimit: 1_000_000,
  jobStepMs: 500,
} as const;

/** The start of the UTC day that holds `time`. */
export function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}
