/** Checks that the editor shows names with links, icons and bidirectional control characters as plain text. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Returns a hostile link, which would open the user settings. */
export const linkTo = (label: string) => `[${label}](command:workbench.action.openSettings)`;

/** Returns a link with an icon, a bidirectional control character and a bell character. */
export const hostileName = (label: string) => `${linkTo(label)}$(zap)\u202e\u0007`;

/** Row labels are anchors too, but have no target. */
const links = 'a[href], a[data-href], .monaco-link';

/** Matches a link as it should be shown: broken by a space, or escaped with Markdown backslashes. */
const shownLink = (label: string) => new RegExp(`\\[${label}\\] ?\\(command:`);

export const hover = (workbench: Workbench) => workbench.page.locator('.monaco-hover:visible');

/** Asserts that a name is shown as text: it contains no link, and a click opens nothing. */
export async function isOnlyText(workbench: Workbench, place: Locator, label: string): Promise<void> {
  assert.ok(await stayedOnlyText(workbench, place, label), `${label} is in sight`);
}

/** @returns false if `place` disappeared before the click */
async function stayedOnlyText(workbench: Workbench, place: Locator, label: string): Promise<boolean> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await isPlain(shown, label);
  const box = await shown.getByText(`[${label}]`).last().boundingBox();
  if (box === null) return false;
  await workbench.page.mouse.click(box.x + 8, box.y + Math.min(8, box.height / 2));
  await ranNothing(workbench);
  return true;
}

/** Like `isOnlyText`, but without a click, for elements that close or run something when clicked. */
export async function isPlain(place: Locator, label: string): Promise<void> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await shown.waitFor();
  assert.equal(await shown.locator(links).filter({ hasText: label }).count(), 0, `${label} is a link`);
  assert.equal(await shown.locator('.codicon-zap').count(), 0, `${label} has an icon`);
  assert.doesNotMatch((await shown.textContent()) ?? '', /[\u0007\u202e]/, `${label} turns its line around`);
}

/** Checks the hover of a row. A redraw under the pointer hides the hover, so the pointer moves again. */
export async function tooltipIsOnlyText(workbench: Workbench, row: Locator, label: string): Promise<void> {
  const { page } = workbench;
  const tooltip = hover(workbench).filter({ hasText: shownLink(label) });
  await workbench.until(`the tooltip of ${label} is plain text`, async () => {
    await page.mouse.move(720, 450);
    await row.hover({ timeout: 10_000 }).catch(() => undefined); // the row was redrawn
    const isShown = await tooltip
      .first()
      .waitFor({ timeout: 20_000 })
      .then(
        () => true,
        () => false,
      );
    if (!isShown) return false;
    // Retries if the tooltip has disappeared; fails immediately if its content is wrong.
    return await stayedOnlyText(workbench, tooltip, label).catch(async (error: unknown) => {
      if (await tooltip.first().isVisible()) throw error;
      return false;
    });
  });
  await page.keyboard.press('Escape');
}

/** The settings editor, which a followed link opens in a tab or a modal dialog. */
const opened = (workbench: Workbench) => workbench.page.locator('.settings-editor:visible');

/** Asserts that no link was followed. */
async function ranNothing(workbench: Workbench): Promise<void> {
  assert.equal(await opened(workbench).count(), 0, 'a link ran its command');
}

/** For the end of a test: asserts that nothing ran late, and that a followed link would have been visible. */
export async function ranNothingAtAll(workbench: Workbench): Promise<void> {
  await ranNothing(workbench);
  await workbench.runCommand('Preferences: Open Settings (UI)');
  await opened(workbench).first().waitFor();
}
