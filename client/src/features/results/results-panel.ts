/**
 * The host's half of one result panel: the results it holds, the one it shows, and the answers to what its webview
 * asks. It knows a port to post through, not the editor, so that tests run it against a real browser.
 */
import type { FailureDetails } from '../../../../core/src/util/failure-details.ts';
import type { Translate } from '../../../../core/src/util/translate.ts';
import { copiedWords } from './copied-words.ts';
import { ResultDisposedError } from '../../../../core/src/rows/result-data.ts';
import type { Aggregate, CellRange, ColumnFilter, SortKey } from '../../../../core/src/rows/rows.ts';
import type { CopyFormat, TextOptions } from '../../../../core/src/rows/files/text-writer.ts';
import { Latest } from './latest.ts';
import type { HostMessage, PanelMessage, PanelTool } from '../../../../panel-protocol/messages.ts';
import type { Result, ResultActions } from './result.ts';

export interface PanelServices {
  readonly copy: (text: string) => Promise<void>;
  readonly failed: (what: string, error: unknown) => void;
  /** How cells are written, by the settings. */
  readonly textOptions: (result: Result) => Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName'>;
  /** Asks what and where to, then writes a file; failures are shown by it. */
  readonly export: () => void;
  /** Asks where to, then writes the file; failures are shown by it. */
  readonly savePicture: (
    result: Result,
    picture: { readonly format: 'png' | 'svg'; readonly content: string },
  ) => Promise<void>;
  /** Filters and an order into the query itself; failures are shown by it. */
  readonly addToQuery: (
    result: Result,
    added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
  ) => Promise<void>;
  /** What a global id names, in a few words; undefined when nobody knows now. */
  readonly identify: (globalId: string) => Promise<string | undefined>;
  /** Opens the record of a global id; failures are shown by it. */
  readonly openRecord: (globalId: string) => void;
  /** Opens what is known of a failed request. */
  readonly showDetails: (details: FailureDetails) => void;
  /** Of the editor, for words and numbers. */
  readonly language: string;
  readonly translate: Translate;
  /** What is selected now; undefined for one cell or none. */
  readonly selected: (aggregate: Aggregate | undefined) => void;
}

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
  #selection: { readonly result: Result; readonly generation: number; readonly range: CellRange } | undefined;
  readonly #charts = new Latest();
  readonly #findings = new Latest();
  readonly #aggregations = new Latest();

  constructor(services: PanelServices) {
    this.#services = services;
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
    const isPresent = selection?.result === result && selection.generation === result.generation;
    return isPresent ? selection.range : undefined;
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
    const columns = state.columns.map((_, column) => column).slice(0, firstBlockColumns);
    await this.#sendWindow(result, { firstRow: 0, rowCount: firstBlockRows, columns });
  }

  async #sendWindow(
    result: Result,
    request: { readonly firstRow: number; readonly rowCount: number; readonly columns: readonly number[] },
  ): Promise<void> {
    const { run, generation, data } = result;
    if (data === undefined) return;
    try {
      const window = await data.ask('window', request);
      if (result.run === run) this.#post({ kind: 'window', result: result.id, run, generation, window });
    } catch (error) {
      this.#report('show rows', error);
    }
  }

  /** Takes one message of the webview, already checked. Resolves when it has been answered. */
  async receive(message: PanelMessage): Promise<void> {
    if (message.kind === 'ready') {
      this.#isReady = true;
      this.#firstBlockSent = '';
      this.draw();
      if (this.#isFocusWanted) this.focus();
      this.#isFocusWanted = false;
      return;
    }
    try {
      if (message.kind === 'copyText') {
        await this.#services.copy(message.text);
        this.#post({ kind: 'notice', text: 'Copied' });
        return;
      }
      const result = this.#results.find((one) => one.id === message.result);
      if (result !== undefined) await this.#answer(result, message);
    } catch (error) {
      this.#report(message.kind, error);
    }
  }

  async #answer(
    result: Result,
    message: Exclude<PanelMessage, { kind: 'ready' | 'copyText' }>,
  ): Promise<void> {
    switch (message.kind) {
      case 'window':
        if (message.run === result.run && message.generation === result.generation) {
          await this.#sendWindow(result, message);
        }
        return;
      case 'cell': {
        if (message.generation !== result.generation) return;
        const value = await result.data?.ask('cell', message);
        if (value === undefined) return;
        this.#post({ kind: 'cell', result: result.id, row: message.row, column: message.column, value });
        return;
      }
      case 'records':
        if (message.generation === result.generation) await this.#sendRecords(result, message.rows);
        return;
      case 'sortAndFilter':
        await result.sortAndFilter(message);
        return;
      case 'values': {
        const values = await result.data?.ask('values', message);
        if (values !== undefined)
          this.#post({ kind: 'values', result: result.id, column: message.column, values });
        return;
      }
      case 'find': {
        const answer = await result.data?.ask('find', message, { signal: this.#findings.next() });
        if (answer !== undefined)
          this.#post({ kind: 'found', result: result.id, question: message.question, answer });
        return;
      }
      case 'chart': {
        const { generation } = result;
        const data = await result.data?.ask('chart', message.spec, { signal: this.#charts.next() });
        if (data !== undefined && generation === result.generation)
          this.#post({ kind: 'chart', result: result.id, spec: message.spec, data });
        return;
      }
      case 'identify': {
        const { globalId } = message;
        const words = await this.#services.identify(globalId);
        this.#post({ kind: 'identified', result: result.id, globalId, words });
        return;
      }
      case 'openRecord':
        this.#services.openRecord(message.globalId);
        return;
      case 'savePicture':
        await this.#services.savePicture(result, message);
        return;
      case 'layout':
        if (message.run === result.run) result.shownColumns = message.columns;
        return;
      case 'export':
        this.#services.export();
        return;
      case 'addToQuery':
        await this.#services.addToQuery(result, message);
        return;
      case 'selection':
        await this.#selected(result, message);
        return;
      case 'copy':
        if (message.generation === result.generation) await this.#copy(result, message);
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
        act(result.actions, message.kind);
    }
  }

  #showDetails({ state }: Result): void {
    const failed = state.kind === 'rows' ? state.loading : state;
    if (failed.kind === 'failed' && failed.failure.details !== undefined)
      this.#services.showDetails(failed.failure.details);
  }

  async #sendRecords(result: Result, rows: readonly number[]): Promise<void> {
    const { run, generation, data } = result;
    if (data === undefined) return;
    const records = await data.ask('records', { rows });
    if (run === result.run && generation === result.generation)
      this.#post({ kind: 'records', result: result.id, records });
  }

  /** What is known of the selected cells; one cell says all of itself already. */
  async #selected(result: Result, message: Extract<PanelMessage, { kind: 'selection' }>): Promise<void> {
    const signal = this.#aggregations.next();
    const { firstRow, lastRow, columns } = message;
    this.#selection = undefined;
    const range = { firstRow, lastRow, columns };
    const cells = sizeOfRange(range);
    const isPresent = message.generation === result.generation && result.data !== undefined;
    if (isPresent && cells > 0) this.#selection = { result, generation: message.generation, range };
    if (result.data === undefined || !isPresent || cells < 2) {
      this.#services.selected(undefined);
      return;
    }
    const aggregate = await result.data.ask('aggregate', range, { signal });
    this.#services.selected(aggregate);
    this.#post({ kind: 'aggregate', result: result.id, range, aggregate });
  }

  async #copy(result: Result, message: Extract<PanelMessage, { kind: 'copy' }>): Promise<void> {
    const { format, withHeaders } = message;
    const text = await result.data?.ask('copy', {
      range: message,
      options: { format, withHeaders, ...this.#services.textOptions(result) },
    });
    if (text === undefined) return;
    await this.#services.copy(text);
    const rows = message.lastRow - message.firstRow + 1;
    const columns = message.columns.length;
    const what = copiedWords({ rows, columns, withNames: message.withHeaders }, this.#services);
    this.#post({ kind: 'notice', text: what });
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

type Action = Exclude<
  keyof ResultActions,
  'submit' | 'form' | 'load' | 'editQuery' | 'step' | 'end' | 'facts'
>;

function act(actions: ResultActions | undefined, action: Action): void {
  actions?.[action]();
}

function sizeOfRange({ firstRow, lastRow, columns }: CellRange): number {
  return (lastRow - firstRow + 1) * columns.length;
}
