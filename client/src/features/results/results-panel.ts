/**
 * The host's half of one result panel: the results it holds, the one it shows, and the answers to what its webview
 * asks. It knows a port to post through, not the editor, so that tests run it against a real browser.
 */
import { Answering } from '../../../../core/src/questions/answering.ts';
import { ResultDisposedError } from '../../../../core/src/rows/result-data.ts';
import type { CopyFormat } from '../../../../core/src/rows/files/text-writer.ts';
import type { CellRange } from '../../../../core/src/rows/rows.ts';
import type {
  HostMessage,
  PanelCommand,
  PanelMessage,
  PanelTool,
} from '../../../../panel-protocol/messages.ts';
import { isStillTrue, type PanelBody, type Subject } from '../../../../panel-protocol/panel-questions.ts';
import { answerPanel, sizeOfRange } from './panel-answers.ts';
import type { PanelServices } from './panel-services.ts';
import type { Result } from './result.ts';

/** What the page wants done with a result. */
type ResultCommand = Extract<PanelCommand, { readonly result: string }>;

/** Rows of the first block, sent unasked so that the first paint needs no question. */
const firstBlockRows = 100;
const firstBlockColumns = 32;

export class ResultsPanel {
  readonly #services: PanelServices;
  readonly #results: Result[] = [];
  #shown: Result | undefined;
  #port: ((message: HostMessage) => void) | undefined;
  #isReady = false;
  #isFocusWanted = false;
  #firstBlockSent = '';
  /** What the page selected; no range where that is no cell. */
  #selection: { readonly of: Subject; readonly range: CellRange | undefined } | undefined;
  readonly #answering: Answering<PanelBody>;

  constructor(services: PanelServices) {
    this.#services = services;
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

  /** Connects a webview. It is sent everything when it says that it is ready, which it does each time it is loaded. */
  attach(post: (message: HostMessage) => void): void {
    this.#port = post;
    this.#isReady = false;
  }

  detach(): void {
    this.#port = undefined;
    this.#isReady = false;
    this.#answering.forget();
  }

  /** Adds a result behind the others; it is shown when nothing else is. */
  add(result: Result): void {
    this.#results.push(result);
    this.#shown ??= result;
    this.draw();
  }

  show(result: Result): void {
    if (!this.#results.includes(result)) this.#results.push(result);
    if (this.#shown === result) return;
    this.#services.selected(undefined);
    this.#shown = result;
    this.#firstBlockSent = '';
    this.draw();
  }

  /** @returns whether the result was here. */
  remove(result: Result): boolean {
    const at = this.#results.indexOf(result);
    if (at < 0) return false;
    this.#results.splice(at, 1);
    if (this.#shown === result) {
      this.#shown = this.#results[Math.min(at, this.#results.length - 1)];
      this.#firstBlockSent = '';
    }
    result.dispose();
    this.draw();
    return true;
  }

  /** Copies what is selected in the page. */
  copySelection(format: CopyFormat, withHeaders: boolean): void {
    this.#post({ kind: 'copySelection', format, withHeaders });
  }

  /** Cells that are selected in the page, two at least. */
  selectionOf(result: Result): CellRange | undefined {
    const range = this.areaOf(result);
    return range !== undefined && sizeOfRange(range) > 1 ? range : undefined;
  }

  /** Cells that are selected in the page, one at least. */
  areaOf(result: Result): CellRange | undefined {
    const selection = this.#selection;
    const isKnown = selection !== undefined && isStillTrue('selection', selection.of, subjectOf(result));
    return isKnown ? selection.range : firstCellOf(result);
  }

  /** Opens a part of the page; nothing when no rows are shown. */
  showTool(tool: PanelTool): void {
    this.#post({ kind: 'show-tool', tool });
    this.focus();
  }

  /** Puts the keyboard into the panel, as soon as it is there. */
  focus(): void {
    if (this.#isReady) this.#post({ kind: 'focus' });
    else this.#isFocusWanted = true;
  }

  /** Sends the present state; cheap enough for every change. */
  draw(): void {
    if (!this.#isReady) return;
    const result = this.#shown;
    this.#post({ kind: 'show', tabs: this.#results.map((one) => one.tab()), view: result?.view() });
    if (result !== undefined) void this.#sendFirstBlock(result);
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

  /** Takes one message of the webview, already checked. Resolves when it has been answered. */
  async receive(message: PanelMessage): Promise<void> {
    if (message.kind === 'ready') {
      this.#answering.forget();
      this.#isReady = true;
      this.#firstBlockSent = '';
      this.draw();
      if (this.#isFocusWanted) this.focus();
      this.#isFocusWanted = false;
      return;
    }
    if (message.kind === 'ask' || message.kind === 'stop') {
      await this.#answering.receive(message);
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

  /** Only as long as the answer is true of what is shown: the one place where that is looked at. */
  async #answer({ of, asked }: PanelBody, signal: AbortSignal): Promise<unknown> {
    const result = this.#results.find((one) => one.id === of.result);
    if (result === undefined) throw new ResultDisposedError();
    const check = () => {
      signal.throwIfAborted();
      if (!isStillTrue(asked.question, of, subjectOf(result))) throw new ResultDisposedError();
    };
    check();
    const select = (range: CellRange | undefined) => {
      this.#selection = { of, range };
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
      case 'openRecord':
        this.#services.openRecord(message.globalId);
        return;
      case 'savePicture':
        await this.#services.savePicture(result, message);
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
        result.actions?.load(message.all);
        return;
      case 'showDetails':
        this.#showDetails(result);
        return;
      case 'step':
        result.actions?.step(message.step);
        return;
      case 'submit':
        result.actions?.submit(message.values);
        return;
      case 'form':
        result.actions?.form(message.request);
        return;
      default:
        result.actions?.[message.kind]();
    }
  }

  #showDetails({ state }: Result): void {
    const failed = state.kind === 'rows' ? state.loading : state;
    if (failed.kind === 'failed' && failed.failure.details !== undefined)
      this.#services.showDetails(failed.failure.details);
  }

  #report(what: string, error: unknown): void {
    // Closing or replacing a result ends its questions: expected.
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

/** What is selected before a person selects anything. */
function firstCellOf({ state, shownColumns }: Result): CellRange | undefined {
  if (state.kind !== 'rows' || state.viewRowCount === 0 || state.columns.length === 0) return undefined;
  return { firstRow: 0, lastRow: 0, columns: [shownColumns[0] ?? 0] };
}

function subjectOf({ id, run, generation }: Result): Subject {
  return { result: id, run, generation };
}
