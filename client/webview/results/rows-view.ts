/** The rows of a result: grid, cell inspector, and a footer that says truthfully what is here and what is not. */
import type { HostMessage, ResultView, RowsState } from '../../src/features/results/messages.ts';
import type { SortKey } from '../../src/features/results/data/rows.ts';
import type { CopyFormat } from '../../src/features/results/data/serialize.ts';
import type { Body } from './body.ts';
import { CellInspector } from './cell-inspector.ts';
import { button, element, holdsFocus } from './dom.ts';
import { count, duration, number } from './format.ts';
import { ResultGrid, type GridSource } from './grid/grid.ts';
import { rectangleOf, sizeOf } from './grid/selection.ts';
import type { Host } from './host.ts';

export class RowsView implements Body {
  readonly element = element('div', { class: 'rows-view' });
  readonly #host: Host;
  readonly #say: (text: string) => void;
  readonly #grid: ResultGrid;
  readonly #split: HTMLElement;
  readonly #inspector: CellInspector;
  readonly #footerFacts = element('div', { class: 'footer-facts', role: 'status' });
  readonly #footerSelection = element('div', { class: 'footer-selection' });
  readonly #onCopy = (event: ClipboardEvent) => this.#copyEvent(event);
  #view: ResultView;
  #state: RowsState;
  #rememberTimer = 0;
  #drawnFacts = '';
  #isPeeking = false;

