/**
 * Where the source is published. The owner of a fork enters the address, for example
 * `https://github.com/OWNER/identity-queries`, then runs `npm run manifest`, which sets `repository`, `bugs` and
 * `homepage` in package.json and in the npm package. Empty: they are omitted.
 */
export const repositoryUrl = '';

/**
 * @param {string} url
 * @returns {Record<string, unknown>} members of package.json
 */
export function repositoryFields(url) {
  if (url === '') return {};
  return {
    repository: { type: 'git', url: `git+${url}.git` },
    bugs: { url: `${url}/issues` },
    homepage: `${url}#readme`,
  };
}
