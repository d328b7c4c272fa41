/** Exports: prepared shortly after the request, then available through a signed link that expires. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DownloadCreate, DownloadRequest } from '#api/contract/downloads.ts';
import { FileLinks, type FileQuery } from '../routes/file-link.ts';

interface KeptDownload {
  readonly record: DownloadRequest;
  /** Milliseconds since 1970. Set when the export completes. */
  readonly expiresAt: number | undefined;
}

const mostDownloads = 1_000;
/** Minutes that a link is valid if the request names none. */
export const defaultTtlMinutes = 60;

export class Downloads {
  readonly #kept = new Map<string, KeptDownload>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #links = new FileLinks(randomBytes(32));
  readonly #stepMs: number;
  readonly #hasData: (context: string) => boolean;

  constructor(stepMs: number, hasData: (context: string) => boolean) {
    this.#stepMs = stepMs;
    this.#hasData = hasData;
  }

  create(request: DownloadCreate): DownloadRequest {
    const record: DownloadRequest = {
      id: randomUUID(),
      context: request.context,
      fileFormat: request.fileFormat ?? 'csv',
      status: 'accepted',
      urlTtlMinutes: request.urlTtlMinutes ?? defaultTtlMinutes,
    };
    this.#kept.set(record.id, { record, expiresAt: undefined });
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > mostDownloads && oldest.done === false) this.#kept.delete(oldest.value);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#finish(record);
    }, this.#stepMs);
    this.#timers.add(timer);
    return record;
  }

  /** Returns the current record. If the export is complete, the record includes a link to its file under `baseUrl`. */
  get(id: string, baseUrl: string): DownloadRequest | undefined {
    const kept = this.#kept.get(id);
    if (kept?.expiresAt === undefined) return kept?.record;
    return { ...kept.record, url: this.#links.of(baseUrl, id, kept.expiresAt) };
  }

  /** Returns the export behind a link, or the reason why the link is invalid. */
  open(id: string, link: FileQuery): DownloadRequest | 'wrong' | 'expired' {
    const kept = this.#kept.get(id);
    if (kept === undefined || !this.#links.isRight(id, link)) return 'wrong';
    return Date.now() < Number(link.expires) ? kept.record : 'expired';
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #finish(record: DownloadRequest): void {
    if (this.#hasData(record.context)) {
      const expiresAt = Date.now() + (record.urlTtlMinutes ?? defaultTtlMinutes) * 60_000;
      this.#kept.set(record.id, { record: { ...record, status: 'completed' }, expiresAt });
      return;
    }
    const error = { code: 'NO_DATA', message: `The sandbox holds no data for ${record.context}.` };
    this.#kept.set(record.id, { record: { ...record, status: 'failed', error }, expiresAt: undefined });
  }
}
