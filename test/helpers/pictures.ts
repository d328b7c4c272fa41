/**
 * Pictures of the tested views, for people. A run of all tests takes none but of failures: drawing them takes processor
 * time, and nobody looks at them there. `npm run test:ui` takes them, each night in all themes.
 */
import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { resultsFolder } from '#scripts/lib/paths.js';

/** With `--themes`. */
export const takesAllThemes = process.env['IDENTITY_QUERIES_ALL_THEMES'] === '1';

/** `npm test` names a file for its counts. */
export const takesPictures = takesAllThemes || process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined;

/** @param options `isFailure`: taken in every run */
export async function takePicture(
  page: Page,
  name: string,
  { isFailure = false, ...options }: PageScreenshotOptions & { readonly isFailure?: boolean } = {},
): Promise<void> {
  if (!takesPictures && !isFailure) return;
  const file = path.join(resultsFolder, 'screenshots', `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', ...options });
}
