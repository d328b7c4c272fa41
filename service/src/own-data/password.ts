/**
 * The password of a person's own database: given on standard input, or by PGPASSWORD, or in libpq's password file, or
 * asked at a terminal. It is asked for only if the server wants one, and kept in memory.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { folderOf, homeFolder } from '#base/files/own-folders.ts';
import type { Target } from '#base/postgres-address.ts';

/** The server wants a password, and there is none. */
export class PasswordMissingError extends Error {
  readonly advice: string;

  constructor(otherPlace: string) {
    super('it wants a password, and none was given');
    this.advice = `Put it in a password file (PGPASSFILE), or ${otherPlace}.`;
  }
}

export interface PasswordOptions {
  readonly target: Target;
  readonly given: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Asks the person; undefined where nobody can answer. */
  readonly ask: ((prompt: string) => Promise<string>) | undefined;
  /** What gives the password beside a password file, such as "start the service at a terminal". */
  readonly otherPlace: string;
  /** Tells the person, one line. */
  readonly warn: (line: string) => void;
}

/** Looks the password up; then `from` is the variable or the file that gave it, if one did. */
export type PasswordSource = (() => Promise<string>) & { from?: string | undefined };

/** Returns a function that looks the password up once. It throws PasswordMissingError. */
export function passwordSource(options: PasswordOptions): PasswordSource {
  let looked: Promise<string> | undefined;
  const source: PasswordSource = () => {
    looked ??= find(options).then(({ password, from }) => {
      source.from = from;
      return password;
    });
    return looked;
  };
  return source;
}

interface Found {
  readonly password: string;
  readonly from?: string;
}

async function find({ target, given, environment, ask, otherPlace, warn }: PasswordOptions): Promise<Found> {
  if (given !== undefined && given !== '') return { password: given };
  const own = given === undefined ? environment['PGPASSWORD'] : undefined;
  if (own !== undefined && own !== '') return { password: own, from: 'PGPASSWORD' };
  const file = passwordFile(environment);
  const kept = await fromFile(file, { target, environment, warn });
  if (kept !== undefined) return { password: kept, from: file };
  const answer = await ask?.(`Password for ${target.shown}: `);
  if (answer !== undefined && answer !== '') return { password: answer };
  throw new PasswordMissingError(otherPlace);
}

function passwordFile(environment: NodeJS.ProcessEnv): string {
  const named = environment['PGPASSFILE'];
  if (named !== undefined) return named;
  return process.platform === 'win32'
    ? path.join(folderOf(environment, 'APPDATA') ?? homeFolder(), 'postgresql/pgpass.conf')
    : path.join(homeFolder(), '.pgpass');
}

const mostFileBytes = 1_048_576;

async function fromFile(
  file: string,
  { target, environment, warn }: Pick<PasswordOptions, 'target' | 'environment' | 'warn'>,
): Promise<string | undefined> {
  try {
    // libpq ignores a file that others may read.
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) {
      warn(`The password file ${file} is not used, since others may read it: chmod 600 it.`);
      return undefined;
    }
    const text = (await readBounded(file, { maxBytes: mostFileBytes })).toString('utf8');
    return passwordIn(text, target);
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && /^(?:ENOENT|missing)$/.test(String(error.code));
    if (environment['PGPASSFILE'] !== undefined || !isMissing) {
      const reason = error instanceof FileRefusal ? error.message : 'it does not exist';
      warn(`The password file ${file} is not used: ${reason}.`);
    }
    return undefined;
  }
}

/** Finds the password in a file of lines `host:port:database:user:password`, where * matches anything. */
function passwordIn(
  text: string,
  { host, port, database, user }: Pick<Target, 'host' | 'port' | 'database' | 'user'>,
): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    // A backslash makes the next character ordinary.
    const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = '']) => field);
    if (fields.length < 5) continue;
    const plain = fields.map((field) => field.replaceAll(/\\(.)/g, '$1'));
    if (!wanted.every((value, index) => fields[index] === '*' || plain[index] === value)) continue;
    return plain[4];
  }
  return undefined;
}

/** Asks at the terminal without showing what is typed. */
export async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

const mostPasswordLength = 10_000;

/** Reads the first line of standard input. */
export async function passwordFromInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > mostPasswordLength) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
