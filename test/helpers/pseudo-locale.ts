/** A pseudo-language for tests: recognizable, longer than English, and still readable. */

const accents: Readonly<Record<string, string>> = {
  ...{ a: 'à', e: 'é', i: 'î', o: 'ö', u: 'ü', y: 'ý', c: 'ç', n: 'ñ' },
  ...{ A: 'Å', E: 'É', I: 'Î', O: 'Ö', U: 'Ü', Y: 'Ý', C: 'Ç', N: 'Ñ' },
};

/** Matches the parts that a translation keeps: placeholders, quoted names, links, settings and icons. */
const kept = /(\{\d+\}|`[^`]*`|\]\([^)]*\)|#[\w.]+#|\$\([\w-]+\))/;

/** Adds brackets and accents, and makes the text a third longer, like German. */
export function pseudoText(text: string): string {
  const accented = text
    .split(kept)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[a-z]/gi, (letter) => accents[letter] ?? letter),
    )
    .join('');
  return `⟦${accented}${'~'.repeat(Math.ceil(text.length / 3))}⟧`;
}
