/** Exports: requested, ready on the second read, with a file behind a link that needs no token. */
import { createHash, randomUUID } from 'node:crypto';
import { json, objectOf, page, Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import type { Records } from './records.ts';
import type { SwitchBoard } from './switches.ts';

interface Export {
  readonly id: string;
  readonly context: string;
  readonly fileFormat: string | undefined;
  looks: number;
}

export class Downloads {
  readonly #switches: SwitchBoard;
  readonly #records: Records;
  readonly #address: () => string;
  readonly #asked = new Map<string, Export>();

  constructor(switches: SwitchBoard, records: Records, address: () => string) {
    this.#switches = switches;
    this.#records = records;
    this.#address = address;
  }

  get routes(): readonly Route[] {
    return [
      {
        method: 'POST',
        path: '/v1/downloads',
        scope: 'read',
        isThere: () => !this.#switches.is('create-download', 'missing'),
        answer: (asked) => this.#create(asked),
      },
      {
        method: 'GET',
        path: '/v1/downloads/{id}',
        scope: 'read',
        answer: (_, { id = '' }) => this.#look(id),
      },
      {
        method: 'GET',
        path: '/downloads/{id}/file',
        scope: undefined,
        answer: (asked, { id = '' }) => this.#file(asked, id),
      },
    ];
  }

  #create(asked: Asked): Reply {
    const { context, fileFormat } = objectOf(asked);
    if (typeof context !== 'string') throw new Refusal(400, 'BAD_REQUEST', 'context is needed.');
    const kept = {
      id: randomUUID(),
      context,
      fileFormat: fileFormat === 'jsonl' ? 'jsonl' : undefined,
      looks: 0,
    };
    this.#asked.set(kept.id, kept);
    return json(202, this.#told(kept));
  }

  #look(id: string): Reply {
    const found = this.#asked.get(id);
    if (found === undefined) throw new Refusal(404, 'NOT_FOUND', 'No export has this id.');
    found.looks += 1;
    return json(200, this.#told(found));
  }

  /** Omits the format if it is the default. */
  #told({ id, context, fileFormat, looks }: Export): object {
    const status = looks > 1 ? 'completed' : 'accepted';
    const url =
      looks > 1 ? `${this.#address()}/downloads/${id}/file?signature=${signatureOf(id)}` : undefined;
    return { id, context, fileFormat, status, url };
  }

  #file({ query, headers }: Asked, id: string): Reply {
    const found = this.#asked.get(id);
    if (found === undefined || query.get('signature') !== signatureOf(id))
      return { status: 403, headers: { 'content-type': 'text/plain' }, bytes: Buffer.from('Expired.') };
    if (this.#switches.has('html-export')) return page(200);
    const whole = this.#bytes(found);
    const etag = `"${createHash('sha256').update(whole).digest('hex')}"`;
    const type = found.fileFormat === 'jsonl' ? 'application/jsonl' : 'text/csv; charset=utf-8';
    const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
    const isFresh = headers['if-range'] === undefined || headers['if-range'] === etag;
    if (from === undefined || !isFresh)
      return { status: 200, headers: { 'content-type': type, etag, 'accept-ranges': 'bytes' }, bytes: whole };
    const start = Number(from);
    if (start >= whole.length)
      return { status: 416, headers: { 'content-range': `bytes */${whole.length}` }, bytes: Buffer.alloc(0) };
    const rest = whole.length - start;
    const end = start + (this.#switches.has('short-range') ? Math.ceil(rest / 2) : rest);
    return {
      status: 206,
      headers: { 'content-type': type, etag, 'content-range': `bytes ${start}-${end - 1}/${whole.length}` },
      bytes: whole.subarray(start, end),
    };
  }

  #bytes({ fileFormat }: Export): Buffer {
    const rows = this.#records.list('accounts').filter((row) => typeof row === 'object' && row !== null);
    if (fileFormat === 'jsonl') return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const names = Object.keys(rows[0] ?? {});
    const field = (value: unknown) => {
      const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const lines = rows.map((row) => names.map((name) => field(Reflect.get(row, name))).join(','));
    return Buffer.from([names.join(','), ...lines, ''].join('\r\n'));
  }
}

function signatureOf(id: string): string {
  return createHash('sha256').update(`a key of the service ${id}`).digest('hex').slice(0, 20);
}
