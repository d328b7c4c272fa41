/** Takes pictures of the real workbench in dark and light themes. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { compressPng } from '#scripts/lib/png.js';
import { paintedStyle, type Workbench } from '../helpers/workbench.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;
/** Maximum size of a picture, since readers load pages with several of them. */
const bytesMax = 150 * 1024;

/** A picture of a window or a part of it that is smaller shows nothing. */
const bytesMin = 4 * 1024;

/** Settings that hide everything except the extension. */
export const pictureSettings = {
  'editor.minimap.enabled': false,
  'editor.autoIndent': 'none',
  'editor.lightbulb.enabled': 'off',
  // They appear while the editor scrolls, so in some pictures only.
  'editor.scrollbar.horizontal': 'hidden',
  'editor.scrollbar.vertical': 'hidden',
  'workbench.layoutControl.enabled': false,
  // No tooltips: each click in the palette leaves the pointer somewhere.
  'workbench.hover.delay': 600_000,
};

export interface Picture {
  /** Relative to the project root. */
  readonly folder: string;
  /** Without theme or extension. */
  readonly name: string;
  /** The part of the page that is shown. Default: the whole page. */
  readonly clip?: NonNullable<Parameters<Page['screenshot']>[0]>['clip'];
  /** Default: disabled. */
  readonly animations?: 'allow';
  /** Runs after each theme change. */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** Writes `name-dark.png` and `name-light.png`. Throws if one is larger than 150 KB. */
export async function takePicture(
  workbench: Workbench,
  { folder, name, clip, ready, animations }: Picture,
): Promise<void> {
  const { page } = workbench;
  await mkdir(path.join(root, folder), { recursive: true });
  for (const [suffix, theme] of Object.entries(themes)) {
    await workbench.useTheme(theme);
    await page.mouse.move(180, 8);
    await ready?.();
    const screenshot = await page.screenshot({
      animations: animations ?? 'disabled',
      caret: 'hide',
      style: paintedStyle,
      ...(clip === undefined ? {} : { clip }),
    });
    const png = compressPng(screenshot);
    const file = `${name}-${suffix}.png`;
    if (png.length < bytesMin) throw new Error(`${file} shows nothing`);
    if (png.length > bytesMax) throw new Error(`${file} has ${Math.round(png.length / 1024)} KB`);
    await writeFile(path.join(root, folder, file), png);
    process.stdout.write(`${file}: ${Math.round(png.length / 1024)} KB\n`);
  }
}

export async function openQuery(workbench: Workbench, lines: readonly string[]): Promise<void> {
  await workbench.runCommand('Identity Queries: New Query');
  await workbench
    .tab(/Untitled/)
    .first()
    .waitFor();
  await workbench.setEditorText(lines.join('\n'));
}

/** Waits until the table's name has its color, which it gets once the models are loaded. */
export async function tableColored({ page }: Workbench): Promise<void> {
  await page
    .locator('.view-line span span')
    .filter({ hasText: /^accounts$/ })
    .first()
    .waitFor();
}

/** Runs a query, and submits its parameter form if it has one. */
export async function runQuery(workbench: Workbench): Promise<void> {
  const { page, editor, webview } = workbench;
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await editor.getByText('Run').first().waitFor();
  await tableColored(workbench);
  await page.keyboard.press('ControlOrMeta+Enter');
  const rows = webview.getByRole('gridcell').first();
  const submit = webview.getByRole('button', { name: 'Run', exact: true });
  await rows.or(submit).first().waitFor();
  if (await submit.isVisible()) await submit.click();
  await rows.waitFor();
}
