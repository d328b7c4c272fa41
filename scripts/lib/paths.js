/** Where things are. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** What is fetched or made for running and testing; git ignores it. */
export const cacheFolder = path.join(root, '.vscode-test');
/** Screenshots, logs and results of test runs; git ignores it. */
export const resultsFolder = path.join(root, 'test-results');
/** @param {...string} segments relative to the root */
export const fromRoot = (...segments) => path.join(root, ...segments);
