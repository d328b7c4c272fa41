/**
 * Saved queries (specification, "SavedQuery"), including operations that the specification mentions but does not
 * describe.
 */
import { randomUUID } from 'node:crypto';
import { json, objectOf, Refusal, textOf, type Asked, type Reply, type Route } from './exchange.ts';
import { models } from './models.ts';
import { pageRequestOf, type Paging } from './paging.ts';
import type { SwitchBoard } from './switches.ts';

interface Saved {
  readonly query_id: string;
  readonly name: string;
  readonly query_string: string;
  readonly model: string;
  readonly description?: string | undefined;
  readonly version: number;
}

export class SavedQueries {
  readonly #switches: SwitchBoard;
  readonly #paging: Paging;
  readonly #held = new Map<string, Saved>();

  constructor(switches: SwitchBoard, paging: Paging) {
    this.#switches = switches;
    this.#paging = paging;
    for (let index = 0; index < 15; index += 1) {
      this.#put({
        query_id: randomUUID(),
        name: `Sample ${index}`,
        query_string: 'SELECT alias, email FROM accounts',
        model: models[0].name,
        version: 1,
      });
    }
  }

  get routes(): readonly Route[] {
    const one = '/v1/query/saved-queries/{query_id}';
    const is: SwitchBoard['is'] = (id, way) => this.#switches.is(id, way);
    const write = { path: one, scope: 'write' as const };
    return [
      {
        method: 'GET',
        path: '/v1/query/saved-queries',
        scope: 'read',
        isThere: () => !is('saved-query-list', 'missing'),
        answer: ({ query }) => json(200, this.#list(query)),
      },
      {
        method: 'POST',
        path: '/v1/query/saved-queries',
        scope: 'write',
        answer: (asked) => json(is('create-status', 'status-200') ? 200 : 201, this.#create(asked)),
      },
      {
        method: 'GET',
        path: one,
        scope: 'read',
        answer: (_, names) => json(200, this.#told(this.#find(names))),
      },
      {
        ...write,
        method: 'PUT',
        isThere: () => !is('update', 'by-patch') && !is('update', 'missing'),
        answer: (asked, names) => this.#update(asked, names),
      },
      {
        ...write,
        method: 'PATCH',
        isThere: () => is('update', 'by-patch'),
        answer: (asked, names) => this.#update(asked, names),
      },
      {
        ...write,
        method: 'DELETE',
        isThere: () => !is('delete', 'missing'),
        answer: (_, names) => this.#delete(names),
      },
    ];
  }

  #list(query: URLSearchParams): object {
    const isBare = this.#switches.is('saved-query-list', 'without-texts');
    const told = [...this.#held.values()].map((saved) => {
      const { query_string, ...rest } = this.#told(saved);
      return isBare ? rest : { ...rest, query_string };
    });
    const rows = this.#switches.has('odd-saved-query') ? [told[0], { name: 7 }, ...told.slice(1)] : told;
    return this.#paging.slice(rows, pageRequestOf(query));
  }

  #create(asked: Asked): object {
    const fields = this.#fields(objectOf(asked));
    if (fields.name === undefined || fields.query_string === undefined)
      throw new Refusal(400, 'BAD_REQUEST', 'name and query_string are needed.');
    const { name, query_string, model = models[0].name, description } = fields;
    this.#requireFree(name);
    return this.#told(
      this.#put({ query_id: randomUUID(), name, query_string, model, description, version: 1 }),
    );
  }

  #update(asked: Asked, names: Readonly<Record<string, string>>): Reply {
    const body = objectOf(asked);
    const saved = this.#find(names);
    const fields = this.#fields(body);
    if (body['expected_version'] !== saved.version) throw this.#stale(saved);
    if (fields.name !== undefined) this.#requireFree(fields.name, saved.query_id);
    if (this.#switches.has('write-not-taken')) return json(200, this.#told(saved));
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return json(200, this.#told(this.#put({ ...saved, ...given, version: saved.version + 1 })));
  }

  #delete(names: Readonly<Record<string, string>>): Reply {
    this.#held.delete(this.#find(names).query_id);
    if (this.#switches.is('delete', 'answers-200')) return json(200, {});
    return { status: 204, headers: {}, bytes: Buffer.alloc(0) };
  }

  #put(saved: Saved): Saved {
    const isTrimmed = this.#switches.has('trims-text');
    const kept = isTrimmed ? { ...saved, query_string: saved.query_string.trim() } : saved;
    this.#held.set(kept.query_id, kept);
    return kept;
  }

  /** Returns a saved query as the specification requires: "Empty string fields are not shown." */
  #told(saved: Saved): Saved {
    const { description, ...rest } = { ...saved, created_by: { type: 'user', id: 'u-1' } };
    if (description !== undefined && description !== '') return { ...rest, description };
    return this.#switches.has('null-members') ? { ...rest, description: null as never } : rest;
  }

  #find({ query_id = '' }: Readonly<Record<string, string>>): Saved {
    const saved = this.#held.get(query_id);
    if (saved !== undefined) return saved;
    const status = this.#switches.has('gone-as-410') ? 410 : this.#switches.has('gone-as-400') ? 400 : 404;
    throw new Refusal(status, 'SAVED_QUERY_NOT_FOUND', 'No saved query has this id.');
  }

  #fields(body: Readonly<Record<string, unknown>>) {
    const fields = {
      name: body['name'] === undefined ? undefined : textOf(body, 'name', { min: 1, max: 200 }),
      query_string:
        body['query_string'] === undefined
          ? undefined
          : textOf(body, 'query_string', { min: 1, max: 100_000 }),
      model: textOf(body, 'model', { max: 1_000 }),
      description: textOf(body, 'description', { max: 2_000 }),
    };
    if (fields.model !== undefined && !models.some(({ name }) => name === fields.model))
      throw new Refusal(400, 'BAD_REQUEST', 'There is no such model.');
    return fields;
  }

  #requireFree(name: string, except?: string): void {
    const key = name.toLowerCase();
    for (const saved of this.#held.values())
      if (saved.query_id !== except && saved.name.toLowerCase() === key)
        throw new Refusal(409, 'NAME_CONFLICT', 'The name is in use.');
  }

  #stale({ version }: Saved): Refusal {
    const message = 'Somebody saved a newer version.';
    const is = (way: 'stale-412' | 'stale-428' | 'stale-400' | 'stale-bare') =>
      this.#switches.is('update', way);
    if (is('stale-412')) return new Refusal(412, 'PRECONDITION_FAILED', message);
    if (is('stale-428')) return new Refusal(428, 'PRECONDITION_REQUIRED', message);
    if (is('stale-400')) return new Refusal(400, 'BAD_REQUEST', message);
    if (is('stale-bare')) return new Refusal(409, 'CONFLICT', message);
    return new Refusal(409, 'VERSION_CONFLICT', message, { details: { current_version: version } });
  }
}
