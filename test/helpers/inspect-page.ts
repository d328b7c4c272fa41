/** Checks a page for accessibility in every theme, and waits for conditions in this process. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { takePicture, takesAllThemes } from './pictures.ts';
import type { WebviewPage } from './webview-page.ts';
import type { ThemeName } from './webview-themes.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const themeNames: readonly ThemeName[] = ['dark', 'light', 'high-contrast'];
/** A theme is nothing but colors, so axe's other rules find the same in each. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];

export function inspect(shown: Pick<WebviewPage, 'page' | 'setTheme'>) {
  const { page } = shown;

  /** Polls a condition in this process, once per animation frame of the browser. */
  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (!condition()) {
      assert.ok(Date.now() < deadline, 'the condition did not come true');
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  }

  /**
   * Asserts that axe finds no violations in any theme, and saves a screenshot for manual review, with `--themes` one of
   * each theme.
   */
  async function look(name: string): Promise<void> {
    // A page that just got another size is drawn anew within its next frames.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    // Evaluating axe takes as long as running it.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(axePath, 'utf8'));
    for (const theme of themeNames) {
      await shown.setTheme(theme);
      if (theme === 'dark' || takesAllThemes) await takePicture(page, `results/${name}-${theme}`);
      const findings = await page.evaluate(
        async (options) => {
          const { axe } = window as unknown as {
            axe: {
              run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
            };
          };
          const { violations } = await axe.run({ resultTypes: ['violations'], ...options });
          return violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
          );
        },
        theme === 'dark' ? {} : { runOnly: rulesOfColors },
      );
      assert.deepEqual(findings, [], `${name} in ${theme}`);
    }
  }

  return { until, look };
}
