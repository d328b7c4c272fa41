/** The first steps as a new user sees them: every page shows its picture in dark and light themes. */
import { suite, test } from 'node:test';
import { withWorkbench } from '../helpers/workbench.ts';

const steps = [
  ['connect', 'Connect, or start the sandbox'],
  ['open', 'Open a saved query'],
  ['run', 'Run the query'],
  ['models', 'Find tables and columns'],
  ['save', 'Write and save your own query'],
  ['library', 'Run the query library'],
] as const;

suite('walkthrough', () => {
  test('every page shows its text and its picture', async () => {
    await withWorkbench({ name: 'walkthrough' }, async (workbench) => {
      const { page } = workbench;
      await workbench.openIdentityView();
      await page
        .getByRole('button', { name: 'Show First Steps' })
        .or(page.getByText('Show First Steps'))
        .first()
        .click();
      // After connecting, the view has no link to the first steps.
      await workbench.runCommand('View: Close All Editors');
      await workbench.runCommand('Identity Queries: Show First Steps');
      for (const theme of ['Default Dark Modern', 'Default Light Modern'] as const) {
        await workbench.useTheme(theme);
        for (const [id, title] of steps) {
          const hasText = new RegExp(`^${title}$`);
          await page
            .locator('.gettingStartedContainer .getting-started-step .step-title', { hasText })
            .click();
          await page
            .locator('.gettingStartedContainer .getting-started-step.expanded .step-title', { hasText })
            .waitFor();
          const picture = page.locator('.gettingStartedContainer .getting-started-media img:visible').first();
          await workbench.until(`the ${theme} picture of ${id}`, () =>
            picture.evaluate(
              (image: HTMLImageElement, name) => image.currentSrc.includes(name) && image.naturalWidth > 0,
              `${id}-${theme === 'Default Dark Modern' ? 'dark' : 'light'}.png`,
            ),
          );
          await workbench.screenshot(`${theme.split(' ')[1]?.toLowerCase()}-${id}`);
        }
      }
    });
  });
});
