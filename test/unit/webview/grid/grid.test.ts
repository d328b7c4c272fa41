/** The grid's arithmetic: keyboard selection, column positions, long scroll bars, and blocks of cells. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { WindowRequest } from '#panel-protocol/rows.ts';
import { BlockCache, blockRows } from '#webview/results/grid/block-cache.ts';
import { columnsBetween, offsetsOf, rowHeight, ScrollScale } from '#webview/results/grid/geometry.ts';
import {
  afterKey,
  headerRow,
  rectangleOf,
  selectOne,
  sizeOf,
  type Selection,
} from '#webview/results/grid/selection.ts';

const extent = { rowCount: 100, columnCount: 5, pageRows: 10 };

/** Presses keys such as `Shift+ArrowDown` in sequence. */
function press(from: Selection, ...keys: string[]): Selection {
  return keys.reduce((selection, name) => {
    const parts = name.split('+');
    const key = { key: parts.at(-1) ?? '', mod: parts.includes('Ctrl'), shift: parts.includes('Shift') };
    return afterKey(selection, key, extent) ?? selection;
  }, from);
}

suite('selection', () => {
  const start = selectOne({ row: 50, column: 2 });
  const at = (selection: Selection) => [selection.active.row, selection.active.column];

  test('moves by arrow keys, by pages, and to the ends', () => {
    assert.deepEqual(at(press(start, 'ArrowDown', 'ArrowRight')), [51, 3]);
    assert.deepEqual(at(press(start, 'ArrowUp', 'ArrowLeft')), [49, 1]);
    assert.deepEqual(at(press(start, 'PageDown')), [60, 2]);
    assert.deepEqual(at(press(start, 'PageUp', 'PageUp')), [30, 2]);
    assert.deepEqual(at(press(start, 'Home')), [50, 0]);
    assert.deepEqual(at(press(start, 'End')), [50, 4]);
    assert.deepEqual(at(press(start, 'Ctrl+Home')), [0, 0]);
    assert.deepEqual(at(press(start, 'Ctrl+End')), [99, 4]);
    assert.deepEqual(at(press(start, 'Ctrl+ArrowDown')), [99, 2]);
    assert.deepEqual(at(press(start, 'Ctrl+ArrowUp')), [0, 2]);
    assert.deepEqual(at(press(start, 'Ctrl+ArrowRight')), [50, 4]);
    assert.deepEqual(at(press(start, 'Ctrl+ArrowLeft')), [50, 0]);
  });

  test('stops at the edges, and moves into the header above the first row', () => {
    assert.deepEqual(at(press(selectOne({ row: 99, column: 4 }), 'ArrowDown', 'ArrowRight')), [99, 4]);
    assert.deepEqual(at(press(selectOne({ row: 0, column: 1 }), 'ArrowUp')), [headerRow, 1]);
    assert.deepEqual(at(press(selectOne({ row: headerRow, column: 1 }), 'ArrowUp')), [headerRow, 1]);
    assert.deepEqual(at(press(selectOne({ row: headerRow, column: 1 }), 'ArrowDown')), [0, 1]);
  });

  test('Shift extends from the start, never into the header', () => {
    const range = press(start, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowLeft');
    assert.deepEqual(rectangleOf(range), { firstRow: 50, lastRow: 52, firstColumn: 1, lastColumn: 2 });
    assert.deepEqual(sizeOf(range), { rows: 3, columns: 2 });
    const up = press(selectOne({ row: 1, column: 0 }), 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp');
    assert.deepEqual(rectangleOf(up), { firstRow: 0, lastRow: 1, firstColumn: 0, lastColumn: 0 });
  });

  test('covers everything, whole rows or whole columns', () => {
    assert.deepEqual(sizeOf(press(start, 'Ctrl+a')), { rows: 100, columns: 5 });
    assert.deepEqual(sizeOf(press(start, 'Shift+ ')), { rows: 1, columns: 5 });
    assert.deepEqual(sizeOf(press(start, 'Ctrl+ ')), { rows: 100, columns: 1 });
  });

  test('has no cells in the header', () => {
    assert.equal(sizeOf(selectOne({ row: headerRow, column: 1 })).rows, 0);
  });

  test('never moves outside', () => {
    const names = [
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'PageUp',
      'PageDown',
      'Home',
      'End',
      'a',
      ' ',
    ];
    const key = fc
      .tuple(fc.constantFrom('', 'Shift+', 'Ctrl+', 'Ctrl+Shift+'), fc.constantFrom(...names))
      .map((k) => k.join(''));
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const { active, anchor } = press(start, ...keys);
        for (const { row, column } of [active, anchor])
          assert.ok(row >= headerRow && row < extent.rowCount && column >= 0 && column < extent.columnCount);
      }),
    );
  });
});

