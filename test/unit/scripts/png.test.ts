/** Pictures in the documentation: small, compressed without losing frequent colors, and each in light and dark. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { suite, test } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { fromRoot, root } from '#scripts/lib/paths.js';
import { compressPng } from '#scripts/lib/png.js';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Creates a PNG file from RGB lines, each preceded by its filter number. */
function pngOf(width: number, lines: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(lines.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** Returns the colors of a compressed picture, line by line. */
function coloursOf(png: Buffer): string[] {
  const width = png.readUInt32BE(16);
  const data = (type: string) => {
    const at = png.indexOf(type);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const palette = data('PLTE').toString('hex').match(/.{6}/g) ?? [];
  const rows = inflateSync(data('IDAT'));
  return [...rows].flatMap((place, index) => (index % (width + 1) === 0 ? [] : [palette[place] ?? '']));
}

suite('pictures', () => {
  test('every line filter is undone, and colors are unchanged', () => {
    const png = pngOf(2, [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 1, 2, 3, 4, 5, 6],
      [2, 1, 1, 1, 1, 1, 1],
      [3, 1, 1, 1, 1, 1, 1],
      [4, 1, 1, 1, 1, 1, 1],
    ]);
    assert.deepEqual(coloursOf(compressPng(png)), [
      ...['0a141e', '28323c'],
      ...['010203', '050709'],
      ...['020304', '06080a'],
      ...['020203', '050607'],
      ...['030304', '060708'],
    ]);
  });

  test('a rare color becomes the closest one if there are more than 256', () => {
    const frequent = Array.from({ length: 256 }, (_, index) => [index, 0, 0]);
    const line = [...frequent, ...frequent, [100, 1, 0]];
    const colours = coloursOf(compressPng(pngOf(line.length, [[0, ...line.flat()]])));
    assert.equal(colours.at(-1), '640000');
    assert.deepEqual(
      colours.slice(0, 256),
      frequent.map(([red = 0]) => `${red.toString(16).padStart(2, '0')}0000`),
    );
  });

  test('the documents show each picture in light and dark, and none exceeds 150 KB', () => {
    const files = globSync('media/screenshots/*.png', { cwd: root });
    const texts = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map((file) =>
      readFileSync(fromRoot(file), 'utf8'),
    );
    assert.ok(files.length > 0);
    for (const file of files) {
      assert.ok(statSync(fromRoot(file)).size <= 150 * 1024, file);
      assert.ok(
        texts.some((text) => text.includes(file)),
        `no document shows ${file}`,
      );
    }
    for (const text of texts) {
      for (const [, shown = ''] of text.matchAll(/media\/screenshots\/([\w-]+\.png)/g)) {
        assert.ok(files.includes(`media/screenshots/${shown}`), shown);
      }
    }
  });
});
