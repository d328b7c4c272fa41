/** The link to an export's file: whoever has it may read the file, until it expires. */
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Type, type Static } from 'typebox';
import type { DownloadRequest } from '#api/contract/downloads.ts';
import { ServiceError } from '../errors.ts';
import { sameSecret } from '../tokens.ts';

export const filePath = '/downloads/:id/file';
/** Returns the ID of the export whose file this path names. */
export function idInFilePath(path: string): string | undefined {
  return /^\/downloads\/([\w-]{1,100})\/file$/.exec(path)?.[1];
}

export const FilePath = Type.Object({ id: Type.String({ maxLength: 100 }) });
export const FileQuery = Type.Object({
  expires: Type.String({ maxLength: 20 }),
  signature: Type.String({ maxLength: 100 }),
});
export type FileQuery = Static<typeof FileQuery>;

/** Signs and checks links. */
export class FileLinks {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @param expiresAt in milliseconds since 1970 */
  of(baseUrl: string, id: string, expiresAt: number): string {
    const query = new URLSearchParams({ expires: String(expiresAt), signature: this.#sign(id, expiresAt) });
    return `${baseUrl}${filePath.replace(':id', id)}?${query.toString()}`;
  }

  isRight(id: string, { expires, signature }: FileQuery): boolean {
    return sameSecret(signature, this.#sign(id, Number(expires)));
  }

  #sign(id: string, expiresAt: number): string {
    return createHmac('sha256', this.#key).update(`${id} ${expiresAt}`).digest('base64url');
  }
}

export function wrongLink(): ServiceError {
  return new ServiceError('FORBIDDEN', 'This link is not valid.');
}

export function expiredLink(): ServiceError {
  return new ServiceError('FORBIDDEN', 'This link has expired: ask for the download again.');
}

export function describeFile(
  reply: FastifyReply,
  { fileFormat, context }: Pick<DownloadRequest, 'fileFormat' | 'context'>,
): void {
  const isCsv = fileFormat === 'csv';
  reply.type(isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl; charset=utf-8');
  reply.header('content-disposition', `attachment; filename="${context}.${fileFormat}"`);
}
