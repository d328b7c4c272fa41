/** One comparison: its two sides, its key columns, and its result. */
import * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { type RunFailure } from '#core/failures/run-failure.ts';
import { madeRows } from '#core/reading/rows-writer.ts';
import {
  changesOnly,
  comparisonNotes,
  compareSides,
  keyPlaces,
  pairsOf,
  type ColumnChoice,
  type ComparedSides,
} from '#core/rows/compare/compare-sides.ts';
import { leadingColumns, type ColumnPairs } from '#core/rows/compare/diff.ts';
import type { ComparedResults } from '#core/rows/result-operations.ts';
import { type RunHeader } from '#core/runs/run-header.ts';
import {
  type ComparisonState,
  type Result,
  type ResultActions,
  type ResultsFeature,
  type ResultWriter,
} from '../results/index.ts';
import { copySummary } from './copy-summary.ts';
import { pickIgnored, pickKeys } from './pick-columns.ts';
import type { Side } from './side.ts';

export interface ComparisonDependencies {
  readonly results: ResultsFeature;
  readonly log: Logger;
}

type Sides = Readonly<Record<'before' | 'after', Side>>;

export class Comparison {
  readonly #deps: ComparisonDependencies;
  readonly result: Result;
  #sides: Sides;
  #keys: readonly string[] | undefined;
  #ignored: readonly string[];
  #controller = new AbortController();
  #failure: RunFailure | undefined;
  #isOver = false;

  constructor(deps: ComparisonDependencies, sides: Sides, choice: ColumnChoice) {
    this.#deps = deps;
    this.#sides = sides;
    this.#keys = choice.keys;
    this.#ignored = choice.ignored ?? [];
    const key = `identity-query-comparison:${crypto.randomUUID()}`;
    this.result = deps.results.resultFor(key, headerOf(sides), { isNew: true });
  }

