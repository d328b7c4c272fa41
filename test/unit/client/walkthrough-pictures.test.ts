/** Texts in the walkthrough's pictures do not overlap, even in a wide font. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

const folder = new URL('../../../media/walkthrough/', import.meta.url);
/** Character widths relative to the font size: DejaVu Sans, the fallback on Linux. */
const proportional = 0.55;
const monospaced = 0.602;

interface Placed {
  readonly text: string;
  readonly y: string;
  readonly left: number;
  readonly right: number;
}

function placedTexts(svg: string): readonly Placed[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const value = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
    const size = Number(value('font-size') ?? 13);
    const isMonospaced = value('font-family')?.includes('editor-font') === true;
    const width = text.length * size * (isMonospaced ? monospaced : proportional);
    const x = Number(value('x') ?? 0);
    const anchor = value('text-anchor');
    const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
    return { text, y: value('y') ?? '', left, right: left + width };
  });
}

suite('pictures of the walkthrough', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.svg')))
    test(`${file}: no text overlaps another`, () => {
      const texts = placedTexts(readFileSync(new URL(file, folder), 'utf8'));
      assert.ok(texts.length > 0);
      const overlapping = texts.flatMap((one, index) =>
        texts
          .slice(index + 1)
          .filter((other) => other.y === one.y && other.left < one.right && one.left < other.right)
          .map((other) => `"${one.text}" and "${other.text}"`),
      );
      assert.deepEqual(overlapping, []);
    });
});
