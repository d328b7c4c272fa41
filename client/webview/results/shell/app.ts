/** Draws the present result: tabs, header, one body for each state, and what is said for a moment. */
import type { PanelCommand, ResultView } from '../../../../panel-protocol/messages.ts';
import type { Body } from './body.ts';
import { element, holdsFocus } from '../ui/dom.ts';
import { drawHeader } from './header.ts';
import type { Host, HostEvent } from './host.ts';
import { drawMessage } from './message-views.ts';
import { closePopup } from '../ui/popup.ts';
import { ParameterForm } from '../parameters/parameter-form.ts';
import { RowsView } from './rows-view.ts';
import { drawTabs } from './tabs.ts';
import { t } from '../ui/l10n.ts';

export class App {
  readonly #host: Host;
  readonly #root: HTMLElement;
  readonly #tabs = element('nav', { class: 'tabs-place', aria: { label: t('Results') } });
  readonly #header = element('header', { class: 'header-place' });
  readonly #main = element('main', { class: 'body-place' });
  readonly #notice = element('div', { class: 'notice', role: 'status', aria: { live: 'polite' } });
  #body: Body | undefined;
  #shown: { readonly id: string; readonly run: number } | undefined;
  #drawnHeader = '';
  #drawnTabs = '';
  #noticeTimer = 0;

  constructor(root: HTMLElement, connect: (receive: (message: HostEvent) => void) => Host) {
    this.#root = root;
    this.#host = connect((message) => this.#receive(message));
  }

  start(): void {
    this.#root.replaceChildren(this.#tabs, this.#header, this.#main, this.#notice);
    this.#host.send({ kind: 'ready' });
  }

  #receive(message: HostEvent): void {
    switch (message.kind) {
      case 'show':
        this.#show(message);
        return;
      case 'first-rows':
        if (this.#body instanceof RowsView) this.#body.put(message);
        return;
      case 'show-tool':
        if (this.#body instanceof RowsView) this.#body.showTool(message.tool);
        return;
      case 'notice':
        this.#say(message.text);
        return;
      case 'copySelection':
        if (this.#body instanceof RowsView) this.#body.copy(message);
        return;
      case 'focus':
        this.#body?.focus();
        return;
      default:
        message satisfies never;
    }
  }

  #show({ tabs, view }: Extract<HostEvent, { kind: 'show' }>): void {
    const tabsStamp = JSON.stringify([tabs, view?.id]);
    if (tabsStamp !== this.#drawnTabs) {
      this.#drawnTabs = tabsStamp;
      drawTabs(this.#tabs, { tabs, shown: view?.id, send: (message) => this.#host.send(message) });
    }
    const headerStamp = JSON.stringify([
      view?.id,
      view?.header,
      view?.isPinned,
      view?.state.kind,
      ...outcomeOf(view),
    ]);
    if (headerStamp !== this.#drawnHeader) {
      this.#drawnHeader = headerStamp;
      drawHeader(this.#header, view, (message) => this.#host.send(message));
    }
    this.#drawBody(view);
  }

  #drawBody(view: ResultView | undefined): void {
    const isSameRun = view !== undefined && view.id === this.#shown?.id && view.run === this.#shown.run;
    if (isSameRun && this.#body?.update(view) === true) return;
    // Who was in the body stays in it when it is replaced, instead of being thrown to the top of the page.
    const hadFocus = holdsFocus(this.#main);
    closePopup();
    this.#body?.dispose();
    this.#shown = view === undefined ? undefined : { id: view.id, run: view.run };
    this.#body = view === undefined ? emptyBody() : this.#makeBody(view);
    this.#main.replaceChildren(this.#body.element);
    this.#body.attached?.();
    if (hadFocus) this.#body.focus();
  }

  #makeBody(view: ResultView): Body {
    const send = (command: PanelCommand) => this.#host.send(command);
    const { state } = view;
    switch (state.kind) {
      case 'rows':
        return new RowsView(view, state, { host: this.#host, say: (text) => this.#say(text) });
      case 'parameters':
        return new ParameterForm(view, state, send);
      default:
        return drawMessage(view, state, send);
    }
  }

  #say(text: string): void {
    this.#notice.textContent = text;
    this.#notice.classList.add('is-shown');
    window.clearTimeout(this.#noticeTimer);
    this.#noticeTimer = window.setTimeout(() => this.#notice.classList.remove('is-shown'), 4_000);
  }
}

/** What the header says of the rows. */
function outcomeOf(view: ResultView | undefined): readonly unknown[] {
  if (view?.state.kind !== 'rows') return [];
  const { rowCount, totalRows, isComplete, finishedAt, totalMs, filters, viewRowCount } = view.state;
  return [
    rowCount,
    totalRows,
    isComplete,
    finishedAt,
    totalMs,
    filters.length > 0 ? viewRowCount : undefined,
  ];
}

function emptyBody(): Body {
  return {
    element: element(
      'section',
      { class: 'message' },
      element('h2', {}, t('No result yet')),
      element('p', {}, t('Open a query and run it. The rows appear here, one result a document.')),
    ),
    update: () => false,
    focus: () => undefined,
    dispose: () => undefined,
  };
}