  /** Compares and shows the outcome. Never rejects; errors are shown in the result. */
  async start(): Promise<void> {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const started = performance.now();
    const writer = this.result.begin(headerOf(this.#sides), this.#actions());
    writer.set({ kind: 'running', elapsedMs: 0, note: vscode.l10n.t('Comparing') });
    try {
      await this.#deps.results.reveal(this.result);
      const pairs = pairsOf(heldRows(this.#sides));
      if (pairs.pairs.length === 0) {
        const message = vscode.l10n.t("The results share no column name, so they can't be compared.");
        writer.set({ kind: 'failed', failure: { message, reasons: [] }, elapsedMs: 0 });
        return;
      }
      const compared = await this.#compare({ signal, writer, started });
      const { rows, shown } = await arranged(compared);
      writer.adopt({
        ...rows,
        comparison: { ...wordsOf(this.#sides, compared, { pairs, keys: this.#keys ?? [] }) },
        sortAndFilters: { sort: [], filters: shown },
      });
      const totalMs = performance.now() - started;
      writer.setRows(madeRows(compared.outcome.rowCount, totalMs, Date.now()));
      this.#deps.log.info(
        `compared ${countedText(compared.outcome.rowCount, 'row')} in ${Math.round(totalMs)} ms`,
      );
    } catch (error) {
      const elapsedMs = performance.now() - started;
      if (signal.aborted) {
        writer.set({ kind: 'cancelled', elapsedMs });
        return;
      }
      this.#deps.log.error(`comparing failed: ${errorName(error)}`);
      const message = error instanceof Error ? error.message : String(error);
      this.#failure = { message, reasons: [] };
      writer.set({ kind: 'failed', failure: this.#failure, elapsedMs });
    }
  }

  async #compare(at: {
    readonly signal: AbortSignal;
    readonly writer: ResultWriter;
    readonly started: number;
  }): Promise<ComparedResults> {
    const { signal, writer, started } = at;
    let told = 0;
    const onProgress = () => {
      const now = performance.now();
      // More frequent updates would be unreadable.
      if (now - told < 200) return;
      told = now;
      writer.set({ kind: 'running', elapsedMs: now - started, note: vscode.l10n.t('Comparing') });
    };
    const { compared, keys } = await compareSides(
      this.#deps.results.operations,
      heldRows(this.#sides),
      { keys: this.#keys, ignored: this.#ignored },
      { signal, onProgress },
    );
    this.#keys = keys;
    return compared;
  }

  async chooseKeys(): Promise<void> {
    const { pairs } = pairsOf(heldRows(this.#sides));
    const keys = await pickKeys(pairs, {
      chosen: this.#keys ?? [],
      operations: this.#deps.results.operations,
      sides: this.#sides,
    });
    if (keys === undefined || this.#isOver) return;
    this.#keys = keys;
    await this.start();
  }

  async chooseColumns(): Promise<void> {
    const { pairs } = pairsOf(heldRows(this.#sides));
    const ignored = await pickIgnored(pairs, { keys: this.#keys ?? [], ignored: this.#ignored });
    if (ignored === undefined || this.#isOver) return;
    this.#ignored = ignored;
    await this.start();
  }

  async swap(): Promise<void> {
    this.#sides = { before: this.#sides.after, after: this.#sides.before };
    await this.start();
  }

  async copySummary(): Promise<void> {
    await copySummary(this.result);
  }

  /** Compares again, with the latest rows of results that still exist. */
  async #again(): Promise<void> {
    for (const which of ['before', 'after'] as const) {
      const side = this.#sides[which];
      const newer = await side.renew?.();
      if (newer === undefined) continue;
      side.rows.data.dispose();
      this.#sides = { ...this.#sides, [which]: newer };
    }
    await this.start();
  }

  #actions(): ResultActions {
    const steps = [
      () => this.chooseKeys(),
      () => this.chooseColumns(),
      () => this.swap(),
      () => this.copySummary(),
    ];
    const present = (what: string, work: Promise<void> | undefined) => {
      work?.catch((error: unknown) => presentFailure(this.#deps.log, what, error));
    };
    return {
      cancel: () => this.#controller.abort(),
      end: () => {
        this.#isOver = true;
        this.#controller.abort();
        for (const side of Object.values(this.#sides)) side.rows.data.dispose();
      },
      runAgain: () => present('compare again', this.#again()),
      connections: () => {
        const { before, after } = this.#sides;
        return [before.connection, after.connection].filter((name) => name !== undefined);
      },
      step: (index) => present('comparison', steps[index]?.()),
    };
  }
}

function headerOf({ before, after }: Sides): RunHeader {
  return {
    origin: 'rows',
    title: before.name === after.name ? after.name : `${before.name} → ${after.name}`,
    part: vscode.l10n.t('comparison'),
    parameters: [],
    // Same order as the steps above.
    steps: [
      { title: vscode.l10n.t('Key Columns...') },
      { title: vscode.l10n.t('Columns to Compare...') },
      { title: vscode.l10n.t('Swap Sides') },
      { title: vscode.l10n.t('Copy as Markdown') },
    ],
  };
}

function heldRows({ before, after }: Sides): ComparedSides {
  return { before: before.rows, after: after.rows };
}

/** Hides unchanged rows by default. */
async function arranged(compared: ComparedResults) {
  const { data, columns, outcome, summary } = compared;
  const { unchanged } = summary.counts;
  const shown = [changesOnly];
  if (unchanged === 0) return { rows: { data, columns, outcome }, shown: [] };
  const viewRowCount = await data.ask('sortAndFilter', { sort: [], filters: shown });
  return { rows: { data, columns, outcome: { ...outcome, viewRowCount } }, shown };
}

function wordsOf(
  { before, after }: Sides,
  { summary }: ComparedResults,
  { pairs, keys }: { readonly pairs: ColumnPairs; readonly keys: readonly string[] },
): ComparisonState {
  return {
    before: before.words,
    after: after.words,
    counts: summary.counts,
    keys: keyPlaces(pairs.pairs, keys).map((place) => place + leadingColumns),
    beforeColumns: Object.fromEntries(
      summary.beforeColumns.flatMap((column, place) =>
        column === undefined ? [] : [[place + leadingColumns, column]],
      ),
    ),
    notes: comparisonNotes(summary, pairs, keys),
  };
}
