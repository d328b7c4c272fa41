/** Jobs for changes advance one state at a time, whatever happens to their target. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { ActionJob } from '#api/contract/action-jobs.ts';
import { ActionJobs, type JobWork } from '#service/store/action-jobs.ts';
import { openChangeStore, type ChangeStore, type JobPlan } from '#service/store/change-store.ts';

const stepMs = 1_000;
const plan: JobPlan = {
  operation: 'accounts.disable',
  globalId: 'a',
  applicationIndex: 1,
  change: { kind: 'disable', account: 3, at: 0 },
};

interface Story {
  readonly store: ChangeStore;
  readonly jobs: ActionJobs;
  readonly reflected: JobPlan[];
  /** Advances the clock by one step and returns the job. */
  readonly step: (jobId: string) => Promise<ActionJob>;
}

function begin(context: TestContext, apply: JobWork['apply']): Story {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const store = openChangeStore(undefined, { seed: 1, accounts: 10 });
  const reflected: JobPlan[] = [];
  const reflect = (made: JobPlan): Promise<void> => {
    reflected.push(made);
    return Promise.resolve();
  };
  const jobs = new ActionJobs(store, { apply, reflect }, { jobStepMs: stepMs, log: () => undefined });
  context.after(() => {
    jobs.close();
    store.close();
  });
  return {
    store,
    jobs,
    reflected,
    step: async (jobId) => {
      context.mock.timers.tick(stepMs);
      await new Promise(setImmediate);
      const job = jobs.get(jobId);
      assert.ok(job);
      return job;
    },
  };
}

suite('jobs', () => {
  test('go from accepted to running to completed, and the change is then reflected', async (context) => {
    const { jobs, step, reflected, store } = begin(context, () => ({ outcome: 'changed' }));
    const { jobId, self } = jobs.accept(plan);
    assert.equal(self, `/v1/action-jobs/${jobId}`);
    const accepted = jobs.get(jobId);
    assert.equal(accepted?.status, 'accepted');
    assert.deepEqual(accepted.targets, [{ globalId: 'a', outcome: 'pending', reflected: false }]);
    assert.equal((await step(jobId)).status, 'running');
    const completed = await step(jobId);
    assert.equal(completed.status, 'completed');
    assert.ok(completed.completedAt);
    assert.deepEqual(completed.targets, [{ globalId: 'a', outcome: 'changed', reflected: false }]);
    assert.deepEqual([reflected, store.changes()], [[], []]);
    assert.deepEqual((await step(jobId)).targets, [{ globalId: 'a', outcome: 'changed', reflected: true }]);
    assert.deepEqual([reflected, store.changes()], [[plan], [plan.change]]);
  });

  test('reflect a change without effect when they end', async (context) => {
    const { jobs, step, reflected } = begin(context, () => ({ outcome: 'unchanged' }));
    const { jobId } = jobs.accept(plan);
    await step(jobId);
    const completed = await step(jobId);
    assert.deepEqual(completed.targets, [{ globalId: 'a', outcome: 'unchanged', reflected: true }]);
    assert.deepEqual([await step(jobId), reflected], [completed, []]);
  });

  test('report why a change cannot be made, and never reflect it', async (context) => {
    const reason = { code: 'APPLICATION_READ_ONLY', message: 'No.' };
    const { jobs, step, reflected } = begin(context, () => ({ outcome: 'not_possible', reason }));
    const { jobId } = jobs.accept(plan);
    await step(jobId);
    const completed = await step(jobId);
    assert.equal(completed.status, 'completed');
    assert.deepEqual(completed.targets, [
      { globalId: 'a', outcome: 'not_possible', reason, reflected: false },
    ]);
    assert.deepEqual([await step(jobId), reflected], [completed, []]);
  });

  test('keep their state when the service stops', async (context) => {
    const { jobs, step } = begin(context, () => ({ outcome: 'changed' }));
    const { jobId } = jobs.accept(plan);
    await step(jobId);
    jobs.close();
    assert.equal((await step(jobId)).status, 'running');
  });
});
