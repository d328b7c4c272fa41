/**
 * The findings that a document shows. An editor takes long with thousands of them, and nobody reads them: at most a
 * hundred of each code, errors first. The last one of a code says how many more there are.
 */
import { t } from '#base/texts.ts';
import type { Finding } from './finding.ts';

const shownMax = 100;

export function shownFindings(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  if (findings.length <= shownMax || [...counts.values()].every((count) => count <= shownMax))
    return findings;
  const ordered = [
    ...findings.filter(({ severity }) => severity === 'error'),
    ...findings.filter(({ severity }) => severity !== 'error'),
  ];
  const seen = new Map<string, number>();
  return ordered.flatMap((found) => {
    const nth = (seen.get(found.code) ?? 0) + 1;
    seen.set(found.code, nth);
    const more = (counts.get(found.code) ?? 0) - shownMax;
    if (nth < shownMax || (nth === shownMax && more <= 0)) return [found];
    return nth === shownMax
      ? [
          {
            ...found,
            message: `${found.message} ${t(more === 1 ? '1 more finding of this kind is not shown.' : '{0} more findings of this kind are not shown.', more)}`,
          },
        ]
      : [];
  });
}
