/** A comparison of two results as a user sees it: counts, marks, switches, and both sides of a row, in each theme. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { leadingColumns } from '#core/rows/compare/diff.ts';
import { pairColumns } from '#core/rows/compare/pair-columns.ts';
import { takePicture } from '../helpers/pictures.ts';
import { readAll } from '../helpers/read-all.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

const columns = [
  { name: 'account', type: 'text', description: 'Who has access' },
  { name: 'entitlement', type: 'text' },
  { name: 'role', type: 'text' },
  { name: 'granted_by', type: 'text' },
  { name: 'risk_score', type: 'numeric' },
  { name: 'last_used', type: 'timestamptz' },
];
const people = ['mara.keller', 'jonas.brandt', 'amina.okafor', 'lee.chen', 'sofia.moreau', 'tariq.haddad'];
const places = ['billing-prod', 'crm-admin', 'payroll', 'source-code', 'vpn'];
const shared = Array.from({ length: 60 }, (_, index) => [
  `${people[index % 6] ?? ''}${Math.floor(index / 30) || ''}`,
  places[Math.floor(index / 6) % 5],
  ['reader', 'editor'][index % 2],
  'joiner workflow',
  index % 40,
  `2026-0${(index % 8) + 1}-1${index % 9} 08:00:00+00`,
]);
const earlier = [
  ...shared,
  ['noah.lind', 'payroll', 'owner', 'i.silva', 92, '2026-01-04 17:20:00+00'],
  ['ines.silva', 'crm-admin', 'admin', null, 71, null],
];
const later = [
  ...shared.map((row, index) =>
    index === 3
      ? [...row.slice(0, 2), 'owner', 'break-glass request 4711', 95, row[5]]
      : index === 14
        ? [...row.slice(0, 3), null, row[4], row[5]]
        : row,
  ),
  ['dora.weiss', 'payroll', 'admin', 'm.keller', 88, null],
  ['eli.stone', 'billing-prod', 'admin', 'm.keller', 90, '2026-10-30 09:00:00+00'],
  ['finn.aas', 'vpn', 'reader', 'joiner workflow', 5, null],
];

suite('comparing results', () => {
  let shown: ResultsPage;
  let page: Page;
  let driver: ResultsDriver;
  let calls: string[];

  openResultsForEach({ height: 520, width: 1_180 }, (opened) => {
    ({ shown, page, calls, driver } = opened);
  });

  for (const [width, height] of [
    [447, 255],
    [800, 255],
    [800, 560],
  ] as const)
    test(`at ${width} x ${height} the rows get the space`, async () => {
      await page.setViewportSize({ width, height });
      for (let index = 0; index < 3; index += 1) await driver.showRows(5);
      await showComparison({ before: earlier, after: later }, ['Compared by account and entitlement']);
      await driver.cell(1, 2).waitFor();
      // The layout follows the new size of the window.
      await page.waitForFunction(
        (least) => (document.querySelector('[role="grid"]')?.getBoundingClientRect().height ?? 0) >= least,
        height - (height < 300 ? 110 : 190),
      );
      // Both sides and their keys are in sight without scrolling.
      const bar = page.getByRole('region', { name: 'Comparison' });
      const inSight = await readAll(
        bar.locator('.change-switch, .matched-by, .side-title, .comparison-note'),
        (all) => {
          const sight = document.querySelector('.comparison-bar')?.getBoundingClientRect();
          return all.map((one) => {
            const box = one.getBoundingClientRect();
            return box.width > 12 && box.right <= (sight?.right ?? 0) && box.bottom <= (sight?.bottom ?? 0);
          });
        },
      );
      assert.deepEqual(inSight, Array(8).fill(true));
      // What tells the sides apart is not cut.
      const titles = await readAll(bar.locator('.side-title'), (all) =>
        all.map((one) => [one.textContent, one.scrollWidth <= one.clientWidth]),
      );
      assert.deepEqual(titles, [
        ['privileged-access v3', true],
        ['privileged-access v4', true],
      ]);
      // If the links do not fit, the next steps move into a menu.
      const right = await page.getByRole('toolbar').getByRole('button').last().boundingBox();
      assert.ok(right !== null && right.x + right.width <= width);
      const tab = await page.getByRole('tab', { selected: true }).boundingBox();
      const close = await page.locator('.tab[aria-selected="true"] .tab-close').boundingBox();
      assert.ok(
        tab !== null && close !== null && tab.width > 100 && close.x + close.width <= tab.x + tab.width,
      );
      await page.getByRole('button', { name: 'More Actions...' }).click();
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
      await driver.until(() => calls.includes('step 3'));
      await takePicture(page, `results/small-comparison-${width}x${height}`);
    });

  for (const [width, height, notes] of [
    [447, 255, []],
    [447, 255, ['Compared by account and entitlement']],
    [800, 255, []],
    [800, 560, []],
  ] as const)
    test(`two runs of the same draft are told apart at ${width} x ${height}, with ${notes.length} notes`, async () => {
      await page.setViewportSize({ width, height });
      await showComparison({ before: earlier, after: later }, notes, ['Untitled-1', 'Untitled-1']);
      await driver.cell(1, 2).waitFor();
      const telling = await readAll(page.locator('.side-fact.telling'), (all) =>
        all.map((one) => {
          const box = one.getBoundingClientRect();
          const isWhole = one.scrollWidth <= one.clientWidth && box.right <= innerWidth && box.width > 60;
          return [one.textContent, isWhole];
        }),
      );
      assert.deepEqual(telling, [
        ['7/30/2026, 8:12:34 AM', true],
        ['10/30/2026, 9:40:56 AM', true],
      ]);
      // A low panel shows nothing else about them. Otherwise, the time follows the name.
      const seconds = await readAll(page.locator('.compared-sides dd > :nth-child(2)'), (all) =>
        all.map((one) => one.getAttribute('class')),
      );
      assert.deepEqual(seconds, Array(2).fill('side-fact telling'));
      const bar = page.locator('.comparison-bar');
      assert.ok(await bar.evaluate((one) => one.scrollWidth <= one.clientWidth), 'nothing scrolls sideways');
      await takePicture(page, `results/small-comparison-same-draft-${width}x${height}-${notes.length}`);
    });

  for (const [width, height] of [
    [360, 290],
    [380, 400],
    [447, 290],
    [570, 290],
    [800, 290],
  ] as const)
    test(`counts, keys and names are whole at ${width} x ${height}, also with longer words`, async () => {
      await page.setViewportSize({ width, height });
      await showComparison(
        { before: earlier, after: later },
        ['Compared by account and entitlement'],
        ['Access reviews/Admins now v1', 'Access reviews/Admins today v5 (edited)'],
      );
      await driver.cell(1, 2).waitFor();
      const cut = await page.locator('.comparison-bar').evaluate((bar) => {
        for (const word of bar.querySelectorAll('.change-word')) word.textContent += ' words';
        for (const count of bar.querySelectorAll('.change-count')) count.textContent += ',123';
        const sight = bar.getBoundingClientRect();
        return [...bar.querySelectorAll('.change-switch, .matched-by, .side-title')].flatMap((one) => {
          const box = one.getBoundingClientRect();
          const isWhole =
            one.scrollWidth <= one.clientWidth && box.right <= sight.right && box.bottom <= sight.bottom;
          return isWhole ? [] : [one.textContent];
        });
      });
      assert.deepEqual(cut, []);
    });

  test('a low panel shows the whole names of two queries, without their folder', async () => {
    await page.setViewportSize({ width: 1_040, height: 255 });
    await showComparison(
      { before: earlier, after: later },
      [],
      ['Access reviews/Admins now v1', 'Access reviews/Admins today v5 (edited)'],
    );
    await driver.cell(1, 2).waitFor();
    // Next steps are links or a menu, never both.
    await page.getByRole('button', { name: 'Swap Sides' }).waitFor();
    await page.getByRole('button', { name: 'More Actions...' }).click();
    await page.getByRole('menuitem', { name: /^Go to/ }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Swap Sides' }).count(), 0);
    await driver.press('Escape');
    const shared = await page.locator('.side-shared').allTextContents();
    assert.deepEqual(shared, ['Access reviews/', 'Access reviews/']);
    const tops = await readAll(page.locator('.change-switches, .compared-sides'), (all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().bottom)),
    );
    assert.ok(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99)) < 6, `on one line: ${tops.join()}`);
    await takePicture(page, 'results/small-comparison-names');
  });

  async function showComparison(
    sides: { readonly before: readonly unknown[][]; readonly after: readonly unknown[][] },
    notes: readonly string[] = [],
    [titleBefore, titleAfter] = ['privileged-access v3', 'privileged-access v4'],
  ): Promise<void> {
    const { factory } = shown;
    const [before, after] = [factory.create(columns), factory.create(columns)];
    await before.append(sides.before);
    await after.append(sides.after);
    const kinds = columns.map((column) => ({ ...column, kind: columnKindOf(column.type) }));
    const { pairs } = pairColumns(kinds, kinds);
    const compared = await factory.compare({ before, after }, { pairs, keys: [0, 1], ignored: [] });
    const { data, outcome, summary } = compared;
    const filters = [
      { column: 0, rule: { kind: 'values', values: ['added', 'removed', 'changed'] } },
    ] as const;
    const viewRowCount = await data.ask('sortAndFilter', { sort: [], filters });
    const result = shown.newResult({
      origin: 'rows',
      title: 'privileged-access',
      part: 'comparison',
      steps: [
        { title: 'Key Columns...' },
        { title: 'Columns to Compare...' },
        { title: 'Swap Sides' },
        { title: 'Copy as Markdown' },
      ],
    });
    const writer = result.begin(result.header, recordedActions(calls));
    writer.adopt({
      ...{ data, columns: compared.columns, outcome: { ...outcome, viewRowCount } },
      sortAndFilters: { sort: [], filters },
      comparison: {
        counts: summary.counts,
        keys: [leadingColumns, leadingColumns + 1],
        beforeColumns: Object.fromEntries(
          summary.beforeColumns.flatMap((column, place) =>
            column === undefined ? [] : [[place + leadingColumns, column]],
          ),
        ),
        notes,
        before: {
          title: titleBefore,
          facts: ['Sandbox (prod)', ':since = 2026-07-01', '7/30/2026, 8:12:34 AM', '62 rows'],
        },
        after: {
          title: titleAfter,
          facts: ['Sandbox (prod)', ':since = 2026-07-01', '10/30/2026, 9:40:56 AM', '63 rows'],
          ...(notes.length === 0 ? {} : { warning: 'only the 63 rows that were loaded' }),
        },
      },
    });
    driver.finish(writer);
    // An earlier result may still be shown, with a grid too.
    await page.getByRole('region', { name: 'Comparison' }).waitFor();
  }

  const switchOf = (kind: string) => page.getByRole('button', { name: new RegExp(`^[\\d,]+ ${kind}$`) });
  const columnNames = () => page.locator('.grid-header-cell .grid-name').allTextContents();

  test('counts summarize the changes, changed cells show both values, unchanged rows are hidden', async () => {
    await showComparison({ before: earlier, after: later });
    await driver.cell(1, 2).waitFor();
    assert.deepEqual(await page.locator('.change-switch').allTextContents(), [
      '+3 added',
      '−2 removed',
      '±2 changed',
      '=58 unchanged',
    ]);
    assert.equal(await switchOf('unchanged').getAttribute('aria-pressed'), 'false');
    // Old values get separate columns only on request.
    assert.deepEqual(await columnNames(), [
      'change',
      'account',
      'entitlement',
      'role',
      'granted_by',
      'risk_score',
      'last_used',
    ]);
    assert.equal(await driver.cell(1, 1).textContent(), 'added');
    assert.equal(await driver.cell(4, 1).textContent(), 'removed');
    assert.equal(await driver.cell(6, 4).textContent(), 'editor → owner');
    assert.equal(await driver.cell(6, 6).textContent(), '3 → 95');
    assert.equal(await driver.cell(7, 5).textContent(), 'joiner workflow → NULL');
    assert.equal(await driver.cell(7, 4).evaluate((cell) => cell.classList.contains('is-changed')), false);
    await driver.look('comparison');
  });

  test('kinds of rows are shown and hidden by click, by key in the toggles, and by letter in the grid', async () => {
    await showComparison({ before: earlier, after: later });
    await driver.cell(1, 2).waitFor();
    const rowCount = () => page.locator('.row-count').textContent();
    await switchOf('added').click();
    await page.waitForFunction(() => document.querySelector('.row-count')?.textContent.startsWith('4 of '));
    assert.equal(await switchOf('added').getAttribute('aria-pressed'), 'false');
    // The switch keeps focus after it is pressed.
    await driver.press('Enter');
    await page.waitForFunction(() => document.querySelector('.row-count')?.textContent.startsWith('7 of '));
    await driver.grid().focus();
    await driver.press('u');
    await page.waitForFunction(() => document.querySelector('.row-count')?.textContent === '65 rows');
    await driver.press('a', 'r', 'c', 'u');
    await page.getByText('These rows are hidden').waitFor();
    assert.equal(await rowCount(), '0 of 65 rows shown');
    // Other filters combine with the switches. Clearing the filters keeps the switches.
    await driver.press('c');
    await driver.cell(2, 4).waitFor();
    assert.equal(await page.getByRole('toolbar', { name: 'Filters' }).count(), 0);
    assert.deepEqual(await driver.active(), [1, 1]);
  });

  test('a row can be inspected on both sides, and is copied with both values', async () => {
    await showComparison({ before: earlier, after: later });
    await driver.cell(6, 4).click();
    await driver.press('Shift+Enter');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByRole('columnheader', { name: 'Before', exact: true }).waitFor();
    assert.deepEqual(
      await readAll(inspector.locator('tr.is-different'), (rows) =>
        rows.map((row) => row.querySelector('.record-name')?.textContent),
      ),
      ['role', 'granted_by', 'risk_score'],
    );
    await driver.look('comparison-inspector');
    await driver.cell(4, 2).click();
    await inspector.getByText('missing').first().waitFor();
    assert.equal(await inspector.locator('.inspector-title').textContent(), 'Row 4, removed');
    await driver.cell(6, 4).click();
    await driver.press('Enter');
    await page.locator('.inspector-value del').waitFor();
    assert.equal(await page.locator('.inspector-value').innerText(), 'Before\neditor\nAfter\nowner');
    await driver.press('Escape', 'Control+a');
    shown.panel.copySelection('markdown', true);
    await driver.until(() => shown.copied.length > 0);
    assert.match(shown.copied[0] ?? '', /\| changed \| lee\.chen \| billing-prod \| editor → owner \|/);
  });

  test('sides, notes and next steps are above the rows', async () => {
    await showComparison({ before: earlier, after: later }, [
      '2 duplicate keys (4 rows before, 5 after). Equal rows are paired; the others count as added and removed.',
      'Not compared (only after): reviewer',
    ]);
    await driver.cell(1, 2).waitFor();
    const bar = page.getByRole('region', { name: 'Comparison' });
    assert.match(
      (await bar.innerText()).replace(/\s+/g, ' '),
      /Matched by account, entitlement Before privileged-access v3 .*After privileged-access v4 .*only the 63 rows.*2 duplicate keys/,
    );
    await page.getByRole('button', { name: 'Swap Sides' }).click();
    await page.getByRole('button', { name: 'Compare Again' }).click();
    await driver.until(() => calls.length === 2);
    assert.deepEqual(calls, ['step 2', 'runAgain']);
    await driver.look('comparison-notes');
  });

  test('in a low panel, notes can be read without scrolling', async () => {
    await page.setViewportSize({ width: 1_080, height: 230 });
    await showComparison({ before: earlier, after: later }, ['2 duplicate keys (4 rows before, 5 after).']);
    await driver.cell(1, 2).waitFor();
    const note = await page.getByText('2 duplicate keys').boundingBox();
    assert.ok(note !== null && note.x + note.width <= 1_080, `ends at ${note ? note.x + note.width : '?'}`);
    await driver.look('comparison-low');
  });

  test('in a low panel, cut notes end with an ellipsis, and the keyboard shows them whole', async () => {
    await page.setViewportSize({ width: 1_000, height: 290 });
    const notes = [
      'Whole rows are compared: a changed row counts as one removed and one added row.',
      'Not compared (only before): reviewer, reviewed_at, decision, justification, ticket',
    ];
    await showComparison({ before: earlier, after: later }, notes);
    await driver.cell(1, 2).waitFor();
    const texts = page.locator('.comparison-note .warning-text');
    const cut = () =>
      readAll(texts, (all) =>
        all.map((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).textOverflow]),
      );
    assert.deepEqual(await cut(), Array(2).fill([true, 'ellipsis']));
    assert.deepEqual(
      await readAll(page.locator('.comparison-note'), (all) => all.map((one) => one.getAttribute('title'))),
      notes,
    );
    const whole = page.getByRole('button', { name: 'Show the whole comparison' });
    await whole.focus();
    await driver.press('Enter');
    assert.equal(await whole.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await cut(), Array(2).fill([false, 'ellipsis']));
    const bar = page.locator('.comparison-bar');
    const inSight = await readAll(texts, (all) => {
      const sight = document.querySelector('.comparison-bar')?.getBoundingClientRect();
      return all.map((one) => one.getBoundingClientRect().bottom <= (sight?.bottom ?? 0));
    });
    assert.deepEqual(inSight, [true, true]);
    await driver.look('comparison-whole');
    await driver.press('Enter');
    assert.equal(await whole.getAttribute('aria-expanded'), 'false');
    assert.ok(await bar.evaluate((one) => one.scrollHeight <= one.clientHeight));
    await driver.look('comparison-cut');
  });

  test('two equal results are reported as equal', async () => {
    await showComparison({ before: earlier, after: earlier });
    await page.getByText('No differences').waitFor();
    await driver.look('comparison-same');
  });
});
