/** The sandbox's options and their defaults. */
import type { Log } from './log.ts';
import type { Oddity } from './plugins/oddities.ts';

export interface SandboxOptions {
  /** The address used by callers, without a trailing slash. Scope names start with it. Set once the port is known. */
  baseUrl: string;
  /** The address to listen on. */
  readonly host: string;
  /** The address used by callers, if it differs from the listening address. */
  readonly publicUrl: string | undefined;
  /** Host names that callers may use in addition to those of this machine, `host` and `publicUrl`. */
  readonly allowedHosts?: readonly string[];
  /** Folder for data that must survive a restart (saved queries, changes, jobs). If undefined, it is kept in memory. */
  readonly dataFolder: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Folder with one file per editor window. The windows' secrets are also accepted (leases.ts). */
  readonly leases?: string | undefined;
  readonly tokenLifetimeSeconds: number;
  /** Seed of the synthetic data: the same seed, size and day produce the same records. */
  readonly seed: number;
  readonly accounts: number;
  /** The last day of the data, in milliseconds since 1970. The activity history ends on this day. */
  readonly now: number;
  /** Enables /_sandbox/faults and /_sandbox/requests. */
  readonly faults: boolean;
  /** Maximum duration of a query in milliseconds. */
  readonly queryTimeoutMs: number;
  /** Maximum number of rows in a query's result. */
  readonly queryRowLimit: number;
  /** Milliseconds between two states of a job or export. */
  readonly jobStepMs: number;
  /** Number of empty pages at the start of every list, to simulate results that are still being prepared. */
  readonly preparingPages: number;
  /** Maximum requests per second for each client. Undefined means no limit. */
  readonly rateLimit: number | undefined;
  /** Enabled deviations from the default behavior. The specification allows each of them. */
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

/** Returns the start of the UTC day that contains `time`. */
export function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}
