/** Changes with their jobs, and exports, of a drawn service. */
import { randomUUID } from 'node:crypto';
import type { Reply } from '../exchange.ts';
import { jsonReply, Refused } from './answers.ts';
import type { Service } from './space.ts';

interface Job {
  readonly target: string;
  looks: number;
}

export class Jobs {
  readonly #service: Service;
  readonly #jobs = new Map<string, Job>();
  /** Number of changes that were accepted. */
  accepted = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  accept(target: string): Reply {
    const jobId = randomUUID();
    this.accepted += 1;
    this.#jobs.set(jobId, { target, looks: 0 });
    return jsonReply(Number(this.#service.accepted), { jobId, self: `/v1/action-jobs/${jobId}` });
  }

  look(jobId: string): Reply {
    const job = this.#jobs.get(jobId);
    if (job === undefined) throw new Refused({ status: 404, code: 'NOT_FOUND', message: 'No such job.' });
    job.looks += 1;
    return jsonReply(200, this.#told(jobId, job.target, job.looks > 1));
  }

  #told(jobId: string, globalId: string, isOver: boolean): object {
    const isDone = this.#service.jobOutcome === 'changed';
    const changed = isDone ? 'changed' : 'failed';
    const reason = isOver && !isDone ? { reason: 'The application did not answer.' } : {};
    switch (this.#service.jobWords) {
      case 'contract':
        return {
          jobId,
          status: isOver ? 'completed' : 'running',
          operation: 'accounts.disable',
          targets: [
            { globalId, outcome: isOver ? changed : 'pending', reflected: isOver && isDone, ...reason },
          ],
        };
      case 'upper':
        return {
          id: jobId,
          state: isOver ? (isDone ? 'SUCCEEDED' : 'COMPLETED_WITH_ERRORS') : 'IN_PROGRESS',
          targets: [{ id: globalId, status: isOver ? (isDone ? 'DONE' : 'ERRORED') : 'WAITING' }],
        };
      case 'reflected-in-graph':
        return {
          jobId,
          status: isOver ? 'completed' : 'running',
          targets: [
            {
              globalId,
              outcome: isOver ? changed : 'pending',
              canBeChanged: isDone || !isOver ? 'yes' : 'no',
              shownInGraphSince: isOver && isDone ? 'now' : null,
            },
          ],
        };
      case 'applied':
        return {
          jobId,
          status: isOver ? 'applied' : 'applying',
          targets: [{ globalId, outcome: isOver ? (isDone ? 'applied' : 'not_applied') : 'pending' }],
        };
      case 'timed-out':
        return {
          jobId,
          status: isOver ? 'resolved' : 'running',
          targets: [{ globalId, outcome: isOver ? 'timed_out' : 'pending' }],
        };
      case 'without-status':
        return {
          jobId,
          targets: [
            { globalId, outcome: isOver ? changed : 'pending', reflected: isOver && isDone, ...reason },
          ],
        };
      default:
        return this.#service.jobWords satisfies never;
    }
  }
}

interface Export {
  readonly context: string;
  readonly fileFormat: string | undefined;
  looks: number;
}

export class Exports {
  readonly #service: Service;
  readonly #address: () => string;
  readonly #exports = new Map<string, Export>();

  constructor(service: Service, address: () => string) {
    this.#service = service;
    this.#address = address;
  }

  /** Keeps an export that somebody asked for elsewhere. */
  put(id: string, context: string): void {
    this.#exports.set(id, { context, fileFormat: undefined, looks: 5 });
  }

  create(body: Readonly<Record<string, unknown>>): Reply {
    const { context, fileFormat } = body;
    if (typeof context !== 'string')
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'context is needed.' });
    const id = randomUUID();
    this.#exports.set(id, { context, fileFormat: fileFormat === 'jsonl' ? 'jsonl' : undefined, looks: 0 });
    return jsonReply(202, this.#told(id));
  }

  look(id: string): Reply {
    const found = this.#exports.get(id);
    if (found === undefined)
      throw new Refused({ status: 404, code: 'NOT_FOUND', message: 'No export has this id.' });
    found.looks += 1;
    return jsonReply(200, this.#told(id));
  }

  file(id: string, isMoved: boolean): Reply {
    const found = this.#exports.get(id);
    if (found === undefined) return { status: 403, headers: {}, bytes: Buffer.from('Expired.') };
    if (this.#service.exportLink === 'redirected' && !isMoved)
      return { status: 307, headers: { location: `/files/${id}/moved` }, bytes: Buffer.alloc(0) };
    const lines = found.fileFormat === 'jsonl' ? ['{"id":1}', '{"id":2}', ''] : ['id', '1', '2', ''];
    return { status: 200, headers: { 'content-type': 'text/plain' }, bytes: Buffer.from(lines.join('\n')) };
  }

  #told(id: string): object {
    const { context, fileFormat, looks } = this.#exports.get(id) ?? {
      context: '',
      fileFormat: undefined,
      looks: 0,
    };
    const isOver = looks > 1;
    // A link that has expired is not shown any more.
    const hasFailed = isOver && this.#service.exportOutcome === 'failed';
    const hasLink = isOver && !hasFailed && this.#service.exportLink !== 'gone';
    return {
      id,
      context,
      fileFormat,
      status: hasFailed ? 'failed' : isOver ? 'completed' : 'accepted',
      ...(hasFailed ? { error: { code: 'NO_DATA', message: 'The source did not answer.' } } : {}),
      ...(hasLink ? { url: `${this.#address()}/files/${id}` } : {}),
    };
  }
}
