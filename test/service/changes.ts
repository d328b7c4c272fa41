/**
 * Changes and their jobs (specification, "Change operations"). A job is completed when it is read for the second time.
 */
import { randomUUID } from 'node:crypto';
import { json, Refusal, type Reply, type Route } from './exchange.ts';
import { access, type Records } from './records.ts';
import type { SwitchBoard } from './switches.ts';

interface Job {
  readonly jobId: string;
  readonly operation: string;
  readonly globalId: string;
  readonly apply: () => 'changed' | 'unchanged';
  readonly createdAt: string;
  looks: number;
  outcome?: 'changed' | 'unchanged';
  completedAt?: string;
}

export class Changes {
  readonly #switches: SwitchBoard;
  readonly #records: Records;
  readonly #jobs = new Map<string, Job>();

  constructor(switches: SwitchBoard, records: Records) {
    this.#switches = switches;
    this.#records = records;
  }

  get routes(): readonly Route[] {
    const isMember = () => !this.#switches.is('membership', 'missing');
    const application = '/v1/assigned-applications/{id}';
    const member = '/v1/groups/{groupId}/members/{accountId}';
    const assigned = (id: string, entity: string) =>
      this.#removal('assigned-applications.remove', entity, id);
    return [
      change('POST', '/v1/accounts/{id}/disable', ({ id = '' }) => this.#disable(id)),
      change('DELETE', `${application}/assigned-accounts/{accountId}`, ({ id = '', accountId = '' }) =>
        assigned(id, accountId),
      ),
      change('DELETE', `${application}/assigned-groups/{groupId}`, ({ id = '', groupId = '' }) =>
        assigned(id, groupId),
      ),
      {
        ...change('PUT', member, ({ groupId = '', accountId = '' }) => this.#addMember(groupId, accountId)),
        isThere: isMember,
      },
      {
        ...change('DELETE', member, ({ groupId = '', accountId = '' }) =>
          this.#removal('groups.removeMember', accountId, groupId),
        ),
        isThere: isMember,
      },
      {
        method: 'GET',
        path: '/v1/action-jobs/{jobId}',
        scope: 'read',
        answer: (_, { jobId = '' }) => this.#look(jobId),
      },
    ];
  }

  #accept(operation: string, globalId: string, apply: Job['apply']): Reply {
    const jobId = randomUUID();
    const createdAt = new Date().toISOString();
    this.#jobs.set(jobId, { jobId, operation, globalId, apply, createdAt, looks: 0 });
    const status = this.#switches.is('action-job', 'bare') ? 200 : 202;
    // A client that has the job ID can do without `self`.
    const self = this.#switches.has('job-without-self') ? undefined : `/v1/action-jobs/${jobId}`;
    return json(status, { jobId, self });
  }

  #disable(id: string): Reply {
    const account = this.#records.find('accounts', id);
    if (account === undefined) throw new Refusal(404, 'NOT_FOUND', 'No account has this id.');
    return this.#accept('accounts.disable', id, () => {
      if (account['enabled'] === false) return 'unchanged';
      this.#records.change('accounts', id, { enabled: false });
      return 'changed';
    });
  }

  #addMember(groupId: string, accountId: string): Reply {
    if (this.#records.find('accounts', accountId) === undefined)
      throw new Refusal(404, 'NOT_FOUND', 'No account has this id.');
    return this.#accept('groups.addMember', accountId, () => {
      const row = access(['Account', accountId], ['UserGroup', groupId]);
      if (this.#records.find('entity-assigned-access-to-object', String(row['globalId'])) !== undefined)
        return 'unchanged';
      this.#records.add('entity-assigned-access-to-object', row);
      return 'changed';
    });
  }

  #removal(operation: string, entity: string, object: string): Reply {
    const id = String(access(['', entity], ['', object])['globalId']);
    if (this.#records.find('entity-assigned-access-to-object', id) === undefined)
      throw new Refusal(404, 'NOT_FOUND', 'There is no such assignment.');
    return this.#accept(operation, entity, () =>
      this.#records.remove('entity-assigned-access-to-object', (row) => row['globalId'] === id)
        ? 'changed'
        : 'unchanged',
    );
  }

  #look(jobId: string): Reply {
    const job = this.#jobs.get(jobId);
    if (job === undefined)
      throw new Refusal(
        this.#switches.is('action-job', 'unknown-is-410') ? 410 : 404,
        'NOT_FOUND',
        'No such job.',
      );
    job.looks += 1;
    if (job.looks > 1 && job.outcome === undefined) {
      job.outcome = job.apply();
      job.completedAt = new Date().toISOString();
    }
    return json(200, this.#told(job));
  }

  #told({ jobId, operation, globalId, outcome, createdAt, completedAt }: Job): object {
    const isOver = outcome !== undefined;
    if (this.#switches.is('action-job', 'other-words'))
      return {
        id: jobId,
        state: isOver ? 'SUCCEEDED' : 'IN_PROGRESS',
        targets: [{ id: globalId, status: isOver ? 'DONE' : 'WAITING' }],
      };
    if (this.#switches.is('action-job', 'bare')) return { done: isOver };
    return {
      jobId,
      status: isOver ? 'completed' : 'running',
      operation,
      targets: [{ globalId, outcome: outcome ?? 'pending', reflected: isOver }],
      createdAt,
      completedAt,
    };
  }
}

function change(
  method: string,
  path: string,
  accept: (names: Readonly<Record<string, string>>) => Reply,
): Route {
  return { method, path, scope: 'write', answer: (_, names) => accept(names) };
}
