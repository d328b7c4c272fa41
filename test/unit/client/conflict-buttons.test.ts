/** The three buttons of a conflict notification fit side by side in every language. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCatalogue, textsInCode, translationsOf } from '#scripts/lib/catalogues.js';
import { pseudoText } from '#test/helpers/pseudo-locale.ts';

const buttons = ['Merge', 'Save Mine', 'More...'];
/** Letters that fit into a notification: 450 px, minus its margins and those of the buttons, at 7 px per letter. */
const lettersMax = 48;

/** Returns the text width in letters; Chinese and Japanese characters are twice as wide. */
const widthOf = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[\u3000-\u9fff\uff00-\uffef]/.test(letter) ? 2 : 1), 0);

describe('the buttons of a conflict', () => {
  const inCode = textsInCode();
  const languages = translationsOf('l10n/bundle.l10n.*.json').map(
    ({ language, file }) => [language, readCatalogue(file)] as const,
  );
  const pseudo = Object.fromEntries(buttons.map((text) => [text, pseudoText(text)]));
  for (const [language, catalogue] of [...languages, ['pseudo', pseudo] as const])
    it(`fit in ${language}`, () => {
      const words = buttons.map((text) => {
        assert.ok(Object.hasOwn(inCode, text), text);
        return catalogue[text] ?? assert.fail(text);
      });
      const width = words.reduce((sum, text) => sum + widthOf(text), 0);
      assert.ok(width <= lettersMax, `${words.join(' | ')}: ${width}`);
    });
});
