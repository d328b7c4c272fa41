/** What the processes of this folder share: options, the lines they print, and how they end. */
import { rmSync } from 'node:fs';
import { isAlive } from '#base/files/left-overs.ts';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';
import { hasLiveLease } from './leases.ts';
import { tokenPath } from './routes/token.ts';

/** The command line is wrong. */
export class UsageError extends Error {}

/** The service cannot start. The exit code tells programs why. */
export class ServeError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** A command failed that starts nothing. The message says all. */
export class CommandError extends Error {}

/** Returns a folder for rows on their way, which ends with the process. */
export async function makeSpoolFolder(): Promise<string> {
  const folder = await makeScratchFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a reader of options that are whole numbers. It throws UsageError. */
export function wholeNumbers(
  values: Readonly<Record<string, unknown>>,
): (name: string, fallback: number, min: number, max: number) => number {
  return (name, fallback, min, max) => {
    const text = values[name];
    if (typeof text !== 'string') return fallback;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`);
  };
}

/** Returns a day, or a time of it, in milliseconds since 1970. @throws UsageError */
export function dateOption(name: string, text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const time = isDay ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`--${name} must be a date such as 2026-01-31.`);
  return time;
}

export interface Announcement {
  readonly isJson: boolean;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What listens, for example "The sandbox". */
  readonly what: string;
  /** Lines about the data. */
  readonly notes: readonly string[];
}

/** Prints the address and how to use it. */
export function announce({ isJson, baseUrl, clientId, clientSecret, what, notes }: Announcement): void {
  const authUrl = `${baseUrl}${tokenPath}`;
  if (isJson) {
    const line = { event: 'listening', address: baseUrl, authUrl, clientId, clientSecret };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  process.stdout.write(
    [
      `${what} listens on ${baseUrl}`,
      '',
      `  Base URL       ${baseUrl}`,
      `  Token URL      ${authUrl}`,
      `  Client id      ${clientId}`,
      `  Client secret  ${clientSecret}`,
      '',
      'To use it with `identity-queries run` in another terminal, copy these lines there:',
      '',
      ...connectionVariables({ baseUrl, authUrl, clientId, clientSecret }).map((line) => `  ${line}`),
      '',
      ...notes,
      'Ctrl+C ends it.',
      '',
    ].join('\n'),
  );
}

/** Formats environment variables for this system's shell, with any special characters quoted. */
function connectionVariables(connection: {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}): readonly string[] {
  const variables: readonly (readonly [name: string, value: string])[] = [
    ['BASE_URL', connection.baseUrl],
    ['AUTH_URL', connection.authUrl],
    ['CLIENT_ID', connection.clientId],
    ['CLIENT_SECRET', connection.clientSecret],
  ];
  return variables.map(([name, value]) =>
    process.platform === 'win32'
      ? `$env:IDENTITY_QUERIES_${name} = '${value.replaceAll("'", "''")}'`
      : `export IDENTITY_QUERIES_${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  );
}

/**
 * Exits on the usual signals, and once the last user is gone. The returned function reports whether the process is
 * exiting.
 */
export function endWith(
  {
    parentPid,
    leases,
    withinMs = 3_000,
  }: {
    readonly parentPid: number | undefined;
    readonly leases: string | undefined;
    /** How long closing may take. */
    readonly withinMs?: number;
  },
  close: () => Promise<void>,
): () => boolean {
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    // Exit even if closing hangs.
    setTimeout(() => process.exit(0), withinMs).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.once('SIGHUP', end);
  process.once('disconnect', end);
  if ('connected' in process && !process.connected) end(); // whoever started it is gone already
  const isEnding = (): boolean => hasEnded;
  // The reader of this output may exit while other windows still use the sandbox.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (parentPid === undefined && leases === undefined) return isEnding;
  let missed = 0;
  setInterval(() => {
    if (parentPid !== undefined && !isAlive(parentPid)) end();
    missed = leases === undefined || hasLiveLease(leases) ? 0 : missed + 1;
    // A window's lease is briefly missing while the window reloads.
    if (missed >= 3) end();
  }, 1_000).unref();
  return isEnding;
}
