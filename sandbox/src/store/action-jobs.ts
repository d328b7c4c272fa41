/** Jobs of change operations: accepted, running, completed, and a moment later reflected in the service's own data. */
import { randomUUID } from 'node:crypto';
import type { ActionJob, JobAcceptance } from '../../../api/contract/action-jobs.ts';

type Target = ActionJob['targets'][number];

export interface JobPlan {
  /** For example accounts.disable. */
  readonly operation: string;
  readonly globalId: string;
  /** What the source application says when it is asked to change the target. */
  readonly apply: () => Pick<Target, 'outcome' | 'reason'>;
  /** Puts the change into the service's own data; called only when the target was changed. */
  readonly reflect: () => Promise<void>;
}

/** Most jobs that are remembered; the oldest are forgotten first. */
const mostJobs = 10_000;

export class ActionJobs {
  readonly #jobs = new Map<string, ActionJob>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Between one state and the next. */
  readonly #stepMs: number;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  get(id: string): ActionJob | undefined {
    return this.#jobs.get(id);
  }

  accept(plan: JobPlan): JobAcceptance {
    const jobId = randomUUID();
    const createdAt = new Date().toISOString();
    const target: Target = { globalId: plan.globalId, outcome: 'pending', reflected: false };
    this.#put({ jobId, status: 'accepted', operation: plan.operation, targets: [target], createdAt });
    this.#later(() => {
      this.#change(jobId, { status: 'running' });
      this.#later(() => this.#complete(jobId, plan));
    });
    return { jobId, self: `/v1/action-jobs/${jobId}` };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #complete(jobId: string, plan: JobPlan): void {
    const outcome = plan.apply();
    const target: Target = {
      globalId: plan.globalId,
      ...outcome,
      // Nothing to show where nothing changed.
      reflected: outcome.outcome === 'unchanged',
    };
    this.#change(jobId, { status: 'completed', targets: [target], completedAt: new Date().toISOString() });
    if (outcome.outcome !== 'changed') return;
    this.#later(() => {
      void plan.reflect().then(() => this.#change(jobId, { targets: [{ ...target, reflected: true }] }));
    });
  }

  #put(job: ActionJob): void {
    this.#jobs.set(job.jobId, job);
    const oldest = this.#jobs.keys().next();
    if (this.#jobs.size > mostJobs && oldest.done === false) this.#jobs.delete(oldest.value);
  }

  #change(jobId: string, change: Partial<ActionJob>): void {
    const job = this.#jobs.get(jobId);
    if (job !== undefined) this.#jobs.set(jobId, { ...job, ...change });
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, this.#stepMs);
    this.#timers.add(timer);
  }
}
