/** Drives a result page: fills it, presses keys, finds cells, waits, and checks it with axe in each theme. */
import type { Locator } from 'playwright-core';
import type { Result, ResultWriter } from '#client/features/results/result.ts';
import type { RowsExtent } from '#core/reading/rows-writer.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { inspect } from './inspect-page.ts';
import { recordedActions } from './recorded-actions.ts';
import { sampleColumns, sampleRows } from './result-rows.ts';
import type { ResultsPage } from './results-page.ts';

export const sampleHeader = {
  title: 'stale-admins',
  version: 3,
  connection: 'Sandbox',
  label: 'PROD',
  environment: 'prod',
  colour: 'red',
  isProtected: true,
  model: 'platform_identity',
  parameters: [
    { name: 'since', text: '2026-01-01', isNull: false },
    { name: 'manager', text: '', isNull: true },
  ],
} satisfies RunHeader;

export interface Filled {
  readonly result: Result;
  readonly writer: ResultWriter;
}

export interface Completeness {
  readonly extent?: RowsExtent;
  readonly totalRows?: number;
}

export type ResultsDriver = ReturnType<typeof driveResults>;

/** @param calls calls to the result actions, oldest first. */
export function driveResults(shown: ResultsPage, calls: string[]) {
  const { page } = shown;
  const { until, look } = inspect(shown);

  function begin(change: Partial<RunHeader> = {}): Filled {
    const result = shown.newResult({ ...sampleHeader, ...change });
    return { result, writer: result.begin(result.header, recordedActions(calls)) };
  }

  function finish(writer: ResultWriter, change: Completeness = {}): void {
    writer.setRows({
      extent: change.extent ?? 'complete',
      totalRows: change.totalRows,
      loading: { kind: 'none' },
      firstRowsMs: 118,
      totalMs: 118,
      finishedAt: Date.UTC(2026, 0, 31, 8),
    });
  }

  async function showRows(count: number, change: Completeness = {}): Promise<Filled> {
    const filled = begin();
    filled.writer.open(sampleColumns);
    for (let from = 0; from < count || from === 0; from += 10_000) {
      await filled.writer.append(sampleRows(from, Math.min(10_000, count - from)));
    }
    finish(filled.writer, change);
    await page.getByRole('grid').waitFor();
    if (count > 0) await cell(1, 2).waitFor();
    return filled;
  }

  /** Finds a cell by its 1-based row and its 1-based displayed column. */
  const cell = (row: number, column: number): Locator =>
    page.locator(`[role=row][aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${column + 1}"]`);
  const grid = () => page.getByRole('grid');
  /** Returns the row and column of the focused cell. */
  const active = () =>
    grid().evaluate((element) => {
      const id = element.getAttribute('aria-activedescendant');
      const found = id === null ? null : document.getElementById(id);
      return [
        Number(found?.closest('[role=row]')?.getAttribute('aria-rowindex')) - 1,
        Number(found?.getAttribute('aria-colindex')) - 1,
      ];
    });
  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }
  /** Waits for a command or question of this kind from the page, and returns the newest. */
  async function received(kind: string): Promise<Record<string, unknown>> {
    let found: Record<string, unknown> | undefined;
    await until(() => {
      found = shown.received.map(saidOf).findLast((said) => said['kind'] === kind);
      return found !== undefined;
    });
    return found ?? {}; // set while waiting
  }

  return { begin, finish, showRows, cell, grid, active, press, received, until, look };
}

/** Returns a command unchanged, and a question as its request. */
function saidOf(message: unknown): Record<string, unknown> {
  const said = message as Record<string, unknown>; // the page sends objects
  const { asked } = (said['body'] ?? {}) as { asked?: { question: string; request: object } };
  return asked === undefined ? said : { ...asked.request, kind: asked.question };
}
