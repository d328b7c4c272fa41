/**
 * The connection page in a real browser with its own content security policy: filled in by keyboard alone, problems
 * next to their fields, test results in the page, no stored secrets, and readable at every size and in every language.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { UserAbort } from '#api/client/errors.ts';
import { setTranslations } from '#base/texts.ts';
import type { Translations } from '#base/translate.ts';
import type { Candidate, FormWork, TestOutcome } from '#client/features/connection/form/form-state.ts';
import { profileOf } from '#core/connections/parse-connection.ts';
import { textsInCode } from '#scripts/lib/catalogues.js';
import { openConnectionPage, type ConnectionFormPage } from '../helpers/connection-page.ts';
import { inspect } from '../helpers/inspect-page.ts';
import { takePicture } from '../helpers/pictures.ts';
import { pseudoText } from '../helpers/pseudo-locale.ts';
import { readAll } from '../helpers/read-all.ts';
import { browserOfSuite } from '../helpers/suite-browser.ts';
import type { PageOptions } from '../helpers/webview-page.ts';

const old = profileOf({
  name: 'Production',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  environment: 'prod',
  clientId: 'access-reviews',
  label: 'PROD',
  colour: 'red',
  protected: true,
});
const outcome: TestOutcome = {
  summary: 'Failed: Token (auth.example.com)',
  hasFailed: true,
  secretOrigin: 'entered, in the secret storage of this editor.',
  steps: [
    step('ok', 'works', 'Name resolution', '192.0.2.7'),
    step('warning', 'works in part', 'Scopes', 'Only read was granted.'),
    {
      ...step('failed', 'failed', 'Token', '<b>The client ID or secret is wrong.</b>'),
      actions: [{ title: 'Open Settings', href: 'command:workbench.action.openSettings' }],
    },
    { ...step('skipped', 'not tried', 'Models', 'An earlier step failed.'), ms: undefined },
  ],
  copy: { title: 'Copy Report', href: 'command:_identityQueries.connection.copyReport' },
};

function step(status: TestOutcome['steps'][number]['status'], word: string, title: string, text: string) {
  return { status, word, title, target: 'auth.example.com', text, ms: 12, actions: [] };
}

suite('connection page', () => {
  const browser = browserOfSuite();

  /** Runs the body with an open page. Page errors fail the test. */
  async function withPage(
    change: Partial<FormWork>,
    options: Omit<PageOptions, 'browser'>,
    body: (shown: ConnectionFormPage) => Promise<void>,
  ): Promise<void> {
    const work: Omit<FormWork, 'show'> = {
      title: 'Add Connection',
      old: undefined,
      hasStoredSecret: false,
      secretHint: (keepsSecret) =>
        keepsSecret
          ? 'Client secret: entered, in the secret storage of this editor. Leave it empty to keep this one.'
          : 'It goes to the secret storage of this editor.',
      others: () => (change.old === undefined ? [old] : []),
      test: () => Promise.resolve(outcome),
      save: () => Promise.resolve(),
      close: () => undefined,
      ...change,
    };
    const shown = await openConnectionPage(work, {
      browser: browser(),
      width: 1_000,
      height: 760,
      ...options,
    });
    try {
      await body(shown);
    } finally {
      await shown.close();
    }
    assert.deepEqual(shown.problems, []);
  }

  test('is filled in and saved by keyboard alone; problems are shown beside their fields, and the first one gets the focus', async () => {
    const saved: Candidate[] = [];
    const save = (candidate: Candidate) => {
      saved.push(candidate);
      return Promise.resolve();
    };
    await withPage({ save }, {}, async (shown) => {
      const { page, received } = shown;
      const { look, until } = inspect(shown);
      await focused(page, 'Name');
      assert.equal(await page.locator('.field-problem:visible').count(), 0, 'an empty form complains');
      await look('connection-empty');
      await page.keyboard.press('Enter');
      await page.getByText('Enter a name.').waitFor();
      assert.equal(await page.locator('.field-problem:visible').count(), 5);
      await focused(page, 'Name');
      assert.equal(await control(page, 'Name').getAttribute('aria-invalid'), 'true');
      assert.match(await described(page, 'Name'), /Enter a name\./);
      await look('connection-refused');

      await page.keyboard.type('Production');
      await page.getByText('Another connection has this name.').waitFor();
      await page.keyboard.type(' EU');
      await page.getByText('Another connection has this name.').waitFor({ state: 'hidden' });
      await next(page, 'Base address', 'http://api.example.com');
      await next(page, 'Use http:// anyway');
      assert.match(await described(page, 'Use http:// anyway'), /Not encrypted: others/);
      await look('connection-plain-http');
      await page.keyboard.press('Space');
      await page.getByText(/Not encrypted/).waitFor({ state: 'hidden' });
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('https://api.example.com');
      await control(page, 'Use http:// anyway').waitFor({ state: 'hidden' });
      await next(page, 'Token address', 'https://auth.example.com/token');
      await next(page, 'Environment', 'a/b');
      await next(page, 'Client ID', 'access-reviews');
      await page.getByText('Production has the same addresses and client ID.').waitFor();
      assert.match(await described(page, 'Environment'), /Letters, digits and hyphens/);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.type('prod');
      await next(page, 'Client ID');
      await next(page, 'Source of the client secret');
      // The hint of the secret says where it is kept.
      assert.doesNotMatch(await described(page, 'Source of the client secret'), /secret storage/);
      await next(page, 'Client secret', ' hush ');
      assert.equal(await control(page, 'Client secret').getAttribute('type'), 'password');
      await next(page, 'Scopes to request');
      await page.keyboard.press('ArrowDown');
      await control(page, 'Data changes').waitFor({ state: 'hidden' });
      await next(page, 'Protection');
      await page.keyboard.press('ArrowDown');
      await next(page, 'Short label', 'EU');
      await next(page, 'Color');
      await page.keyboard.type('Pur');
      await next(page, 'Save');
      await page.keyboard.press('Enter');
      await until(() => saved.length === 1);
      assert.deepEqual(saved[0]?.setting, {
        name: 'Production EU',
        baseUrl: 'https://api.example.com',
        authUrl: 'https://auth.example.com/token',
        environment: 'prod',
        clientId: 'access-reviews',
        scopes: 'read',
        label: 'EU',
        colour: 'purple',
        protected: true,
      });
      assert.equal(saved[0].secret, ' hush ');
      const beside = received.filter((each) => (each as { kind: string }).kind !== 'save');
      assert.ok(!JSON.stringify(beside).includes('hush'), 'the secret travels before it is used');
      assert.equal(
        await page.evaluate(() => sessionStorage.getItem('state')),
        null,
        'the page stores a state',
      );
    });
  });

  test('tests the input and reports in the page; a change makes the report outdated', async () => {
    await withPage({ title: 'Edit Production', old, hasStoredSecret: true }, {}, async (shown) => {
      const { page } = shown;
      const { look } = inspect(shown);
      assert.equal(await control(page, 'Client secret').inputValue(), '');
      assert.match(await described(page, 'Client secret'), /Leave it empty to keep this one/);
      await look('connection-edit');
      await page.getByRole('button', { name: 'Test Connection' }).press('Enter');
      const report = page.getByRole('region', { name: 'Test Connection' });
      await report.getByRole('heading', { name: 'Failed: Token (auth.example.com)' }).waitFor();
      await report.getByText('Client secret: entered, in the secret storage of this editor.').waitFor();
      assert.deepEqual(await readAll(report.getByRole('img'), (all) => all.map((each) => each.ariaLabel)), [
        'works',
        'works in part',
        'failed',
        'not tried',
      ]);
      await report.getByText('<b>The client ID or secret is wrong.</b>').waitFor();
      assert.equal(
        await report.getByRole('link', { name: 'Copy Report' }).getAttribute('href'),
        'command:_identityQueries.connection.copyReport',
      );
      await isOverButtons(page, '.report-summary');
      await look('connection-report');
      await control(page, 'Client ID').fill('else');
      await report.getByText('The form has changed since this test.').waitFor();
      assert.match(await described(page, 'Client secret'), /It goes to the secret storage/);
    });
  });

  test('a slow test names its steps, and the button that started it stops it', async () => {
    const slow: FormWork['test'] = async (_, signal, stepDone) => {
      stepDone('Token');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new UserAbort('stopped');
    };
    await withPage({ test: slow, old, hasStoredSecret: true }, {}, async ({ page }) => {
      await page.getByRole('button', { name: 'Test Connection' }).press('Enter');
      await page.getByText('Step 1 done: Token').waitFor();
      await page.getByRole('button', { name: 'Stop' }).press('Enter');
      await page.getByRole('button', { name: 'Test Connection' }).waitFor();
      assert.equal(await page.getByText('Step 1 done: Token').count(), 0);
    });
  });

  test('a failed save is reported beside the buttons, and no input is lost', async () => {
    const save = () => Promise.reject(new Error('The settings file is read-only.'));
    await withPage({ save, old, hasStoredSecret: true }, {}, async (shown) => {
      const { page } = shown;
      await control(page, 'Client secret').fill('hush');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByRole('alert').filter({ hasText: 'The settings file is read-only.' }).waitFor();
      assert.equal(await control(page, 'Client secret').inputValue(), 'hush');
      await inspect(shown).look('connection-not-saved');
    });
  });

  const sizes = [
    { name: '800x600', width: 800, height: 600 },
    { name: 'zoomed-200', width: 640, height: 400 },
    { name: 'narrow', width: 290, height: 600 },
  ];
  for (const { name, width, height } of sizes)
    test(`fits ${width} x ${height}: the focused field is visible, and nothing is cut off`, async () => {
      await withPage({ old, hasStoredSecret: true }, { width, height }, async (shown) => {
        const { page } = shown;
        await control(page, 'Base address').fill('http://api.example.com');
        await control(page, 'Use http:// anyway').waitFor();
        await control(page, 'Name').focus();
        for (const label of [
          'Base address',
          'Use http:// anyway',
          'Token address',
          'Environment',
          'Client ID',
        ])
          await next(page, label).then(() => isOverButtons(page, ':focus'));
        for (const label of ['Source of the client secret', 'Client secret', 'Scopes to request'])
          await next(page, label).then(() => isOverButtons(page, ':focus'));
        await inspect(shown).look(`connection-${name}`);
        await nothingIsCut(page);
        for (let back = 0; back < 8; back += 1) await page.keyboard.press('Shift+Tab');
        await focused(page, 'Name');
        await isOverButtons(page, ':focus');
      });
    });

  test('is translated as a whole, and nothing is cut off in a language with long words', async () => {
    const translations = Object.fromEntries(
      Object.keys(textsInCode()).map((text) => [text, pseudoText(text)]),
    );
    setTranslations(translations);
    try {
      const work = { title: pseudoText('Add Connection'), secretHint: () => pseudoText('It goes there.') };
      await withPage(work, { width: 640, height: 400, translations }, async ({ page }) => {
        await page.getByRole('button', { name: translations['Test Connection'] as string }).press('Enter');
        await page.locator('.field-problem:visible').nth(4).waitFor();
        await nothingIsCut(page);
        await takePicture(page, 'results/connection-pseudo', { animations: 'allow' });
        const texts = (await page.evaluate(textsOfPage)).filter((text) => /\p{L}{2}/u.test(text));
        assert.ok(texts.length > 20);
        assert.deepEqual(
          texts.filter((text) => !text.includes('⟦')),
          [
            'https://api.{environment}.example.com',
            'https://auth.prod.example.com/oauth2/token',
            'prod',
            'PROD',
          ],
          'only examples are alike in every language',
        );
      });
    } finally {
      setTranslations({});
    }
  });

  for (const language of ['de', 'fr', 'es', 'ja', 'zh-cn'])
    test(`is in ${language}, and nothing is cut off at 200 % zoom`, async () => {
      const file = new URL(`../../l10n/bundle.l10n.${language}.json`, import.meta.url);
      const translations = JSON.parse(await readFile(file, 'utf8')) as Translations; // checked by scripts/l10n.js
      const options = { width: 640, height: 400, language, translations };
      setTranslations(translations);
      try {
        await withPage({}, options, async ({ page }) => {
          await page.getByRole('button', { name: translations['Test Connection'] as string }).press('Enter');
          await page.locator('.field-problem:visible').nth(4).waitFor();
          await nothingIsCut(page);
          const said = await page.locator('form').innerText();
          for (const text of ['Enter a name.', 'Base address', 'Permissions of this connection', 'No color'])
            assert.ok(!said.includes(text), `not translated: ${text}`);
          await takePicture(page, `results/connection-${language}`, { animations: 'allow' });
        });
      } finally {
        setTranslations({});
      }
    });
});

