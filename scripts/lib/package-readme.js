/**
 * README.md as the extension's page shows it in a package without a repository URL: there, relative pictures and links
 * lead nowhere. Omits them and the sections that are only about the repository.
 */

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
