/**
 * The result panel at the editor's default height in a window of 800 px: 258 px, of which the page gets 223. One page
 * shows every view, form, menu and message, and nothing of them may be cut.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ResultState, RunFailure } from '#panel-protocol/messages.ts';
import { cutParts } from '../helpers/cut-parts.ts';
import { field, parameterFields } from '../helpers/parameter-fields.ts';
import { takePicture } from '../helpers/pictures.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

const failure: RunFailure = {
  message: 'column "nmae" does not exist. '.repeat(12),
  hint: 'Perhaps you meant to reference the column "accounts.name".',
  code: 'QUERY_FAILED',
  reasons: [{ code: '42703', message: 'undefined_column' }],
  place: { line: 3, column: 8 },
  requestId: 'f0c1',
  nextStep: { title: 'Refresh Models', command: 'x' },
  details: { title: '', facts: [] } as unknown as RunFailure['details'], // only its presence matters
};

const messages: Readonly<Record<string, ResultState>> = {
  failed: { kind: 'failed', failure, elapsedMs: 20 },
  fault: { kind: 'failed', failure: { ...failure, fault: 'sign-in' }, elapsedMs: 20 },
  question: { kind: 'question', reason: 'elsewhere', failure },
  refused: { kind: 'refused', failure },
  cancelled: { kind: 'cancelled', elapsedMs: 1_200 },
  disconnected: { kind: 'disconnected', message: 'You are not connected. '.repeat(20) },
  restored: { kind: 'restored', rowCount: 5, isComplete: false, finishedAt: 0 },
  checking: { kind: 'checking' },
};

const longField = (name: string) =>
  field(name, {
    ...{ type: 'timestamptz', control: 'timestamp' as const },
    ...{ typeFrom: 'compared' as const, comparedWith: 'accounts.created_date' },
  });

suite('result panel of 258 px', () => {
  let shown: ResultsPage;
  let driver: ResultsDriver;
  const found: string[] = [];

  openResultsForEach({ width: 800, height: 223 }, (opened) => {
    ({ shown, driver } = opened);
  });

  /** Notes what is cut, and keeps a picture. */
  async function look(name: string): Promise<void> {
    await shown.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    found.push(...(await cutParts(shown.page)).map((cut) => `${name}: ${cut}`));
    await takePicture(shown.page, `results/low-${name}`);
  }

  /** Counts the fields whose control is whole between the header and the buttons, without scrolling. */
  function fieldsInSight(): Promise<number> {
    return shown.page.evaluate(() => {
      const top = document.querySelector('.form')?.getBoundingClientRect().top ?? 0;
      const bottom = document.querySelector('.form .buttons')?.getBoundingClientRect().top ?? 0;
      return [...document.querySelectorAll('.form .field-line > :first-child')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.top >= top - 1 && box.bottom <= bottom + 1;
      }).length;
    });
  }

  /** Returns where the controls of the form's fields begin, without repetitions. */
  function starts(): Promise<readonly number[]> {
    return shown.page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll('.form .field-line')].map((one) =>
          Math.round(one.getBoundingClientRect().left),
        ),
      ),
    ]);
  }

  test('nothing is cut, whatever is shown', async () => {
    const { page } = shown;
    found.length = 0;
    await page.getByText('No result yet').waitFor();
    await look('empty');
    await driver.showRows(400, { extent: 'more', totalRows: 5_000 });
    await look('rows');
    await driver.cell(2, 4).click();
    const dialogs = { filter: 'Filter', columns: 'Columns', group: 'Group Rows' } as const;
    for (const tool of ['filter', 'columns', 'group'] as const) {
      shown.panel.showTool(tool);
      await page.getByRole('dialog', { name: dialogs[tool] }).waitFor();
      await look(tool);
      await driver.press('Escape');
    }
    await page.getByRole('button', { name: 'More Actions...' }).click();
    await page.getByRole('menuitem', { name: 'Go to Query' }).waitFor();
    await look('more');
    await driver.press('Escape');
    await page.getByRole('columnheader').nth(2).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await look('column-menu');
    await driver.press('Escape');
    await driver.cell(2, 4).click();
    for (const tool of ['cell', 'record', 'find'] as const) {
      shown.panel.showTool(tool);
      await page.locator(tool === 'find' ? '.find-bar' : '.inspector').waitFor();
      await look(tool);
    }
    await driver.press('Escape');
    await driver.cell(2, 4).click();
    shown.panel.showTool('filter-by-value');
    await page.locator('.filter-bar').waitFor();
    await look('filtered');
    shown.panel.showTool('chart');
    const type = page.getByLabel('Chart', { exact: true }).last();
    const split = page.getByLabel('Split by');
    for (const [name, choose] of [
      ['chart-bars', () => type.selectOption('bar')],
      ['chart-split', () => split.selectOption('mfa_status')],
      ['chart-line', () => type.selectOption('line')],
      ['chart-points', () => type.selectOption('scatter')],
      ['chart-histogram', () => type.selectOption('histogram')],
    ] as const) {
      await choose();
      await page.locator('.chart-picture').waitFor();
      // A part of the rows is named in the picture, which may be saved.
      await page.locator('.chart-part').waitFor();
      await look(name);
    }
    const { result, writer } = driver.begin();
    for (const [name, state] of Object.entries(messages)) {
      writer.set(state as Parameters<typeof writer.set>[0]);
      await page.locator(`.message[data-state="${state.kind}"]`).waitFor();
      await look(name);
    }
    for (const [name, fields] of [
      ['form', parameterFields],
      ['form-list', [field('teams', { type: 'text[]', control: 'list', text: 'Sales\nLegal' })]],
      ['form-words', ['since', 'created_after', 'a_parameter_with_a_long_name'].map(longField)],
    ] as const) {
      const set = {
        kind: 'parameters',
        revision: 1,
        fields,
        valueSets: name === 'form' ? ['EU'] : [],
      } as const;
      const before = await page.$('.form .field-line');
      result.begin(result.header, recordedActions([])).set(set);
      // The form before stays until this one is drawn.
      if (before !== null) await page.waitForFunction((line) => !line.isConnected, before);
      await page.locator('.form .field-line').first().waitFor();
      if (name === 'form') assert.ok((await fieldsInSight()) >= 3, 'three fields are in sight');
      assert.equal((await starts()).length, 1, `${name}: the controls begin in one column`);
      await look(name);
    }
    // Buttons that do not fit are in a menu, and still work.
    await page.setViewportSize({ width: 447, height: 223 });
    driver.begin().writer.set({ kind: 'failed', failure, elapsedMs: 20 });
    await page.getByRole('button', { name: 'Go to Error' }).waitFor();
    await look('failed-narrow');
    await page.getByRole('main').getByRole('button', { name: 'More...' }).click();
    await page.getByRole('menuitem', { name: 'Show Details' }).click();
    await driver.received('details shown');
    // Beside the side bar, a window of 800 px leaves the page this much.
    const narrow = driver.begin().writer;
    narrow.set({ kind: 'parameters', revision: 1, fields: parameterFields, valueSets: [] });
    await page.locator('.form').waitFor();
    await look('form-narrow');
    assert.deepEqual(found, []);
  });
});
