/** Links of Markdown documents that lead nowhere, among the files of a package. */
import path from 'node:path';

/**
 * @param files the text of each document, by path with slashes.
 * @param has whether the package contains a file.
 * @returns each broken link as `document: link`.
 */
export function brokenLinks(
  files: ReadonlyMap<string, string>,
  has: (file: string) => boolean,
): readonly string[] {
  return [...files].flatMap(([file, text]) =>
    linksOf(text).flatMap((link) => {
      if (/^(?:https?|command|mailto):/.test(link)) return [];
      const [target = '', anchor] = decodeURIComponent(link).split('#');
      const place = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
      const isThere = has(place) && (anchor === undefined || anchorsOf(files.get(place) ?? '').has(anchor));
      return isThere ? [] : [`${file}: ${link}`];
    }),
  );
}

function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^(`{3,})[^]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g),
    ...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, link = '']) => link);
}

/** As GitHub and the editor's preview name headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#+\s+(.*)$/gm)].map(([, title = '']) =>
      title
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}
