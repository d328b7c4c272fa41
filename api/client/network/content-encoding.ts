/** Decodes compressed bodies (RFC 9110 section 8.4). */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ContractError } from '../errors.ts';

/** Returns the content codings of a body, in order; empty for an uncompressed body. */
export function codingsOf(header: string | undefined): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** @throws ContractError for an unknown coding. Corrupt data throws only while it is read. */
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
      throw new ContractError('The response uses an unknown compression. Check the proxy.', {
        status: 200,
      });
  }
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  decoder: Transform,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Errors from either stream surface in `yield*` below.
  pipeline(Readable.from(bytes), decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>; // without a text encoding, a decoder yields bytes
  } catch (error) {
    const isBroken = error instanceof Error && 'errno' in error && typeof error.errno === 'number';
    // zlib's error is the only sign of a truncated body.
    throw isBroken
      ? Object.assign(new Error('broken', { cause: error }), { code: 'IDENTITY_QUERIES_TRUNCATED' })
      : error;
  } finally {
    decoder.destroy();
  }
}
