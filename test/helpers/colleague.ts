/** Saved queries that a colleague writes, and what a window shows of the conflict with one. */
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { fittingLenses } from '#client/features/saved-queries/conflicts/fitting-lenses.ts';
import { readCatalogue } from '#scripts/lib/catalogues.js';
import type { RunningSandbox } from './sandbox.ts';
import { windowSize, type Workbench } from './workbench.ts';

async function elsewhere<T>(
  sandbox: RunningSandbox,
  work: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  const client = createClient(sandbox);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Returns the name. */
export async function createElsewhere(sandbox: RunningSandbox, name: string): Promise<string> {
  return await elsewhere(
    sandbox,
    async ({ savedQueries }) => (await savedQueries.create({ name, query_string: 'SELECT 1' })).name,
  );
}

/** Saves the query through another client, as a colleague would. */
export async function saveElsewhere(sandbox: RunningSandbox, text: string, saved: string): Promise<void> {
  await elsewhere(sandbox, async ({ savedQueries }) => {
    const query = await find(savedQueries.listAll(), saved);
    await savedQueries.update(query.query_id, {
      name: query.name,
      query_string: text,
      expected_version: query.version,
    });
  });
}

async function find(all: AsyncIterable<SavedQuery>, name: string): Promise<SavedQuery> {
  for await (const query of all) if (query.name.endsWith(name)) return query;
  throw new Error(`no saved query is called ${name}`);
}

/** Saves this text, which becomes this version. */
export async function save(window: Workbench, text: string, version: number, query: string): Promise<void> {
  await window.setEditorText(text);
  await window.page.keyboard.press('ControlOrMeta+S');
  await window.treeItem(new RegExp(`${query}, version ${version}`)).waitFor();
}

/** Reloads the newest version, which contains this word, into the window's editor. */
export async function takeNewest(window: Workbench, word: string): Promise<void> {
  await window.runCommand('Identity Queries: Reload from Service');
  await window.editor.getByText(word).first().waitFor();
}

/** Checks that these are the first code lenses, and that a small window shows all of them. */
export async function lensesFit(window: Workbench, what: string, titles: readonly string[]): Promise<void> {
  const lenses = window.editor.locator('.codelens-decoration a');
  for (const [index, title] of titles.entries()) await lenses.nth(index).filter({ hasText: title }).waitFor();
  await window.screenshot(`${what}-lenses`);
  await window.page.setViewportSize({ width: 800, height: 600 });
  try {
    await window.until(`the lenses of a ${what} fit`, async () => {
      const [last, editor] = [lenses.nth(titles.length - 1), window.editor.locator('.lines-content').first()];
      const [at, around] = [await last.boundingBox(), await editor.locator('..').boundingBox()];
      const isSmall = around !== null && around.x + around.width <= 800;
      return at !== null && isSmall && at.x + at.width <= around.x + around.width;
    });
  } finally {
    await window.screenshot(`${what}-lenses-small`);
    await window.page.setViewportSize(windowSize);
  }
}

/**
 * Makes a conflict in a window in another language, and checks that its lenses fit. `query`: its name, in a folder.
 */
export async function conflictFits(
  window: Workbench,
  sandbox: RunningSandbox,
  { language, query }: { readonly language: string; readonly query: string },
): Promise<void> {
  const catalogue = readCatalogue(`l10n/bundle.l10n.${language}.json`);
  const own = (english: string): string => catalogue[english] ?? english;
  await window.treeItem(query).first().click();
  await window.editor.getByText('SELECT').first().waitFor();
  await saveElsewhere(sandbox, `SELECT 'of a colleague, in ${language}' AS a`, query);
  await window.setEditorText('SELECT 1 AS mine');
  await window.page.keyboard.press('ControlOrMeta+S');
  await window.tab(/↔/).waitFor();
  await window.page.keyboard.press('ControlOrMeta+W');
  const ways = ['Merge', 'Save Mine', 'Take Theirs', 'Compare'].map((way) => ({ title: own(way) }));
  const titles = fittingLenses(ways, own('More...')).map(({ title }) => title);
  await lensesFit(window, `conflict-${language}`, [...titles, own('More...')]);
}

export async function clearNotifications(window: Workbench): Promise<void> {
  await window.runCommand('Notifications: Clear All Notifications');
  await window.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
}
