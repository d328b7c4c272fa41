/**
 * Where the source is published. The owner of a copy fills in the address, for example
 * `https://github.com/OWNER/identity-queries`, then runs `npm run manifest`: `repository`, `bugs` and `homepage` of
 * package.json and of the npm package follow. Empty: they are left out.
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