/** Runs in the page. Returns visible and accessible strings. */
function textsOfPage(): readonly string[] {
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    if (element.matches('script, style') || !element.checkVisibility()) return [];
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const named = ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '');
    return [...own.map(({ textContent }) => textContent ?? ''), ...named];
  });
}

/** Returns the control with this label, of any kind. */
function labelled(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true }).or(page.getByRole('button', { name: label, exact: true }));
}

/** Waits until the control with this label has focus. */
async function focused(page: Page, label: string): Promise<void> {
  await labelled(page, label).and(page.locator(':focus')).waitFor();
}

/** Returns the visible control with this name. */
function control(page: Page, name: string): Locator {
  return (['textbox', 'checkbox', 'combobox', 'button'] as const)
    .map((role) => page.getByRole(role, { name, exact: true }))
    .reduce((all, one) => all.or(one));
}

/** Presses Tab, checks that the control has focus, and types. */
async function next(page: Page, label: string, text = ''): Promise<void> {
  // Some are asked for only once the form has read what was typed.
  await labelled(page, label).first().waitFor();
  await page.keyboard.press('Tab');
  await focused(page, label);
  if (text !== '') await page.keyboard.type(text);
}

async function described(page: Page, label: string): Promise<string> {
  return await control(page, label).evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
}

/** Checks that an element is not covered by the buttons at the bottom and is not above the top of the page. */
async function isOverButtons(page: Page, what: string): Promise<void> {
  const [top, bottom, edge] = await page.locator(what).evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [
      box.top,
      box.bottom,
      document.querySelector('.buttons')?.getBoundingClientRect().top ?? 0,
    ] as const;
  });
  assert.ok(top >= 0 && bottom <= edge, `${what} is at ${top} to ${bottom}, the buttons begin at ${edge}`);
}

/** Checks that no text is wider than its element and that the page does not scroll horizontally. */
async function nothingIsCut(page: Page): Promise<void> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('form, form :is(p, h1, h2, label, button)')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`),
  );
  assert.deepEqual(cut, []);
}
