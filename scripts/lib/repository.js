/**
 * The URL of the published source. After a fork, enter your URL, for example
 * `https://github.com/OWNER/identity-queries`, then run `npm run manifest`. It sets `repository`, `bugs` and `homepage`
 * in package.json and in the npm package. If the URL is empty, they are omitted.
 */
export const repositoryUrl = '';

/**
 * @param {string} url
 * @returns {Record<string, unknown>} fields of package.json
 */
export function repositoryFields(url) {
  if (url === '') return {};
  return {
    repository: { type: 'git', url: `git+${url}.git` },
    bugs: { url: `${url}/issues` },
    homepage: `${url}#readme`,
  };
}
