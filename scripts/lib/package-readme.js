/**
 * The documents of the extension's package. Without a repository URL, relative pictures and links lead nowhere on its
 * page: README.md omits them and the sections that are only about the repository.
 */

/**
 * CHANGELOG.md with the words of its links alone, and without links in brackets, since no other document is beside it.
 * @param {string} changelog
 * @returns {string}
 */
export function packageChangelog(changelog) {
  return changelog
    .replace(/ \(\[[^\]]*\]\((?!https?:|#)[^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1');
}

/** Sections of README.md that consist of links into the repository, or need its files. */
export const omittedSections = ['Try it from this repository', 'Guides', 'Without an editor', 'More'];

/**
 * @param {string} readme
 * @returns {string}
 */
export function packageReadme(readme) {
  return readme
    .split(/^(?=## )/m)
    .filter((section) => !omittedSections.some((title) => section.startsWith(`## ${title}\n`)))
    .join('')
    .replace(/[^\n]*:\n\n<picture>.*?<\/picture>\n\n?/gs, '')
    .replace(/<picture>.*?<\/picture>\n\n?/gs, '')
    .replace(/[^.!?\n]*\[[^\]]*\]\((?!https?:|#)[^)]*\)[^.!?\n]*(?:\.\w+[^.!?\n]*)*[.!?]/g, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
}