  constructor(
    view: ResultView,
    state: RowsState,
    deps: { readonly host: Host; readonly say: (text: string) => void },
  ) {
    this.#view = view;
    this.#state = state;
    this.#host = deps.host;
    this.#say = deps.say;
    this.#grid = new ResultGrid(`Rows of ${view.header.title}`, sourceOf(state), {
      ask: (request) =>
        this.#host.send({
          kind: 'window',
          result: view.id,
          run: view.run,
          generation: this.#state.generation,
          firstRow: request.firstRow,
          rowCount: request.rowCount,
          columns: [...request.columns],
        }),
      sortBy: (column, isAdded) => this.#sortBy(column, isAdded),
      copy: (withHeaders) => this.copy({ format: 'tsv', withHeaders }),
      peek: () => this.#setPeeking(true),
      leave: () => {
        if (this.#isPeeking) this.#setPeeking(false);
      },
      changed: () => this.#changed(),
    });
    this.#inspector = new CellInspector({
      close: () => {
        this.#setPeeking(false);
        this.#grid.focus();
      },
      copy: (text) => this.#host.send({ kind: 'copyText', text }),
    });
    // The editor's own context menu asks for this attribute; what it offers is in package.json.
    this.#grid.element.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: 'identityQueries.cells',
      preventDefaultContextMenuItems: true,
    });
    this.#split = element('div', { class: 'rows-split' }, this.#grid.element);
    if (state.rowCount === 0 && state.isComplete) this.#split.append(noRows(view.header.origin !== 'rows'));
    this.element.append(
      this.#split,
      element('footer', { class: 'footer' }, this.#footerFacts, this.#footerSelection),
    );
    document.addEventListener('copy', this.#onCopy);
    this.#drawFooter();
  }

  attached(): void {
    const memory = this.#host.remembered(this.#view.id);
    const isSameColumns = memory?.columns === signatureOf(this.#state);
    const isSameRun = isSameColumns && memory.run === this.#view.run;
    this.#grid.restore({
      widths: isSameColumns ? memory.widths : {},
      top: isSameRun ? memory.top : 0,
      left: isSameRun ? memory.left : 0,
      selection: isSameRun ? memory.selection : undefined,
    });
    if (isSameRun && memory.isPeeking) this.#setPeeking(true);
  }

  update(view: ResultView): boolean {
    if (view.state.kind !== 'rows') return false;
    const wasEmpty = this.#state.rowCount === 0;
    if (wasEmpty !== (view.state.rowCount === 0)) return false;
    const isReordered = view.state.generation !== this.#state.generation;
    this.#view = view;
    this.#state = view.state;
    this.element.classList.toggle('is-sorting', view.state.isSorting);
    this.#grid.update(sourceOf(view.state));
    this.#drawFooter();
    if (isReordered) {
      this.#say(sortWords(view.state));
      if (this.#isPeeking) this.#inspect();
    }
    return true;
  }

  put(message: Extract<HostMessage, { kind: 'window' }>): void {
    const isMine = message.result === this.#view.id && message.run === this.#view.run;
    if (isMine && message.generation === this.#state.generation) this.#grid.put(message.window);
  }

  putCell(message: Extract<HostMessage, { kind: 'cell' }>): void {
    const { row, column } = this.#grid.selection.active;
    if (message.result !== this.#view.id || message.row !== row || message.column !== column) return;
    const shown = this.#state.columns[column];
    if (shown !== undefined) this.#inspector.show({ column: shown, row, value: message.value });
  }

  focus(): void {
    this.#grid.focus();
  }

  dispose(): void {
    this.#remember();
    window.clearTimeout(this.#rememberTimer);
    document.removeEventListener('copy', this.#onCopy);
    this.#grid.dispose();
  }

  #sortBy(column: number, isAdded: boolean): void {
    if (!this.#state.isComplete) {
      this.#say(
        'Not all rows are here, so their order would mislead. Load all rows, or add ORDER BY to the query.',
      );
      return;
    }
    const before = this.#state.sort;
    const present = before.find((key) => key.column === column);
    // Ascending, descending, then as the service sent them.
    const next: SortKey[] =
      present === undefined
        ? [{ column, descending: false }]
        : present.descending
          ? []
          : [{ column, descending: true }];
    const keys = isAdded ? [...before.filter((key) => key.column !== column), ...next] : next;
    this.#host.send({ kind: 'sort', result: this.#view.id, keys });
  }

  #copyEvent(event: ClipboardEvent): void {
    if (document.activeElement !== this.#grid.element) return;
    event.preventDefault();
    this.copy({ format: 'tsv', withHeaders: false });
  }

  /** Has the host copy what is selected. */
  copy(options: { readonly format: CopyFormat; readonly withHeaders: boolean }): void {
    const { rows, columns } = sizeOf(this.#grid.selection);
    const area = rectangleOf(this.#grid.selection);
    if (rows === 0 || columns === 0) {
      // On a column header: its name.
      const name = this.#state.columns[area.firstColumn]?.name;
      if (name !== undefined) this.#host.send({ kind: 'copyText', text: name });
      return;
    }
    this.#host.send({
      kind: 'copy',
      result: this.#view.id,
      generation: this.#state.generation,
      firstRow: area.firstRow,
      lastRow: area.lastRow,
      columns: Array.from({ length: columns }, (_, index) => area.firstColumn + index),
      format: options.format,
      withHeaders: options.withHeaders,
    });
  }

  #setPeeking(isPeeking: boolean): void {
    this.#isPeeking = isPeeking;
    if (isPeeking) {
      this.#split.append(this.#inspector.element);
      this.#grid.revealActive();
      this.#inspect();
    } else {
      this.#inspector.element.remove();
    }
    this.#changed();
  }

  #inspect(): void {
    const { row, column } = this.#grid.selection.active;
    if (row < 0) return;
    this.#host.send({ kind: 'cell', result: this.#view.id, generation: this.#state.generation, row, column });
  }

  #changed(): void {
    this.#drawSelection();
    if (this.#isPeeking && !this.#inspector.isFor(this.#grid.selection.active)) this.#inspect();
    window.clearTimeout(this.#rememberTimer);
    this.#rememberTimer = window.setTimeout(() => this.#remember(), 100);
  }

  #remember(): void {
    this.#host.remember(this.#view.id, {
      ...this.#grid.look,
      run: this.#view.run,
      columns: signatureOf(this.#state),
      isPeeking: this.#isPeeking,
    });
  }

  #drawSelection(): void {
    const { rows, columns } = sizeOf(this.#grid.selection);
    const { row } = this.#grid.selection.active;
    const text =
      rows * columns > 1
        ? `${number(rows)} × ${number(columns)} selected`
        : row >= 0 && this.#state.rowCount > 0
          ? `Row ${number(row + 1)}`
          : '';
    if (this.#footerSelection.textContent !== text) this.#footerSelection.textContent = text;
  }

  #drawFooter(): void {
    this.#drawSelection();
    const state = this.#state;
    const stamp = JSON.stringify(state);
    if (stamp === this.#drawnFacts) return;
    this.#drawnFacts = stamp;
    const hadFocus = holdsFocus(this.#footerFacts);
    const parts: (Node | string)[] = [element('span', { class: 'row-count' }, rowsWords(state))];
    const load = (all: boolean) => () => this.#host.send({ kind: 'load', result: this.#view.id, all });
    const { loading } = state;
    if (loading.kind === 'failed') {
      parts.push(element('span', { class: 'footer-problem', role: 'alert' }, loading.failure.message));
    }
    if (loading.kind === 'page' || loading.kind === 'all') {
      const stop = () => this.#host.send({ kind: 'cancel', result: this.#view.id });
      parts.push(
        element('span', { class: 'footer-busy' }, loading.note ?? 'Loading…'),
        button(this.#view.header.origin === 'rows' ? 'Pause' : 'Stop', stop, { kind: 'link' }),
      );
    } else if (!state.isComplete) {
      parts.push(button('Load more', load(false), { kind: 'link' }));
      if (!state.isAtLimit) parts.push(button('Load all', load(true), { kind: 'link' }));
    }
    parts.push(element('span', { class: 'times' }, timeWords(state)));
    this.#footerFacts.replaceChildren(...parts);
    if (hadFocus) (this.#footerFacts.querySelector('button') ?? this.#grid.element).focus();
  }
}

function sourceOf(state: RowsState): GridSource {
  return {
    columns: state.columns,
    rowCount: state.rowCount,
    totalRows: state.isComplete ? state.rowCount : state.totalRows,
    generation: state.generation,
    sort: state.sort,
  };
}

function signatureOf(state: RowsState): string {
  return JSON.stringify(state.columns.map((column) => [column.name, column.type]));
}

/** Never claims more than is known: whether there is more, and how much, as far as the service said. */
export function rowsWords(state: RowsState): string {
  if (state.isComplete) return count(state.rowCount, 'row');
  const limit = state.isAtLimit ? ', stopped at the limit of the settings' : '';
  if (state.totalRows !== undefined)
    return `${number(state.rowCount)} of ${count(state.totalRows, 'row')}${limit}`;
  return `${count(state.rowCount, 'row')}, more on the service${limit}`;
}

function timeWords(state: RowsState): string {
  const first = `first rows ${duration(state.firstRowsMs)}`;
  const time = new Date(state.finishedAt).toLocaleTimeString();
  const total = state.totalMs === state.firstRowsMs ? '' : ` · all ${duration(state.totalMs)}`;
  return `${state.totalMs === state.firstRowsMs ? duration(state.totalMs) : first}${total} · ${time}`;
}

function sortWords(state: RowsState): string {
  if (state.sort.length === 0) return 'Rows in the order of the service';
  const keys = state.sort.map(
    (key) => `${state.columns[key.column]?.name ?? ''} ${key.descending ? 'descending' : 'ascending'}`,
  );
  return `Sorted by ${keys.join(', then ')}`;
}

function noRows(isQuery: boolean): HTMLElement {
  return element(
    'div',
    { class: 'no-rows' },
    element('p', { class: 'no-rows-title' }, '0 rows'),
    element('p', {}, isQuery ? 'The query ran. Nothing matches it.' : 'Nothing is there.'),
  );
}
