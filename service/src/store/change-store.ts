/** Stores jobs and their changes in SQLite, either in a file that survives restarts or in memory. */
import type { ActionJob } from '#api/contract/action-jobs.ts';
import { isAlive } from '#base/files/left-overs.ts';
import type { Change } from '../data/changes/changes.ts';
import type { DataSettings } from '../query/messages.ts';
import { openSqlite, text } from './sqlite.ts';

/** A job's task, with enough detail for another process to resume it. */
export interface JobPlan {
  /** For example `accounts.disable`. */
  readonly operation: string;
  readonly globalId: string;
  /** The source application that applies the change. */
  readonly applicationIndex: number;
  readonly change: Change;
}

export interface KeptJob {
  readonly job: ActionJob;
  readonly plan: JobPlan;
}

export interface ChangeStore {
  /** The changes that the service shows, in order. */
  changes(): Change[];
  /** Stores a job's change. Idempotent. */
  record(jobId: string, change: Change): void;
  get(jobId: string): ActionJob | undefined;
  put(kept: KeptJob): void;
  /** Stores a job's new state. */
  update(job: ActionJob, isOver: boolean): void;
  /** Takes over the unfinished jobs of a process that has exited, in order. */
  takeOver(): KeptJob[];
  close(): void;
}

/** Maximum number of stored jobs. The oldest finished jobs are dropped first. */
const mostJobs = 10_000;

/**
 * Opens the store. Changes belong to a company with a given seed and size, and other companies do not see them.
 * @throws Error as `openSqlite` does.
 */
export function openChangeStore(
  folder: string | undefined,
  { seed, accounts }: Pick<DataSettings, 'seed' | 'accounts'>,
): ChangeStore {
  const database = openSqlite(folder, 'changes.sqlite', 'changes and jobs');
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS jobs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL UNIQUE,
      world TEXT NOT NULL,
      job TEXT NOT NULL,
      plan TEXT NOT NULL,
      is_over INTEGER NOT NULL DEFAULT 0,
      process_id INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS jobs_left ON jobs (number) WHERE is_over = 0;
    CREATE TABLE IF NOT EXISTS changes (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL UNIQUE,
      world TEXT NOT NULL,
      change TEXT NOT NULL
    ) STRICT`);
  const world = `seed ${seed}, ${accounts} accounts`;
  const select = database.prepare('SELECT job FROM jobs WHERE job_id = ?');
  const insert = database.prepare(
    'INSERT INTO jobs (job_id, world, job, plan, process_id) VALUES (?, ?, ?, ?, ?)',
  );
  const forget = database.prepare(
    'DELETE FROM jobs WHERE is_over = 1 AND number <= (SELECT max(number) FROM jobs) - ?',
  );
  const change = database.prepare('UPDATE jobs SET job = ?, is_over = ? WHERE job_id = ?');
  const record = database.prepare('INSERT OR IGNORE INTO changes (job_id, world, change) VALUES (?, ?, ?)');
  const left = database.prepare(
    'SELECT job, plan, process_id FROM jobs WHERE is_over = 0 AND world = ? ORDER BY number',
  );
  const take = database.prepare('UPDATE jobs SET process_id = ? WHERE job_id = ?');

  return {
    changes: () =>
      database
        .prepare('SELECT change FROM changes WHERE world = ? ORDER BY number')
        .all(world)
        .map((row) => JSON.parse(text(row['change'])) as Change), // written by `record`
    record(jobId, made) {
      record.run(jobId, world, JSON.stringify(made));
    },
    get(jobId) {
      const row = select.get(jobId);
      return row === undefined ? undefined : (JSON.parse(text(row['job'])) as ActionJob); // written by `put` or `update`
    },
    put({ job, plan }) {
      const { lastInsertRowid } = insert.run(
        job.jobId,
        world,
        JSON.stringify(job),
        JSON.stringify(plan),
        process.pid,
      );
      if (Number(lastInsertRowid) % 100 === 0) forget.run(mostJobs);
    },
    update(job, isOver) {
      change.run(JSON.stringify(job), isOver ? 1 : 0, job.jobId);
    },
    takeOver() {
      const taken: KeptJob[] = [];
      for (const row of left.all(world)) {
        // Another process that shares this folder continues its own jobs.
        const processId = Number(row['process_id']);
        if (processId !== process.pid && isAlive(processId)) continue;
        const job = JSON.parse(text(row['job'])) as ActionJob; // written by `put` or `update`
        take.run(process.pid, job.jobId);
        taken.push({ job, plan: JSON.parse(text(row['plan'])) as JobPlan }); // written by `put`
      }
      return taken;
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}
