/** Names that would be links, icons and marks that turn a line around: whether a place shows them as text only. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Opens settings that are seen, where a shell would be opened by somebody else. */
export const linkTo = (label: string) => `[${label}](command:workbench.action.openSettings)`;

/** With an icon, a mark that turns the line around, and a bell. */
export const hostileName = (label: string) => `${linkTo(label)}$(zap)\u202e\u0007`;

/** Labels of rows are anchors too, which lead nowhere. */
const links = 'a[href], a[data-href], .monaco-link';

/** A link as it is shown: with a space that breaks it, or behind backslashes of Markdown. */
const shownLink = (label: string) => new RegExp(`\\[${label}\\] ?\\(command:`);

export const hover = (workbench: Workbench) => workbench.page.locator('.monaco-hover:visible');

/** A place shows a name as text: there is no link in it, and a click on it opens nothing. */
export async function isOnlyText(workbench: Workbench, place: Locator, label: string): Promise<void> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await isPlain(shown, label);
  const box = await shown.getByText(`[${label}]`).last().boundingBox();
  assert.ok(box, `${label} is in sight`);
  await workbench.page.mouse.click(box.x + 8, box.y + Math.min(8, box.height / 2));
  await ranNothing(workbench);
}

/** No link and no icon, and nothing that is not seen. For places that a click would close or carry out. */
export async function isPlain(place: Locator, label: string): Promise<void> {
  const shown = place.filter({ hasText: shownLink(label) }).first();
  await shown.waitFor();
  assert.equal(await shown.locator(links).filter({ hasText: label }).count(), 0, `${label} is a link`);
  assert.equal(await shown.locator('.codicon-zap').count(), 0, `${label} has an icon`);
  assert.doesNotMatch((await shown.textContent()) ?? '', /[\u0007\u202e]/, `${label} turns its line around`);
}

/** What the editor shows over a row. Rows are drawn again under the pointer, which then has to come anew. */
export async function tooltipIsOnlyText(workbench: Workbench, row: Locator, label: string): Promise<void> {
  const { page } = workbench;
  const tooltip = hover(workbench).filter({ hasText: shownLink(label) });
  await workbench.until(`the tooltip of ${label} is plain text`, async () => {
    await page.mouse.move(720, 450);
    await row.hover({ timeout: 10_000 }).catch(() => undefined); // it was just drawn again
    const isShown = await tooltip
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
    if (!isShown) return false;
    // One that goes meanwhile is asked for again; what it shows wrongly fails at once.
    return await isOnlyText(workbench, tooltip, label).then(
      () => true,
      async (error: unknown) => {
        if (await tooltip.first().isVisible()) throw error;
        return false;
      },
    );
  });
  await page.keyboard.press('Escape');
}

/** What a link would have opened: a tab, or a dialog in front of everything. */
const opened = (workbench: Workbench) => workbench.page.locator('.settings-editor:visible');

/** What a link would have opened is not there. */
export async function ranNothing(workbench: Workbench): Promise<void> {
  assert.equal(await opened(workbench).count(), 0, 'a link ran its command');
}

/** At the end of a test: nothing ran late, and what the links name does open something that would have been seen. */
export async function ranNothingAtAll(workbench: Workbench): Promise<void> {
  await ranNothing(workbench);
  await workbench.runCommand('Preferences: Open Settings (UI)');
  await opened(workbench).first().waitFor();
}
