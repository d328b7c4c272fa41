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
  if (!changelog.split('\n').some((line) => line.startsWith(`## ${version}`)))
    problems.push(`CHANGELOG.md has no section "## ${version}".`);
  if (gaps > 0)
    problems.push(
      `${gaps} texts are not translated, translated from an earlier text or no longer used. List them: npm run l10n -- --missing`,
    );
  return problems;
}
