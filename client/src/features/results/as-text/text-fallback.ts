/** Opens rows as text if the panel's page does not load, so that a run never ends without a visible result. */
import * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ResultsPanel } from '../panel/results-panel.ts';
import { isLoading, type Result } from '../result.ts';
import type { TextDocuments } from './text-documents.ts';

export class TextFallback {
  readonly #texts: TextDocuments;
  readonly #log: Logger;
  /** Panels whose page failed to load. */
  readonly #stuck = new Set<ResultsPanel>();
  /** The last run of each result that was opened as text. */
  readonly #opened = new WeakMap<Result, number>();
  #isTold = false;

  constructor(texts: TextDocuments, log: Logger) {
    this.#texts = texts;
    this.#log = log;
  }

  /** Called when a panel's page did not load in time. */
  begin(panel: ResultsPanel): void {
    this.#stuck.add(panel);
    if (panel.shown !== undefined) void this.#open(panel.shown);
    if (this.#isTold) return;
    this.#isTold = true;
    const message = vscode.l10n.t(
      'The result panel does not open in this window. Until it does, rows open as text.',
    );
    void presentFailure(
      this.#log,
      'result panel',
      new ExpectedError(message, [
        { title: vscode.l10n.t('Reload Window'), command: 'workbench.action.reloadWindow' },
        { title: vscode.l10n.t('Show Log'), command: commands.logShow },
      ]),
    );
  }

  /** Called when the page has loaded after all, or the panel is gone. */
  end(panel: ResultsPanel): void {
    this.#stuck.delete(panel);
  }

  update(result: Result): void {
    if ([...this.#stuck].some((panel) => panel.results.includes(result))) void this.#open(result);
  }

  async #open(result: Result): Promise<void> {
    const { state, run } = result;
    // A text document cannot grow, so it is opened once all requested rows are loaded.
    if (state.kind !== 'rows' || isLoading(state) || this.#opened.get(result) === run) return;
    this.#opened.set(result, run);
    try {
      const isShown = await this.#texts.show(result, {
        preserveFocus: true,
        viewColumn: vscode.ViewColumn.Beside,
      });
      if (isShown) this.#log.info('the rows were opened as a text instead');
    } catch (error) {
      this.#log.error(`rows as text failed: ${errorName(error)}`);
    }
  }
}
