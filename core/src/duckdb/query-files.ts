/** Runs one SELECT over given files in a process with DuckDB, and yields its rows as they are asked for. */
import { fork, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '#api/client/json.ts';
import { giveOtherName } from '#base/files/other-name.ts';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';
import { t } from '#base/texts.ts';
import type { IteratedPage } from '../reading/feeds.ts';
import type { DuckDbTask, FromDuckDb, GivenFile, ToDuckDb } from './duckdb-messages.ts';

/** Why a query over files has no rows; the message is for people. */
export class DuckDbError extends Error {}

export interface FileQuery {
  readonly sql: string;
  readonly files: readonly GivenFile[];
  /** See `findDuckDb`. */
  readonly library: string;
  /** `dist/duckdb-process.cjs`, or the source. */
  readonly script: URL;
  readonly signal: AbortSignal;
}

const megabyte = 1_048_576;
const memoryMbMax = 2_048;
const threadsMax = 4;
const messageMax = 600;

/** @throws DuckDbError; the reason of the signal */
export async function* queryFiles(query: FileQuery): AsyncGenerator<IteratedPage> {
  const { sql, files, library, script, signal } = query;
  const spillFolder = await makeScratchFolder();
  const child = start(script, spillFolder);
  const stop = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const answers = answersOf(child);
    const named = await plainlyNamed(files, spillFolder);
    const task: DuckDbTask = {
      ...{ sql, library, spillFolder, files: named },
      memoryMb: Math.max(256, Math.min(memoryMbMax, Math.floor(totalmem() / megabyte / 2))),
      threads: Math.min(threadsMax, availableParallelism()),
    };
    child.send({ kind: 'start', task } satisfies ToDuckDb, ignoreGone);
    let columns: IteratedPage['columns'] = [];
    for (;;) {
      const answer = await answers();
      signal.throwIfAborted();
      switch (answer?.kind) {
        case 'columns':
          ({ columns } = answer);
          yield { columns, rows: [], isLast: false };
          break;
        case 'rows':
          yield { columns, rows: withJson(columns, answer.rows), isLast: false };
          break;
        case 'end':
          yield { columns, rows: [], isLast: true };
          return;
        case 'failed':
          throw new DuckDbError(failureWords({ ...answer, message: asGiven(answer.message, named, files) }));
        case undefined:
          throw new DuckDbError(t('DuckDB ended before it answered. It may have had too little memory.'));
        default:
          answer satisfies never;
      }
      child.send({ kind: 'next' } satisfies ToDuckDb, ignoreGone);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    await rm(spillFolder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Reads the JSON and the decimal numbers that are sent as text. What is neither, such as NaN, stays a text. */
export function withJson(
  columns: IteratedPage['columns'],
  rows: readonly (readonly unknown[])[],
): readonly (readonly unknown[])[] {
  const isSentAsText = columns.map(({ type }) => type === 'jsonb' || type === 'numeric');
  if (!isSentAsText.includes(true)) return rows;
  const read = (value: unknown, at: number): unknown => {
    if (isSentAsText[at] !== true || typeof value !== 'string') return value;
    try {
      return parseJson(value);
    } catch {
      return value;
    }
  };
  return rows.map((row) => row.map(read));
}

/** DuckDB takes a name with such a character as a pattern of names, so the file gets another one for the time. */
async function plainlyNamed(files: readonly GivenFile[], folder: string): Promise<readonly GivenFile[]> {
  return await Promise.all(
    files.map(async (file, index) => {
      if (!/[*?[\]]/.test(file.path)) return file;
      const name = path.join(folder, `given-${index}${path.extname(file.path)}`);
      await giveOtherName(file.path, name);
      return { ...file, path: name };
    }),
  );
}

/** Returns a message of DuckDB with the names that the person gave. */
function asGiven(message: string, named: readonly GivenFile[], files: readonly GivenFile[]): string {
  return named.reduce(
    (words, { path: name }, at) => words.replaceAll(name, () => files[at]?.path ?? name),
    message,
  );
}

/** A process that ended says so by its end. */
const ignoreGone = (): undefined => undefined;

function start(script: URL, cwd: string): ChildProcess {
  const child = fork(fileURLToPath(script), [], {
    cwd,
    execArgv: [],
    serialization: 'advanced',
    // DuckDB writes profiles and progress there.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // No variable of the person's, above all no secret.
    env: {
      ELECTRON_RUN_AS_NODE: '1',
      ...(process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] }),
    },
  });
  child.on('error', ignoreGone);
  return child;
}

/** Returns a function that waits for the next answer; undefined once the process has ended. */
function answersOf(child: ChildProcess): () => Promise<FromDuckDb | undefined> {
  const inbox: (FromDuckDb | undefined)[] = [];
  let wake: () => void = () => undefined;
  const put = (answer: FromDuckDb | undefined) => {
    inbox.push(answer);
    wake();
  };
  child.on('message', (answer) => put(answer as FromDuckDb)); // our own script sends nothing else
  child.once('close', () => put(undefined));
  child.once('error', () => put(undefined));
  return async () => {
    while (inbox.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return inbox.shift();
  };
}

function failureWords({ reason, message }: FromDuckDb & { readonly kind: 'failed' }): string {
  return {
    load: t('DuckDB could not be loaded: {0}', firstLines(message)),
    'not-select': t('Only one SELECT runs over files, without functions that change settings or run a text.'),
    query: t('DuckDB: {0}', firstLines(message)),
  }[reason];
}

/** The settings of its readers, which nobody can change here, and the statement that opens a file. */
const advice = /^\s*(?:Possible |The search space|LINE 1: CREATE VIEW )/;

function firstLines(message: string): string {
  const lines = message.split('\n');
  const end = lines.findIndex((line) => advice.test(line));
  // The name of the file may come behind.
  const told = end < 0 ? lines : lines.filter((line, at) => at < end || /^\s*file = /.test(line));
  const words = told.join('\n').trim();
  return words.length > messageMax ? `${words.slice(0, messageMax)}...` : words;
}
