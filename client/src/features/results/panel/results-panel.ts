/**
 * The host side of one result panel: its results, the visible result, and the answers to its webview. Uses a message
 * port rather than the editor, so tests can run it against a real browser.
 */
import { Answering } from '#core/questions/answering.ts';
import { namedRecordId } from '#core/records/record-id.ts';
import type { CopyFormat } from '#core/rows/files/text-writer.ts';
import { ResultDisposedError } from '#core/rows/result-data.ts';
import type { CellRange } from '#core/rows/rows.ts';
import type { HostMessage, PanelCommand, PanelMessage, PanelTool } from '#panel-protocol/messages.ts';
import { isStillTrue, type PanelBody, type Subject } from '#panel-protocol/panel-questions.ts';
import type { Result } from '../result.ts';
import { answerPanel, sizeOfRange } from './panel-answers.ts';
import type { PanelServices } from './panel-services.ts';

/** The page's requests for a result. */
type ResultCommand = Extract<PanelCommand, { readonly result: string }>;

/** Number of rows sent with the state, so that the first paint does not need a request. */
const firstBlockRows = 100;
const firstBlockColumns = 32;

export class ResultsPanel {
  readonly #services: PanelServices;
  readonly #isNamed: boolean;
  readonly #results: Result[] = [];
  #shown: Result | undefined;
  #port: ((message: HostMessage) => void) | undefined;
  #isReady = false;
  /** Sent as soon as the page has loaded and drawn the state; at most one message of each kind. */
  readonly #waiting = new Map<HostMessage['kind'], HostMessage>();
  #firstBlockSent = '';
  /** Results whose look the page knows. */
  readonly #lookSent = new Set<Result>();
  /** The page's selection; `range` is undefined if it is not a range of cells. */
  #selection:
    | { readonly of: Subject; readonly range: CellRange | undefined; readonly isCovered: boolean }
    | undefined;
  readonly #answering: Answering<PanelBody>;

