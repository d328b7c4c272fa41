/** Renders the current result: tabs, header, one body per state, and short announcements. */
import type { PanelCommand, ResultView } from '#panel-protocol/messages.ts';
import { ParameterForm } from '../parameters/parameter-form.ts';
import { button, element, holdsFocus } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { closePopup } from '../ui/popup.ts';
import type { Body, Say } from './body.ts';
import { drawHeader, followFacts } from './header.ts';
import type { Host, HostEvent } from './host.ts';
import { drawMessage } from './message-views.ts';
import { createFooterPlace } from './rows-footer.ts';
import { RowsView } from './rows-view.ts';
import { drawTabs, followWidth } from './tabs.ts';

/** The click that gives the page the focus may arrive later than the focus. */
const clickWaitMs = 50;
/** How long a notice is shown; one with a button takes time to reach. */
const [noticeMs, remedyMs] = [4_000, 8_000];

export class App {
  readonly #host: Host;
  readonly #root: HTMLElement;
  /** Holds tabs and header on one line. */
  readonly #top = element('div', { class: 'top' });
  readonly #tabs = element('nav', { class: 'tabs-place', aria: { label: t('Results') } });
  readonly #header = element('header', { class: 'header-place' });
  readonly #main = element('main', { class: 'body-place' });
  readonly #notice = element('div', { class: 'notice', role: 'status', aria: { live: 'polite' } });
  readonly #footer = createFooterPlace(this.#notice);
  /** For screen readers only. */
  readonly #announcement = element('div', {
    class: 'announcement',
    role: 'status',
    aria: { live: 'polite' },
  });
  #body: Body | undefined;
  #shown: { readonly id: string; readonly run: number } | undefined;
  #isBusy = false;
  #drawnHeader = '';
  #drawnTabs = '';
  #noticeTimer = 0;
  #announcementTimer = 0;
  #focusTimer = 0;
  #isPointerDown = false;
  /** Whether the page received the focus before there was an element to focus. */
  #isFocusOwed = false;

  constructor(root: HTMLElement, connect: (receive: (message: HostEvent) => void) => Host) {
    this.#root = root;
    this.#host = connect((message) => this.#receive(message));
  }

  start(): void {
    this.#top.append(this.#tabs, this.#header);
    followWidth(this.#tabs);
    followFacts(this.#header);
    // What the page itself says until the first state is drawn.
    this.#main.append(...this.#root.querySelectorAll('.waiting'));
    // Appended, since the page's style stands here, too.
    this.#root.append(this.#top, this.#main, this.#footer.element, this.#announcement);
    // After keyboard navigation (F6, Focus on Results View), arrow keys and copying work immediately.
    window.addEventListener('focus', () => {
      if (isNowhere()) this.#body?.focus();
      this.#isFocusOwed = isNowhere();
      this.#tellFocused();
    });
    window.addEventListener('blur', () => (this.#isFocusOwed = false));
    window.addEventListener('pointerdown', () => this.#pointer(true), { capture: true });
    window.addEventListener('pointerup', () => this.#pointer(false), { capture: true });
    document.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
    this.#host.send({ kind: 'ready' });
  }

  #tellFocused(): void {
    clearTimeout(this.#focusTimer);
    if (this.#isPointerDown) return;
    this.#focusTimer = window.setTimeout(() => this.#host.send({ kind: 'focused' }), clickWaitMs);
  }

  #pointer(isDown: boolean): void {
    this.#isPointerDown = isDown;
    clearTimeout(this.#focusTimer);
  }

  /** Handles the keys of the query's editor, which the editor does not see while the page has focus. */
  #onKey(event: KeyboardEvent): void {
    if (this.#shown === undefined || event.shiftKey || event.altKey) return;
    const { id } = this.#shown;
    const isWithCtrl = event.ctrlKey && !event.metaKey;
    const isGoTo = event.key === 'F6' && isWithCtrl;
    const isRun =
      (event.key === 'F5' && !event.ctrlKey && !event.metaKey) ||
      (event.key === 'Enter' && event.ctrlKey !== event.metaKey);
    if (!isRun && !isGoTo) return;
    event.preventDefault();
    // Otherwise, F5 would also start debugging, for which the editor saves all documents.
    event.stopPropagation();
    // A form in front of the rows is what the key is meant for.
    const form = event.target instanceof Element ? event.target.closest('form') : null;
    if (isGoTo) this.#host.send({ kind: 'goToQuery', result: id });
    else if (event.repeat || this.#isBusy) return;
    else if (this.#body instanceof ParameterForm) this.#body.submit();
    else if (event.key === 'Enter' && form !== null) form.requestSubmit();
    else this.#host.send({ kind: 'runAgain', result: id });
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
        if (this.#body instanceof RowsView) this.#body.showTool(message.tool, message.replaces);
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

  #show({ tabs, view, isNamed = false }: Extract<HostEvent, { kind: 'show' }>): void {
    const tabsStamp = JSON.stringify([tabs, view?.id]);
    if (tabsStamp !== this.#drawnTabs) {
      this.#drawnTabs = tabsStamp;
      this.#top.classList.toggle('has-tabs', tabs.length > 1 || isNamed);
      drawTabs(this.#tabs, { tabs, shown: view?.id, send: (message) => this.#host.send(message) });
    }
    const headerStamp = JSON.stringify([
      view?.id,
      view?.header,
      view?.isPinned,
      view?.isClosed,
      view?.state.kind,
      view?.before,
    ]);
    if (headerStamp !== this.#drawnHeader) {
      this.#drawnHeader = headerStamp;
      drawHeader(this.#header, view, (message) => this.#host.send(message));
    }
    this.#drawBody(view);
  }

  #drawBody(view: ResultView | undefined): void {
    this.#isBusy = view?.state.kind === 'running' || view?.state.kind === 'checking';
    const isSameRun = view !== undefined && view.id === this.#shown?.id && view.run === this.#shown.run;
    if (isSameRun && this.#body?.update(view) === true) return;
    // Moves the focus into the new body instead of losing it to the top of the page.
    const hadFocus =
      holdsFocus(this.#main) || holdsFocus(this.#footer.element) || (this.#isFocusOwed && isNowhere());
    this.#isFocusOwed = false;
    closePopup();
    // Its button is about the body that ends.
    if (this.#notice.querySelector('button') !== null) this.#endNotice();
    this.#body?.dispose();
    this.#shown = view === undefined ? undefined : { id: view.id, run: view.run };
    this.#body = view === undefined ? emptyBody() : this.#makeBody(view);
    this.#main.replaceChildren(this.#body.element);
    this.#body.attached?.();
    this.#announce(this.#body.announcement ?? '');
    if (hadFocus) this.#body.focus();
  }

  #makeBody(view: ResultView): Body {
    const send = (command: PanelCommand) => this.#host.send(command);
    const { state } = view;
    switch (state.kind) {
      case 'rows':
        return new RowsView(view, state, {
          host: this.#host,
          footer: this.#footer,
          say: (text, remedy) => this.#say(text, remedy),
          announce: (text) => this.#announce(text),
        });
      case 'parameters':
        return new ParameterForm(view, state, send);
      default:
        return drawMessage(view, state, send);
    }
  }

  /**
   * Announces a state to screen readers. The text is removed later, since they also find the state where it is drawn.
   */
  #announce(text: string): void {
    if (this.#announcement.textContent === text) return;
    this.#announcement.textContent = text;
    window.clearTimeout(this.#announcementTimer);
    this.#announcementTimer = window.setTimeout(() => this.#announcement.replaceChildren(), 4_000);
  }

  readonly #say: Say = (text, remedy) => {
    const act = () => {
      this.#endNotice();
      remedy?.act();
    };
    const words = element('span', { class: 'notice-words' }, text);
    this.#notice.replaceChildren(
      words,
      ...(remedy === undefined ? [] : [button(remedy.label, act, { kind: 'link' })]),
    );
    this.#notice.title = text;
    this.#notice.classList.add('is-shown');
    this.#endNoticeIn(remedy === undefined ? noticeMs : remedyMs);
  };

  #endNoticeIn(ms: number): void {
    window.clearTimeout(this.#noticeTimer);
    this.#noticeTimer = window.setTimeout(() => {
      // Its button may be about to be pressed.
      if (this.#notice.matches(':hover, :focus-within')) this.#endNoticeIn(noticeMs);
      else this.#endNotice();
    }, ms);
  }

  #endNotice(): void {
    window.clearTimeout(this.#noticeTimer);
    this.#notice.classList.remove('is-shown');
    // Screen readers would still find it in the footer.
    this.#notice.replaceChildren();
    this.#notice.title = '';
  }
}

const isNowhere = (): boolean => document.activeElement === document.body;

function emptyBody(): Body {
  return {
    element: element(
      'section',
      { class: 'message' },
      element('h2', {}, t('No result yet')),
      element('p', {}, t('Open a query and run it. The rows appear here, one result per document.')),
    ),
    update: () => false,
    focus: () => undefined,
    dispose: () => undefined,
  };
}
