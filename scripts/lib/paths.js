/** Paths within the project. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Downloads and build output for running and testing. Ignored by Git. */
export const cacheFolder = path.join(root, '.vscode-test');
/** Screenshots, logs and results of test runs. Ignored by Git. */
export const resultsFolder = path.join(root, 'test-results');
/** Folders of the packages in the bundles of the last production build. Missing after any other build. */
export const packagesFile = path.join(root, 'node_modules/.cache/bundled-packages.json');
/** @param {...string} segments relative to the root */
export const fromRoot = (...segments) => path.join(root, ...segments);

/** Returns the path of the package that `npm run package` creates. */
export function packageFile() {
  /** @type {{ name: string, version: string }} */
  const { name, version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  return fromRoot(`${name}-${version}.vsix`);
}