suite('geometry', () => {
  test('finds the visible columns', () => {
    const offsets = offsetsOf([100, 50, 200, 80]);
    assert.deepEqual(offsets, [0, 100, 150, 350, 430]);
    assert.deepEqual(columnsBetween(offsets, 0, 100), { first: 0, last: 0 });
    assert.deepEqual(columnsBetween(offsets, 100, 160), { first: 1, last: 2 });
    assert.deepEqual(columnsBetween(offsets, 500, 900), { first: 3, last: 3 });
  });

  test('scrolls short results one to one', () => {
    const scale = new ScrollScale();
    scale.resize(10_000 * rowHeight, 400);
    assert.equal(scale.topAt(scale.scrollTopFor(123_456)), 123_456);
    assert.equal(scale.isScaled, false);
  });

  test('reaches every one of ten million rows, with matching ends and exact small steps', () => {
    const scale = new ScrollScale();
    const height = 10_000_000 * rowHeight;
    scale.resize(height, 400);
    assert.equal(scale.isScaled, true);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: height - 400 }), (top) => {
        assert.equal(scale.topAt(scale.scrollTopFor(top)), top);
      }),
    );
    assert.equal(scale.topAt(0), 0);
    assert.equal(scale.topAt(scale.scrollHeight - 400), height - 400);
    const before = scale.scrollTopFor(120_000_000);
    assert.equal(scale.topAt(before + 100), 120_000_100);
  });
});

suite('blocks of cells', () => {
  function cacheOf(rowCount: number, columnCount = 3) {
    const asked: WindowRequest[] = [];
    const cache = new BlockCache((request) => asked.push(request));
    cache.reset({ rowCount, columnCount });
    const answer = (request: WindowRequest, text = 'x') =>
      cache.put({
        firstRow: request.firstRow,
        columns: request.columns.map((column) => ({
          column,
          cells: Array.from({ length: Math.min(request.rowCount, rowCount - request.firstRow) }, () => text),
        })),
      });
    return { asked, cache, answer };
  }

  test('are requested two at a time, visible ones first', () => {
    const { asked, cache, answer } = cacheOf(10_000);
    cache.want({ first: 250, last: 290 }, [0, 1, 2]);
    assert.deepEqual(
      asked.map((request) => request.firstRow),
      [200, 300],
    );
    answer(asked[0]!);
    assert.deepEqual(
      asked.map((request) => request.firstRow),
      [200, 300, 100],
    );
    assert.equal(cache.cell(250, 1), 'x');
    assert.equal(cache.cell(350, 1), undefined);
  });

  test('are never requested if they are skipped', () => {
    const { asked, cache, answer } = cacheOf(100_000);
    for (let row = 0; row < 90_000; row += 1_000) cache.want({ first: row, last: row + 30 }, [0]);
    assert.equal(asked.length, 2);
    answer(asked[0]!);
    assert.equal(asked[2]?.firstRow, 89_000);
  });

  test('are requested again when rows arrive, if they are last and incomplete', () => {
    const { asked, cache, answer } = cacheOf(150);
    cache.want({ first: 90, last: 149 }, [0]);
    asked.slice().forEach((request) => answer(request));
    assert.equal(cache.cell(149, 0), 'x');
    cache.grow(400);
    assert.equal(cache.cell(50, 0), 'x');
    assert.equal(cache.cell(149, 0), undefined);
    cache.want({ first: 120, last: 149 }, [0]);
    assert.ok(asked.slice(2).some((request) => request.firstRow === blockRows));
  });

  test('are requested again after a failure', () => {
    const { asked, cache } = cacheOf(10_000);
    cache.want({ first: 250, last: 290 }, [0]);
    asked.slice().forEach((request) => cache.giveUp(request));
    assert.equal(asked.length, 2, 'not by itself, or what always fails would be asked for ever');
    cache.want({ first: 250, last: 290 }, [0]);
    assert.deepEqual(
      asked.map((request) => request.firstRow),
      [200, 300, 200, 300],
    );
  });

  test('are requested by groups of columns', () => {
    const { asked, cache } = cacheOf(50, 100);
    cache.want({ first: 0, last: 20 }, [31, 32, 33]);
    assert.deepEqual(
      asked.map((request) => [request.columns[0], request.columns.length]),
      [
        [0, 32],
        [32, 32],
      ],
    );
  });

  test('stay bounded while scrolling through everything', () => {
    const { asked, cache, answer } = cacheOf(1_000_000, 1);
    for (let row = 0; row < 100_000; row += blockRows) {
      cache.want({ first: row, last: row + 20 }, [0]);
      while (asked.length > 0) answer(asked.shift()!);
    }
    const kept = Array.from({ length: 1_000 }, (_, block) => cache.cell(block * blockRows, 0)).filter(
      (cell) => cell !== undefined,
    );
    assert.ok(kept.length <= 201, `${kept.length} blocks kept`);
  });
});
