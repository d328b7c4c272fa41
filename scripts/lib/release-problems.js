/**
 * Returns the problems that prevent releasing a commit.
 * @param {{ version: string, tags: readonly string[], changes: string, changelog: string, gaps: number }} state
 *   `tags`: the commit's tags; `changes`: the output of `git status --porcelain`; `gaps`: of the translations
 * @returns {string[]} one sentence per problem
 */
export function releaseProblems({ version, tags, changes, changelog, gaps }) {
  const problems = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    problems.push(`"${version}" in package.json is not a version such as 1.0.0.`);
  if (!tags.includes(`v${version}`)) problems.push(`The commit has no tag v${version}.`);
  if (changes !== '') problems.push('There are uncommitted changes. Commit or remove them.');
  if (sectionOf(changelog, version) === undefined)
    problems.push(`CHANGELOG.md has no section "## ${version}", or "## ${version} (pre-release)".`);
  if (gaps > 0)
    problems.push(
      `${gaps} texts are not translated, translated from an earlier text or no longer used. List them: npm run l10n -- --missing`,
    );
  return problems;
}

/**
 * Returns whether the release notes call a version a pre-release. The Marketplace has no such version numbers.
 * @param {string} changelog
 * @param {string} version
 */
export function isPreRelease(changelog, version) {
  return sectionOf(changelog, version)?.endsWith('(pre-release)') === true;
}

/**
 * @param {string} changelog
 * @param {string} version
 */
function sectionOf(changelog, version) {
  const headings = [`## ${version}`, `## ${version} (pre-release)`];
  return changelog.split('\n').find((line) => headings.includes(line.trimEnd()));
}
