/** Bodies that a server or something on the way has compressed, as they were before (RFC 9110 section 8.4). */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ContractError } from '../errors.ts';

/** The codings of a body, in the order they were applied; none for a body as it is. */
export function codingsOf(header: string | undefined): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** @throws ContractError for a coding that is not known here. What is broken throws while it is read. */
export function decompressed(
  body: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): AsyncIterable<Uint8Array> {
  return codings.toReversed().reduce((bytes, coding) => through(bytes, decoderOf(coding)), body);
}

function decoderOf(coding: string): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new ContractError('The answer is compressed in a way that is not known here. Check the proxy.', {
        status: 200,
      });
  }
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  decoder: Transform,
): AsyncGenerator<Uint8Array, void, undefined> {
  // The error of either end comes out of the loop below.
  pipeline(Readable.from(bytes), decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>; // a decoder without an encoding yields bytes
  } catch (error) {
    const isBroken = error instanceof Error && 'errno' in error && typeof error.errno === 'number';
    // Of a body that breaks off nothing can be said but that.
    throw isBroken
      ? Object.assign(new Error('broken', { cause: error }), { code: 'IDENTITY_QUERIES_TRUNCATED' })
      : error;
  } finally {
    decoder.destroy();
  }
}
