/** The sandbox's options and their defaults. */
import type { Log } from './log.ts';
import type { Oddity } from './plugins/oddities.ts';

export interface SandboxOptions {
  /** The address that callers use, without a trailing slash; scopes are named after it. Set once the port is known. */
  baseUrl: string;
  /** The address to listen on. */
  readonly host: string;
  /** The address that callers use, if it differs from the one listened on. */
  readonly publicUrl: string | undefined;
  /** Host names that callers may use besides those of this machine, `host` and `publicUrl`. */
  readonly allowedHosts?: readonly string[];
  /** Folder for data that must survive a restart (saved queries, changes, jobs). Absent: kept in memory. */
  readonly dataFolder: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Folder with a file per editor window, whose secrets are accepted too (leases.ts). */
  readonly leases?: string | undefined;
  /** Seconds. */
  readonly tokenLifetimeSeconds: number;
  /** Seed of the synthetic data: the same seed, size and day produce the same records. */
  readonly seed: number;
  readonly accounts: number;
  /** The last day of the data: activities lead up to it. Milliseconds since 1970. */
  readonly now: number;
  /** Enables /_sandbox/faults and /_sandbox/requests. */
  readonly faults: boolean;
  /** Maximum duration of a query in milliseconds. */
  readonly queryTimeoutMs: number;
  /** Maximum rows of a query's result. */
  readonly queryRowLimit: number;
  /** Milliseconds between two states of a job or an export. */
  readonly jobStepMs: number;
  /** Empty pages at the start of every list, simulating results that are still being prepared. */
  readonly preparingPages: number;
  /** Maximum requests per client and second; undefined: no limit. */
  readonly rateLimit: number | undefined;
  /** Deviations that the specification allows a service. */
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

/** The start of the UTC day that contains `time`. */
export function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}
