/** The SQLite of Node.js, loaded on first use, since most windows and commands never need it. */
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { t } from '../texts.ts';

export type SqliteProblem = 'busy' | 'damaged' | 'unwritable' | 'full';

/** SQLITE_BUSY; CORRUPT and NOTADB; READONLY, IOERR and CANTOPEN; FULL. */
const problems: Readonly<Record<number, SqliteProblem>> = {
  ...{ 5: 'busy', 11: 'damaged', 26: 'damaged', 13: 'full' },
  ...{ 8: 'unwritable', 10: 'unwritable', 14: 'unwritable' },
};

/** @returns undefined for an error that is not SQLite's, or is a mistake of ours. */
export function sqliteProblem(error: unknown): SqliteProblem | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' ? problems[code & 0xff] : undefined;
}

/** Returns undefined if this runtime has none: some forks and Electron 37.0 to 37.2 lack it. */
export function loadSqlite(): typeof sqliteModule | undefined {
  // Node 22 warns that the module is experimental, about which nobody can do anything.
  const emit = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite') as typeof sqliteModule | undefined; // may be missing at run time
  } finally {
    process.emitWarning = emit;
  }
}

/** @param file created if missing. @throws Error if this runtime has no SQLite, or SQLite's error. */
export function openDatabase(file: string): DatabaseSync {
  const sqlite = loadSqlite();
  if (sqlite !== undefined) return new sqlite.DatabaseSync(file);
  throw new Error(t('This editor has no node:sqlite ({0}). Use VS Code 1.106 or newer.', process.version));
}

/** Returns the error of a file that cannot be written, for which there are words (disk-messages.ts), or the given one. */
export function asDiskError(cause: unknown, file: string): unknown {
  const problem = sqliteProblem(cause);
  const code = problem === 'unwritable' ? 'EACCES' : problem === 'full' ? 'ENOSPC' : undefined;
  if (code === undefined) return cause;
  return Object.assign(new Error(`${code}: SQLite, open '${file}'`, { cause }), {
    ...{ code, syscall: 'open', path: file },
  });
}