  /** @param isNamed whether the editor's tab has the result's name, so that the page need not repeat it. */
  constructor(services: PanelServices, { isNamed = false } = {}) {
    this.#services = services;
    this.#isNamed = isNamed;
    this.#answering = new Answering({
      post: (message) => this.#post(message),
      answer: (body, { signal }) => this.#answer(body, signal),
      failed: (error, { asked }) => this.#report(asked.question, error),
    });
  }

  get results(): readonly Result[] {
    return this.#results;
  }

  get shown(): Result | undefined {
    return this.#shown;
  }

  /** Connects a webview, which receives the whole state each time it has loaded. */
  attach(post: (message: HostMessage) => void): void {
    this.#port = post;
    this.#isReady = false;
  }

  detach(): void {
    this.#port = undefined;
    this.#isReady = false;
    this.#answering.forget();
  }

  /** Called when the editor unloads the page to hide it. The page announces itself when it is loaded again. */
  unload(): void {
    this.#isReady = false;
    // Whatever the page was to do is outdated: it must not take the focus when it is shown again, minutes later.
    this.#waiting.clear();
  }

  /** Called when the user goes on to another tab. A page that loads only now must not take the focus back. */
  leave(): void {
    this.#waiting.delete('focus');
    this.#waiting.delete('show-tool');
  }

  /** Appends a result, and shows it if it is the only one. */
  add(result: Result): void {
    this.#results.push(result);
    this.#shown ??= result;
    this.draw();
  }

  show(result: Result): void {
    result.shownAt = performance.now();
    if (!this.#results.includes(result)) this.#results.push(result);
    if (this.#shown === result) return;
    this.#shown = result;
    this.#firstBlockSent = '';
    this.draw();
  }

  /** Removes a result. @returns whether the panel contained it. */
  remove(result: Result): boolean {
    const wasHere = this.release(result);
    if (wasHere) result.dispose();
    return wasHere;
  }

  /** Removes a result without disposing it, so that it can move to another panel. @returns whether the panel had it. */
  release(result: Result): boolean {
    const at = this.#results.indexOf(result);
    if (at < 0) return false;
    this.#results.splice(at, 1);
    this.#lookSent.delete(result);
    if (this.#shown === result) {
      this.#shown = this.#results[Math.min(at, this.#results.length - 1)];
      this.#firstBlockSent = '';
    }
    this.draw();
    return true;
  }

  copySelection(format: CopyFormat, withHeaders: boolean): void {
    this.#postOnceReady({ kind: 'copySelection', format, withHeaders });
  }

  /** Returns the selected cells if there are at least two. */
  selectionOf(result: Result): CellRange | undefined {
    const range = this.areaOf(result);
    return range !== undefined && sizeOfRange(range) > 1 ? range : undefined;
  }

  /** Returns the selected cells if there is at least one. */
  areaOf(result: Result): CellRange | undefined {
    const selection = this.#selectionIn(result);
    return selection === undefined ? firstCellOf(result) : selection.range;
  }

  /** Whether a chart covers the rows, so that no cells are selected. */
  isCovered(result: Result): boolean {
    return this.#selectionIn(result)?.isCovered === true;
  }

  #selectionIn(result: Result) {
    const selection = this.#selection;
    const isKnown = selection !== undefined && isStillTrue('selection', selection.of, subjectOf(result));
    return isKnown ? selection : undefined;
  }

  /**
   * Opens one of the page's tools, such as filters; does nothing if there are no rows.
   * @param replaces the result that new groups replace.
   */
  showTool(tool: PanelTool, replaces?: string): void {
    // The tool takes the focus, so the rows must not get it afterwards.
    this.focus();
    this.#postOnceReady({ kind: 'show-tool', tool, replaces });
  }

  /** Focuses the panel, once it has loaded. */
  focus(): void {
    this.#postOnceReady({ kind: 'focus' });
  }

  #postOnceReady(message: HostMessage): void {
    if (this.#isReady) this.#post(message);
    else this.#waiting.set(message.kind, message);
  }

  /** Sends the current state. Cheap enough to call on every change. */
  draw(): void {
    if (!this.#isReady) return;
    const result = this.#shown;
    this.#post({
      kind: 'show',
      tabs: this.#results.map((one) => one.tab()),
      view: result === undefined ? undefined : { ...result.view(), look: this.#newLookOf(result) },
      ...(this.#isNamed ? { isNamed: true } : {}),
    });
    if (result !== undefined) void this.#sendFirstBlock(result);
  }

  /** Returns the look that the page does not know yet: it has just loaded, or the result is from another panel. */
  #newLookOf(result: Result): string | undefined {
    if (this.#lookSent.has(result)) return undefined;
    this.#lookSent.add(result);
    return result.look;
  }

  async #sendFirstBlock(result: Result): Promise<void> {
    const { state } = result;
    if (state.kind !== 'rows' || state.rowCount === 0) return;
    const stamp = `${result.id}/${result.run}/${state.generation}`;
    if (this.#firstBlockSent === stamp) return;
    this.#firstBlockSent = stamp;
    const of = subjectOf(result);
    const columns = state.columns.map((_, column) => column).slice(0, firstBlockColumns);
    try {
      const window = await result.data?.ask('window', { firstRow: 0, rowCount: firstBlockRows, columns });
      if (window !== undefined && isStillTrue('window', of, subjectOf(result)))
        this.#post({ kind: 'first-rows', of, window });
    } catch (error) {
      this.#report('show rows', error);
    }
  }

  /** Handles one validated message from the webview. Resolves once it has been answered. */
  async receive(message: PanelMessage): Promise<void> {
    if (message.kind === 'ready') {
      this.#answering.forget();
      this.#isReady = true;
      this.#firstBlockSent = '';
      this.#lookSent.clear();
      this.draw();
      for (const waiting of this.#waiting.values()) this.#post(waiting);
      this.#waiting.clear();
      return;
    }
    if (message.kind === 'ask' || message.kind === 'stop') {
      await this.#answering.receive(message);
      return;
    }
    if (message.kind === 'focused') {
      this.#services.focused();
      return;
    }
    try {
      if (message.kind === 'copyText') {
        await this.#services.copy(message.text);
        this.#post({ kind: 'notice', text: this.#services.translate('Copied') });
        return;
      }
      const result = this.#results.find((one) => one.id === message.result);
      if (result !== undefined) await this.#carryOut(result, message);
    } catch (error) {
      this.#report(message.kind, error);
    }
  }

  /** Answers a question. The only place that checks whether the answer still applies to the visible result. */
  async #answer({ of, asked }: PanelBody, signal: AbortSignal): Promise<unknown> {
    const result = this.#results.find((one) => one.id === of.result);
    if (result === undefined) throw new ResultDisposedError();
    const check = () => {
      signal.throwIfAborted();
      if (!isStillTrue(asked.question, of, subjectOf(result))) throw new ResultDisposedError();
    };
    check();
    const select = (range: CellRange | undefined, isCovered: boolean) => {
      this.#selection = { of, range, isCovered };
    };
    const answer = await answerPanel(asked, { result, services: this.#services, signal, select });
    check();
    return answer;
  }

  async #carryOut(result: Result, message: ResultCommand): Promise<void> {
    switch (message.kind) {
      case 'sortAndFilter':
        await result.sortAndFilter(message);
        return;
      case 'look':
        result.look = message.look;
        return;
      case 'openRecord':
        this.#services.openRecord(message.globalId, result);
        return;
      case 'group':
        await this.#services.group(result, message.grouping, message.replaces);
        return;
      case 'openRow':
        await this.#openRow(result, message);
        return;
      case 'savePicture':
        await this.#services.savePicture(result, message);
        return;
      case 'maximize':
        this.#services.maximize();
        return;
      case 'export':
        this.#services.export();
        return;
      case 'addToQuery':
        await this.#services.addToQuery(result, message);
        return;
      case 'select':
        this.show(result);
        return;
      case 'close':
        this.remove(result);
        return;
      case 'pin':
        result.togglePin();
        return;
      case 'load':
        result.actions?.load?.(message.all);
        return;
      case 'showDetails':
        this.#showDetails(result);
        return;
      case 'showEarlier':
        // Not if the run has rows by now.
        if (result.view().earlier !== undefined) result.restoreEarlier();
        return;
      case 'compareText':
        result.compareText();
        return;
      case 'whatChanged':
        this.#services.whatChanged(result);
        return;
      case 'step':
        result.actions?.step?.(message.step);
        return;
      case 'submit':
        result.actions?.submit?.(message.values);
        return;
      case 'form':
        result.actions?.form?.(message.request);
        return;
      default:
        result.actions?.[message.kind]?.();
    }
  }

  /** Shows the full value of the selected cell if its row is not a record. */
  async #openRow(
    result: Result,
    { row, column }: { readonly row: number; readonly column: number },
  ): Promise<void> {
    const { state, data } = result;
    if (state.kind !== 'rows' || data === undefined) return;
    const { columns } = state;
    const window = await data.ask('window', {
      firstRow: row,
      rowCount: 1,
      columns: columns.map((_, index) => index),
    });
    const cells = new Map(window.columns.map((one) => [one.column, one.cells[0] ?? null]));
    const rows = [columns.map((_, index) => cells.get(index) ?? null)];
    const globalId = namedRecordId({ columns, rows, firstColumn: column });
    if (globalId !== undefined) {
      this.#services.openRecord(globalId, result);
      return;
    }
    this.#post({ kind: 'show-tool', tool: 'cell' });
    const text = this.#services.translate('This row has no {0}, so it opens no record.', 'global_id');
    this.#post({ kind: 'notice', text });
  }

  #showDetails({ state }: Result): void {
    const failed = state.kind === 'rows' ? state.loading : state;
    if (failed.kind === 'failed' && failed.failure.details !== undefined)
      this.#services.showDetails(failed.failure.details);
  }

  #report(what: string, error: unknown): void {
    // Expected when a result is closed or replaced while a question is pending.
    if (error instanceof ResultDisposedError) return;
    if (error instanceof Error && error.name === 'AbortError') return;
    this.#services.failed(what, error);
    this.#post({
      kind: 'notice',
      text: error instanceof Error ? error.message : this.#services.translate('That did not work'),
    });
  }

  #post(message: HostMessage): void {
    if (this.#isReady) this.#port?.(message);
  }
}

/** Returns the initial selection, used until the user selects something. */
function firstCellOf({ state, shownColumns }: Result): CellRange | undefined {
  if (state.kind !== 'rows' || state.viewRowCount === 0 || state.columns.length === 0) return undefined;
  return { firstRow: 0, lastRow: 0, columns: [shownColumns[0] ?? 0] };
}

function subjectOf({ id, run, generation }: Result): Subject {
  return { result: id, run, generation };
}
