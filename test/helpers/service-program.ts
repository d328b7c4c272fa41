/**
 * The service as a program: in `npm test` the bundle, which was just built and starts in half the time, otherwise the
 * source.
 */
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
export const bundledService = path.join(root, 'dist/sandbox/main.js');

export function serviceProgram(): string {
  return process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined
    ? path.join(root, 'service/src/main.ts')
    : bundledService;
}
