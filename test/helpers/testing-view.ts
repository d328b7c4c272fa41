/** Steps in the editor's Testing view, with the library's controls. */
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Returns a row of the Testing view. */
export function testRow(workbench: Workbench, text: string): Locator {
  return workbench.page
    .locator('.part.sidebar .test-explorer .monaco-list-row')
    .filter({ hasText: text })
    .first();
}

/** Runs all the library's controls, and waits until those about leavers have failed. */
export async function runLibraryControls(workbench: Workbench): Promise<void> {
  await workbench.page
    .locator('.part.sidebar')
    .getByRole('button', { name: /^Run Tests/ })
    .first()
    .click();
  await workbench.until('controls of leavers failed', async () =>
    /Failed/.test((await testRow(workbench, 'leavers').getAttribute('aria-label')) ?? ''),
  );
}

/** Opens the control LV-03 and waits for the message below its line. */
export async function openLeaversControl(workbench: Workbench): Promise<void> {
  await testRow(workbench, 'leavers').click();
  await testRow(workbench, 'LV-03').waitFor();
  await testRow(workbench, 'LV-03').dblclick();
  await workbench.page
    .locator('.zone-widget')
    .getByText(/\d+ rows; expected: no rows/)
    .first()
    .waitFor();
}
