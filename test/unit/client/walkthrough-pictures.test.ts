/** Each step of the walkthrough has a picture for every theme, large enough for a sharp display. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const bytesMax = 150 * 1024;
const widthMin = 1_000;

interface Manifest {
  readonly contributes: {
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly media: { readonly image: Readonly<Record<'dark' | 'light' | 'hc' | 'hcLight', string>> };
      }[];
    }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Manifest;
const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);

suite('pictures of the walkthrough', () => {
  test('there are six steps', () => {
    assert.equal(steps.length, 6);
  });

  for (const { id, media } of steps)
    test(`${id} has a small, sharp picture in dark and light`, () => {
      const { dark, light, hc, hcLight } = media.image;
      assert.deepEqual([hc, hcLight], [dark, light]);
      const pictures = [dark, light].map((file) => readFileSync(new URL(file, root)));
      for (const picture of pictures) {
        assert.equal(picture.toString('latin1', 1, 4), 'PNG');
        assert.ok(picture.length <= bytesMax, `${id}: ${picture.length} bytes`);
        assert.ok(picture.readUInt32BE(16) >= widthMin, `${id}: ${picture.readUInt32BE(16)} pixels wide`);
      }
      assert.notDeepEqual(pictures[0], pictures[1]);
    });
});
