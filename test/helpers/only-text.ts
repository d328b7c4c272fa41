/** Checks that a place shows names as plain text: names with links, icons and bidirectional control characters. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Opens the user settings, the target of a hostile link. */
export const linkTo = (label: string) => `[${label}](command:workbench.action.openSettings)`;

/** With an icon, a bidirectional control character, and a bell. */
export const hostileName = (label: string) => `${linkTo(label)}$(zap)\u202e\u0007`;

/** Row labels are anchors too, but lead nowhere. */
const links = 'a[href], a[data-href], .monaco-link';

/** A link as shown: broken by a space, or escaped with Markdown backslashes. */
const shownLink = (label: string) => new RegExp(`\\[${label}\\] ?\\(command:`);

export const hover = (workbench: Workbench) => workbench.page.locator('.monaco-hover:visible');

/** A place shows a name as text: it contains no link, and a click opens nothing. */
export async function isOnlyText(workbench: Workbench, place: Locator, label: string): Promise<void> {
  assert.ok(await stayedOnlyText(workbench, place, label), `${label} is in sight`);
}

/** @returns false if the place disappeared before the click */
async function stayedOnlyText(workbench: Workbench, place: Locator, label: string): Promise<boolean> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await isPlain(shown, label);
  const box = await shown.getByText(`[${label}]`).last().boundingBox();
  if (box === null) return false;
  await workbench.page.mouse.click(box.x + 8, box.y + Math.min(8, box.height / 2));
  await ranNothing(workbench);
  return true;
}

/** No link, no icon, no invisible characters. For places that a click would close or run. */
export async function isPlain(place: Locator, label: string): Promise<void> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await shown.waitFor();
  assert.equal(await shown.locator(links).filter({ hasText: label }).count(), 0, `${label} is a link`);
  assert.equal(await shown.locator('.codicon-zap').count(), 0, `${label} has an icon`);
  assert.doesNotMatch((await shown.textContent()) ?? '', /[\u0007\u202e]/, `${label} turns its line around`);
}

/** The hover of a row. A redraw under the pointer hides it, so the pointer moves again. */
export async function tooltipIsOnlyText(workbench: Workbench, row: Locator, label: string): Promise<void> {
  const { page } = workbench;
  const tooltip = hover(workbench).filter({ hasText: shownLink(label) });
  await workbench.until(`the tooltip of ${label} is plain text`, async () => {
    await page.mouse.move(720, 450);
    await row.hover({ timeout: 10_000 }).catch(() => undefined); // the row was redrawn
    const isShown = await tooltip
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
    if (!isShown) return false;
    // A tooltip that disappears in the meantime is retried; one with wrong content fails at once.
    return await stayedOnlyText(workbench, tooltip, label).catch(async (error: unknown) => {
      if (await tooltip.first().isVisible()) throw error;
      return false;
    });
  });
  await page.keyboard.press('Escape');
}

/** A followed link shows as a tab or a modal dialog. */
const opened = (workbench: Workbench) => workbench.page.locator('.settings-editor:visible');

/** No link was followed. */
export async function ranNothing(workbench: Workbench): Promise<void> {
  assert.equal(await opened(workbench).count(), 0, 'a link ran its command');
}

/** At the end of a test: nothing ran late, and following the links would have opened something visible. */
export async function ranNothingAtAll(workbench: Workbench): Promise<void> {
  await ranNothing(workbench);
  await workbench.runCommand('Preferences: Open Settings (UI)');
  await opened(workbench).first().waitFor();
}
