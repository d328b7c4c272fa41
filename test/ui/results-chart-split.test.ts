/** Charts split into series: by the values of a second column, and by the columns of a pivot. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RunHeader } from '#core/runs/run-header.ts';
import { readAll } from '../helpers/read-all.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

type Rows = readonly (readonly unknown[])[];

suite('charts split into series', () => {
  let shown: ResultsPage;
  let page: Page;
  let driver: ResultsDriver;

  openResultsForEach({ width: 1_300, height: 560 }, (opened) => {
    ({ shown, page, driver } = opened);
  });

  const chart = () => page.getByRole('complementary', { name: 'Chart' });
  const picture = (name: string | RegExp) => chart().getByRole('img', { name });
  const titles = (selector: string) => chart().locator(`${selector} > title`).allTextContents();
  const legend = () => chart().locator('.chart-legend').allTextContents();

  /** Shows rows, and the chart of the first column. */
  async function open(names: readonly string[], rows: Rows, header: Partial<RunHeader> = {}): Promise<void> {
    const { writer } = driver.begin(header);
    writer.open(names.map((name) => ({ name, type: typeOf(name) })));
    await writer.append(rows);
    driver.finish(writer);
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
  }

  test('amounts without a sum: the footer and the note of an empty chart say why', async () => {
    for (const [name, fees, reason] of [
      ['currencies', ['$1.00', '2,00 €'], 'amounts of several currencies'],
      ['separators', ['KD 1.234', 'KD 2.500'], 'unclear decimal separator, as in 1.234'],
    ] as const) {
      await open(
        ['name', 'fee'],
        fees.map((fee, index) => [`account ${index}`, fee]),
      );
      await chart().getByLabel('Values').selectOption('Sum of fee');
      await chart().getByText(`2 rows · ${reason} · nothing to draw`, { exact: true }).waitFor();
      await driver.cell(1, 2).click();
      await driver.press('Control+Space');
      await page.getByText(`no sum: ${reason}`).waitFor();
      await driver.look(`chart-amounts-${name}`);
    }
  });

  test('bars are stacked; the legend, the tooltips and the table name the series', async () => {
    await driver.showRows(3_000);
    await driver.cell(1, 4).click();
    shown.panel.showTool('chart');
    const split = chart().getByLabel('Split by', { exact: true });
    assert.ok(!(await split.locator('option').allTextContents()).includes('department'));
    await split.selectOption('manager');
    await picture(/^Bars: Rows by department, split by manager, \d+ points\. The numbers are in/).waitFor();
    const names = await legend();
    assert.deepEqual([names.length, names[0], names.at(-1)], [8, 'NULL', 'Other']);
    assert.equal((await titles('.chart-bar'))[0], 'Finance · manager: NULL · 100');
    // Segments of a bar lie side by side, since the names of the departments need their own column.
    const boxes = await readAll(chart().locator('.chart-bar'), (all) =>
      all.map((bar) => ['y', 'x', 'width'].map((name) => Number(bar.getAttribute(name)))),
    );
    const first = boxes.filter(([y]) => y === boxes[0]?.[0]);
    assert.ok(first.length > 2);
    first.slice(1).forEach(([, x = 0], index) => {
      const [, before = 0, width = 0] = first[index] ?? [];
      assert.ok(Math.abs(x - before - width) < 0.3, `segment ${index + 1} at ${x}`);
    });
    await driver.look('chart-split-bars');
    await chart().getByRole('button', { name: 'SVG' }).click();
    const { content } = await driver.received('savePicture');
    assert.match(String(content), />Other<\/text>/);
    // The last theme is high contrast, whose textures are saved too.
    assert.match(String(content), /<rect [^>]*fill="url\(&quot;#chart-texture-1&quot;\)"/);
    await chart().getByRole('button', { name: 'PNG' }).click();
    await driver.until(() => shown.received.some((one) => (one as { format?: string }).format === 'png'));
    await chart().getByRole('button', { name: 'Numbers' }).click();
    const headers = await chart().locator('th[scope=col]').allTextContents();
    assert.deepEqual(headers, ['department', 'manager: NULL', ...names.slice(1)]);
    await driver.look('chart-split-table');
    await chart().getByRole('button', { name: 'Numbers' }).click();
    await chart().getByLabel('Chart', { exact: true }).selectOption('Histogram');
    assert.ok(await split.isHidden());
    await chart().getByLabel('Chart', { exact: true }).selectOption('Scatter');
    assert.ok(await split.isHidden());
  });

  test('values that say little alone are named with their column', async () => {
    await open(
      ['department', 'enabled', 'level'],
      [
        ['Sales', 'true', '2'],
        ['Sales', 'true', '1'],
        ['Legal', 'false', '2'],
        ['Legal', null, '2'],
      ],
    );
    const split = chart().getByLabel('Split by', { exact: true });
    await split.selectOption('enabled');
    await picture(/split by enabled/).waitFor();
    const head = chart().locator('g > .chart-name');
    assert.deepEqual(await head.allTextContents(), ['enabled:']);
    assert.deepEqual(await legend(), ['true', 'false', 'NULL']);
    assert.equal((await titles('.chart-bar'))[0], 'Sales · enabled: true · 2');
    const [name, mark] = await Promise.all(
      [head, chart().locator('.chart-key').first()].map((one) => one.boundingBox()),
    );
    assert.ok(name && mark && name.x + name.width < mark.x, JSON.stringify([name, mark]));
    await driver.look('chart-split-boolean');
    await split.selectOption('level');
    await picture(/split by level/).waitFor();
    assert.deepEqual([await head.allTextContents(), await legend()], [['level:'], ['2', '1']]);
    await chart().getByRole('button', { name: 'Numbers' }).click();
    const headers = await chart().locator('th[scope=col]').allTextContents();
    assert.deepEqual(headers, ['department', 'level: 2', 'level: 1']);
  });

  test('negative values go down, in upright and in sideways bars', async () => {
    const rows = ['Sales', 'Legal', 'Finance'].flatMap((department, index) => [
      [department, 'granted', 30 - index],
      [department, 'revoked', -12 - index],
      [department, 'expired', -3],
    ]);
    await open(['department', 'change', 'accounts'], rows);
    await chart().getByLabel('Split by', { exact: true }).selectOption('change');
    await picture(/^Bars: Sum of accounts by department, split by change, 9 points/).waitFor();
    await driver.look('chart-split-negative');
    const sales = await readAll(chart().locator('.chart-bar:has(title)'), (all) =>
      all
        .filter((bar) => bar.textContent.startsWith('Sales'))
        .map((bar) => ['y', 'height'].map((name) => Number(bar.getAttribute(name)))),
    );
    const [[up = 0, upHeight = 0] = [], [revoked = 0, revokedHeight = 0] = [], [expired = 0] = []] = sales;
    const isAt = (y: number, expected: number, what: string) =>
      assert.ok(Math.abs(y - expected) < 0.3, `${what}: ${y} for ${expected}`);
    isAt(revoked, up + upHeight, 'negative values start at zero');
    isAt(expired, revoked + revokedHeight, 'the next one lies below');
    await page.setViewportSize({ width: 640, height: 560 });
    await driver.look('chart-split-negative-narrow');
  });

  test('lines become one line for each value, which differ in their dashes', async () => {
    const rows = Array.from({ length: 12 }, (_, month) =>
      ['Sales', 'Legal', 'Finance', 'People'].map((department, index) => [
        `2026-${String(month + 1).padStart(2, '0')}-01`,
        department,
        40 - index * 8 + ((month * (index + 3)) % 7) * 3,
      ]),
    ).flat();
    await open(['day', 'department', 'accounts'], rows);
    await chart().getByLabel('Chart', { exact: true }).selectOption('Line');
    await chart().getByLabel('Split by', { exact: true }).selectOption('department');
    await picture(
      'Line: accounts by day, split by department, 48 points. The numbers are in a table.',
    ).waitFor();
    assert.deepEqual(await legend(), ['Sales', 'Legal', 'Finance', 'People']);
    const dashes = await readAll(chart().locator('g[class^=chart-series] > .chart-path:has(title)'), (all) =>
      all.map((line) => line.getAttribute('stroke-dasharray')),
    );
    assert.equal(new Set(dashes).size, 4);
    assert.ok((await titles('.chart-point')).includes('2026-01-01 00:00:00+00 · Sales · 40'));
    await driver.look('chart-split-lines');
    await chart().getByRole('button', { name: 'Numbers' }).click();
    assert.equal(await chart().locator('tbody tr').count(), 12);
  });

  const pivot = {
    names: ['department', 'ENROLLED', 'NONE', 'mfa_status: NULL', 'Total'],
    rows: [
      ['Sales', '20', '15', '5', '40'],
      ['Finance', '18', '7', null, '25'],
      ['Legal', '1', '4', null, '5'],
    ],
    header: { origin: 'rows', measure: 1, pivot: { name: 'mfa_status', isSum: true } },
  } as const;

  test('a chart of a pivot opens with its columns as series, and can show one of them', async () => {
    await open(pivot.names, pivot.rows, pivot.header);
    await picture(/^Bars: Total by department, split by mfa_status, 7 points/).waitFor();
    assert.deepEqual(await legend(), ['ENROLLED', 'NONE', 'NULL']);
    assert.equal((await titles('.chart-bar'))[0], 'Sales · ENROLLED · 20');
    assert.ok(await chart().getByLabel('Split by', { exact: true }).isHidden());
    await driver.look('chart-split-pivot');
    await chart().getByLabel('Values').selectOption('NONE');
    await picture(/^Bars: NONE by department, 3 points/).waitFor();
    assert.deepEqual(await legend(), []);
    await chart().getByLabel('Values').selectOption('All columns');
    await picture(/split by mfa_status/).waitFor();
  });

  test('the colors of series are seen on the background in every theme, and differ from their neighbors', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `D${'abcdefghi'[index] ?? ''}`);
    await open(
      ['month', 'department', 'accounts'],
      names.map((name, index) => ['March', name, 20 - index]),
    );
    await chart().getByLabel('Split by', { exact: true }).selectOption('department');
    await picture(/split by department/).waitFor();
    for (const theme of ['dark', 'light', 'high-contrast'] as const) {
      await shown.setTheme(theme);
      const [ground, ...colors] = await readAll(
        chart().locator('g[class^=chart-series]:has(> .chart-key)'),
        (all) => {
          const canvas = document.createElement('canvas').getContext('2d');
          const parts = (color: string) => {
            if (canvas === null) return [];
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          return [
            parts(getComputedStyle(document.body).backgroundColor),
            ...all.map((one) => parts(getComputedStyle(one).getPropertyValue('--series').trim())),
          ];
        },
      );
      assert.equal(colors.length, 8);
      colors.forEach((color, index) => {
        const [low = 0, high = 0] = [lightness(ground), lightness(color)].sort((a, b) => a - b);
        assert.ok((high + 0.05) / (low + 0.05) >= 3, `${theme}: series ${index} ${color.join()}`);
        const before = colors[index - 1];
        if (before === undefined) return;
        const distance = Math.hypot(...color.map((part, place) => part - (before[place] ?? 0)));
        assert.ok(distance > 80, `${theme}: series ${index} is like the one before it, ${distance}`);
      });
    }
    await driver.look('chart-split-colors');
  });

  test('averages of a pivot are not stacked, but they are lines over time', async () => {
    await open(pivot.names, pivot.rows, { ...pivot.header, pivot: { name: 'mfa_status', isSum: false } });
    await picture(/^Bars: Total by department, 3 points/).waitFor();
    const options = await chart().getByLabel('Values').locator('option').allTextContents();
    assert.ok(!options.includes('All columns'));
    const months = ['2026-01-01', '2026-02-01'].map((day, index) => [day, `${index + 1}.5`, '7', null, '4']);
    await open(['day', ...pivot.names.slice(1)], months, {
      ...pivot.header,
      pivot: { name: 'mfa_status', isSum: false },
    });
    await picture(/^Line: Total by day, split by mfa_status, 4 points/).waitFor();
    assert.deepEqual(await legend(), ['ENROLLED', 'NONE']);
    await chart().getByLabel('Chart', { exact: true }).selectOption('Bars');
    await picture(/^Bars: Total by day, 2 points/).waitFor();
  });

  test('names with control characters and long names are shown as in the rows, and cut with a tooltip', async () => {
    const long = 'Access '.repeat(40);
    const rows = [
      ['a\u0007b', 'right\u202Eleft', 1],
      ['a\u0007b', long, 2],
      ['עברית', '', 3],
    ];
    await open(['department', 'change', 'accounts'], rows);
    await chart().getByLabel('Split by', { exact: true }).selectOption('change');
    await picture(/split by change/).waitFor();
    assert.ok((await chart().locator('.chart-tick').allTextContents()).includes('a␇b'));
    const names = await legend();
    assert.ok(names.some((name) => name.startsWith('right<U+202E>left')));
    assert.ok(names.some((name) => name.startsWith('(empty)')));
    assert.ok((await titles('.chart-legend')).includes(long));
    await driver.look('chart-split-hostile');
  });
});

/** Relative luminance, as WCAG defines it. */
function lightness(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function typeOf(name: string): string {
  if (name === 'accounts' || /^[A-Z]/.test(name)) return 'int8';
  return { day: 'date', fee: 'money' }[name] ?? 'text';
}
