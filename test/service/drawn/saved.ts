/** Saved queries of a drawn service. */
import { randomUUID } from 'node:crypto';
import { Digits } from '../json.ts';
import { idOf } from '../records.ts';
import { Refused } from './answers.ts';
import type { Service } from './space.ts';

export interface Saved {
  readonly query_id: string;
  readonly name: string;
  readonly query_string: string;
  readonly model: string;
  readonly description?: string | undefined;
  readonly version: number;
}

export class SavedList {
  readonly #service: Service;
  readonly held = new Map<string, Saved>();
  /** Number of creates that the service carried out. */
  created = 0;
  /** Every version of each query, newest first. */
  readonly #versions = new Map<string, readonly Saved[]>();

  constructor(service: Service) {
    this.#service = service;
    for (let index = 0; index < 12; index += 1)
      this.#put({
        query_id: idOf(`saved ${index}`),
        name: `Folder ${index % 2}/Query ${index}`,
        query_string: `SELECT global_id FROM accounts -- ${index}`,
        model: 'platform_identity',
        ...(index % 3 === 0 ? { description: `The number ${index}` } : {}),
        version: 1,
      });
  }

  listed(): readonly unknown[] {
    const { savedText, savedEntry } = this.#service;
    const told = [...this.held.values()].map((saved) => {
      const { query_string, ...rest } = this.told(saved) as Saved; // told keeps every member
      return savedText === 'listed' ? { ...rest, query_string } : rest;
    });
    if (savedEntry === 'sound') return told;
    const odd =
      savedEntry === 'null'
        ? null
        : { query_id: idOf('odd'), name: 'No version', model: 'platform_identity' };
    return [...told.slice(0, 1), odd, ...told.slice(1)];
  }

  find(id: string): Saved {
    const saved = this.held.get(id);
    if (saved === undefined)
      throw new Refused({
        status: Number(this.#service.notFound),
        code: 'SAVED_QUERY_NOT_FOUND',
        message: 'No saved query has this id.',
      });
    return saved;
  }

  told(saved: Saved): object {
    const { description, ...rest } = saved;
    const isDescribed = description !== undefined && description !== '';
    return {
      ...rest,
      ...(isDescribed ? { description } : this.#service.describes === 'null' ? { description: null } : {}),
      version: this.#version(saved),
    };
  }

  #version({ version }: Saved): unknown {
    const { numbers } = this.#service;
    return numbers === 'numbers'
      ? version
      : numbers === 'texts'
        ? String(version)
        : new Digits(`${version}.0`);
  }

  create(body: Readonly<Record<string, unknown>>): Saved {
    const { name, query_string: text, model = 'platform_identity', description } = body;
    if (typeof name !== 'string' || typeof text !== 'string' || typeof model !== 'string')
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'name and query_string are needed.' });
    this.#requireFree(name);
    this.created += 1;
    return this.#put({
      query_id: randomUUID(),
      name,
      query_string: text,
      model,
      ...(typeof description === 'string' ? { description } : {}),
      version: 1,
    });
  }

  update(id: string, body: Readonly<Record<string, unknown>>): Saved {
    const saved = this.find(id);
    if (body['expected_version'] !== saved.version) throw this.#stale(saved);
    const { name, query_string: text, description } = body;
    if (typeof name === 'string') this.#requireFree(name, id);
    return this.#put({
      ...saved,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof text === 'string' ? { query_string: text } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      version: saved.version + 1,
    });
  }

  /** A deleted query keeps its versions. */
  delete(id: string): void {
    this.held.delete(this.find(id).query_id);
  }

  versionsOf(id: string): readonly Saved[] {
    const versions = this.#versions.get(id);
    if (versions === undefined) this.find(id);
    return versions ?? [];
  }

  #requireFree(name: string, except?: string): void {
    const key = name.toLowerCase();
    for (const { query_id, name: other } of this.held.values())
      if (query_id !== except && other.toLowerCase() === key)
        throw new Refused({ status: 409, code: 'NAME_CONFLICT', message: 'The name is in use.' });
  }

  #put(saved: Saved): Saved {
    const kept = { ...saved, query_string: storedForms[this.#service.storedText](saved.query_string) };
    this.held.set(kept.query_id, kept);
    this.#versions.set(kept.query_id, [kept, ...(this.#versions.get(kept.query_id) ?? [])]);
    return kept;
  }

  #stale({ version }: Saved): Refused {
    const { stale } = this.#service;
    const message = 'Somebody saved a newer version.';
    if (stale === '409-version')
      return new Refused({
        status: 409,
        code: 'VERSION_CONFLICT',
        message,
        details: { current_version: version },
      });
    if (stale === '409-bare') return new Refused({ status: 409, code: 'CONFLICT', message });
    const status = Number(stale);
    return new Refused({
      status,
      code: status === 412 ? 'PRECONDITION_FAILED' : 'PRECONDITION_REQUIRED',
      message,
    });
  }
}

const storedForms: Readonly<Record<Service['storedText'], (text: string) => string>> = {
  verbatim: (text) => text,
  'trimmed-end': (text) => text.trimEnd(),
  composed: (text) => text.normalize('NFC'),
  'line-ends': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
};
