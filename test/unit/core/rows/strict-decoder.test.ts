import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StrictDecoder } from '#core/rows/files/strict-decoder.ts';

/** Returns where the decoder finds no text, with pieces of each size. */
function placesIn(bytes: readonly number[], encoding = 'utf-8'): ReadonlySet<string> {
  const places = bytes.map((_, size) => {
    const decoder = new StrictDecoder(encoding);
    try {
      for (let from = 0; from < bytes.length; from += size + 1)
        decoder.decode(Uint8Array.from(bytes.slice(from, from + size + 1)));
      decoder.end();
      return 'text';
    } catch (error) {
      return /line \d+, byte \d+/.exec(String(error))?.[0] ?? String(error);
    }
  });
  return new Set(places);
}

const bytesOf = (text: string, encoding: BufferEncoding = 'latin1') => [...Buffer.from(text, encoding)];

describe('bytes that are no text', () => {
  for (const [name, bytes, place, encoding] of [
    ['Latin-1 before a letter', bytesOf('a\ncafé au'), 'line 2, byte 6'],
    ['Latin-1 at the end', bytesOf('café'), 'line 1, byte 4'],
    ['a lone continuation', bytesOf('é€\n', 'utf8').concat(0x80, 0x61), 'line 2, byte 7'],
    ['half of a wide character', bytesOf('xé🙂', 'utf8').slice(0, -1), 'line 1, byte 4'],
    ['a wide character that is cut off', bytesOf('🙂', 'utf8').slice(0, 2).concat(0x0a), 'line 1, byte 1'],
    ['an overlong form', [0x61, 0xc0, 0x80], 'line 1, byte 2'],
    ['half of a UTF-16 unit', [0x61, 0, 0x62], 'line 1, byte 3', 'utf-16le'],
    ['nothing', bytesOf('é🙂\nx', 'utf8'), 'text'],
  ] as const)
    it(`are found at their first byte: ${name}`, () => {
      assert.deepEqual([...placesIn(bytes, encoding)], [place]);
    });
});
