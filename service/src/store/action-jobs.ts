/** Jobs for change operations: accepted, running, completed, and shortly afterward visible in the service's data. */
import { randomUUID } from 'node:crypto';
import type { ActionJob, JobAcceptance } from '#api/contract/action-jobs.ts';
import type { Log } from '../log.ts';
import type { ChangeStore, JobPlan, KeptJob } from './change-store.ts';

type Target = ActionJob['targets'][number];

export interface JobWork {
  /** Changes the target in the source application and returns its outcome. */
  apply(plan: JobPlan): Pick<Target, 'outcome' | 'reason'>;
  /** Applies the change to the service's own data. Called only if the target was changed. */
  reflect(plan: JobPlan): Promise<void>;
}

export class ActionJobs {
  readonly #store: ChangeStore;
  readonly #work: JobWork;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Milliseconds between two states. */
  readonly #stepMs: number;
  readonly #log: Log;
  #isClosed = false;

  /** Resumes jobs from an earlier process. The caller owns `store`. */
  constructor(
    store: ChangeStore,
    work: JobWork,
    { jobStepMs, log }: { readonly jobStepMs: number; readonly log: Log },
  ) {
    this.#store = store;
    this.#work = work;
    this.#stepMs = jobStepMs;
    this.#log = log;
    for (const kept of store.takeOver()) this.#goOn(kept);
  }

  get(id: string): ActionJob | undefined {
    return this.#store.get(id);
  }

  accept(plan: JobPlan): JobAcceptance {
    const jobId = randomUUID();
    const target: Target = { globalId: plan.globalId, outcome: 'pending', reflected: false };
    const createdAt = new Date().toISOString();
    const job: ActionJob = {
      jobId,
      status: 'accepted',
      operation: plan.operation,
      targets: [target],
      createdAt,
    };
    this.#store.put({ job, plan });
    this.#goOn({ job, plan });
    return { jobId, self: `/v1/action-jobs/${jobId}` };
  }

  /** Unfinished jobs resume at the next start. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #goOn({ job, plan }: KeptJob): void {
    switch (job.status) {
      case 'accepted':
        this.#later(() => {
          const running: ActionJob = { ...job, status: 'running' };
          this.#store.update(running, false);
          this.#goOn({ job: running, plan });
        });
        return;
      case 'running':
        this.#later(() => {
          const { outcome, reason } = this.#work.apply(plan);
          // If the target did not change, the service has nothing to update.
          const target = {
            globalId: plan.globalId,
            outcome,
            ...(reason === undefined ? {} : { reason }),
            reflected: outcome === 'unchanged',
          };
          const completed: ActionJob = {
            ...job,
            status: 'completed',
            targets: [target],
            completedAt: new Date().toISOString(),
          };
          this.#store.update(completed, outcome !== 'changed');
          if (outcome === 'changed') this.#reflectLater(completed, plan);
        });
        return;
      default:
        // The earlier process stopped in between: the source application has the change, but the service does not show
        // it yet.
        this.#work.apply(plan);
        this.#reflectLater(job, plan);
    }
  }

  #reflectLater(job: ActionJob, plan: JobPlan): void {
    this.#later(() => {
      this.#store.record(job.jobId, plan.change);
      void this.#work.reflect(plan).then(() => {
        if (this.#isClosed) return;
        const targets = job.targets.map((target) => ({ ...target, reflected: true }));
        this.#try(() => this.#store.update({ ...job, targets }, true));
      });
    });
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#try(work);
    }, this.#stepMs);
    this.#timers.add(timer);
  }

  /** A full disk must not crash the process: the job is kept and resumes at the next start. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log(`A job could not continue: ${error instanceof Error ? error.message : 'unknown reason'}`);
    }
  }
}
