/**
 * Global IDs as links: hovering shows the record, Ctrl/Cmd+click or F12 opens it.
 * A plain click in the grid selects, as in any cell.
 */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { element } from '../ui/dom.ts';
import { idPieces } from '../ui/global-ids.ts';
import { t } from '../ui/l10n.ts';

/** Hover delay before a request, so that a pointer passing over an ID does not send one. */
const restMs = 350;
const rememberedMax = 500;

const isMac = navigator.userAgent.includes('Macintosh');

export interface IdLinkEvents {
  /** Describes an ID's record; undefined if it is currently unknown. */
  readonly identify: (globalId: string) => Promise<string | undefined>;
  readonly open: (globalId: string) => void;
}

export class IdLinks {
  readonly #on: IdLinkEvents;
  readonly #place: HTMLElement;
  readonly #names = element('div', { class: 'id-card-names' });
  readonly #card = element(
    'div',
    { class: 'id-card', role: 'tooltip', id: 'id-card' },
    this.#names,
    element('div', { class: 'id-card-hint' }, t('{0}+click or F12 opens the record', isMac ? 'Cmd' : 'Ctrl')),
  );
  /** Descriptions of known and requested records, by ID. */
  readonly #known = new Map<string, Promise<string | undefined>>();
  #timer = 0;

  /** @param place contains the grid and the inspectors next to it. */
  constructor(place: HTMLElement, on: IdLinkEvents) {
    this.#place = place;
    this.#on = on;
    place.addEventListener('pointerover', ({ target }) => this.#rest(linkAt(target)));
    place.addEventListener('pointerleave', () => this.#hide());
    place.addEventListener('pointerdown', () => this.#hide());
    place.addEventListener('wheel', () => this.#hide(), { passive: true });
    place.addEventListener('click', (event) => {
      const link = linkAt(event.target);
      if (link === undefined || (link instanceof HTMLButtonElement ? false : !hasModifier(event))) return;
      on.open(link.textContent);
    });
    // Runs before other key handlers.
    place.addEventListener('keydown', () => this.#hide(), { capture: true });
    place.addEventListener('keydown', (event) => {
      if (event.key !== 'F12' || event.shiftKey || event.altKey || hasModifier(event)) return;
      const focused = linkAt(document.activeElement);
      const link = focused ?? linkAt(place.querySelector('.grid-cell.is-active'));
      if (link === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      on.open(link.textContent);
    });
  }

  /** Returns a value with its IDs as buttons, or as a single string if it contains none. */
  nodesOf(
    text: string,
    column: ShownColumn | undefined,
    spread: (text: string) => string,
  ): (Node | string)[] {
    const pieces = column === undefined ? [text] : idPieces(text, column);
    if (pieces.every((piece) => typeof piece === 'string')) return [spread(text)];
    return pieces.map((piece) => {
      if (typeof piece === 'string') return piece.replaceAll('",', '",\n ');
      const link = element('button', { class: 'id-link' }, piece.globalId);
      link.type = 'button';
      return link;
    });
  }

  /** Describes an ID's record; undefined if it is currently unknown. */
  describe(globalId: string): Promise<string | undefined> {
    const known = this.#known.get(globalId);
    if (known !== undefined) return known;
    const asked = this.#on.identify(globalId).then((words) => {
      // An unknown ID may be known next time.
      if (words === undefined) this.#known.delete(globalId);
      return words;
    });
    this.#known.set(globalId, asked);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= rememberedMax) break;
      this.#known.delete(oldest);
    }
    return asked;
  }

  dispose(): void {
    this.#hide();
  }

  #rest(link: HTMLElement | undefined): void {
    this.#hide();
    if (link === undefined) return;
    const globalId = link.textContent;
    // Scrolling may reuse the cell for another value.
    const isThere = () => link.isConnected && link.textContent === globalId && link.matches(':hover');
    this.#timer = window.setTimeout(() => {
      void this.describe(globalId).then((words) => {
        if (isThere()) this.#show(link, words ?? t('Not looked up'));
      });
    }, restMs);
  }

  #show(link: HTMLElement, words: string): void {
    this.#names.textContent = words;
    this.#place.append(this.#card);
    const box = link.getBoundingClientRect();
    const card = this.#card.getBoundingClientRect();
    const below = box.bottom + 2;
    const top = below + card.height > window.innerHeight ? box.top - card.height - 2 : below;
    this.#card.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - card.width - 4))}px`;
    this.#card.style.top = `${Math.max(4, top)}px`;
    link.setAttribute('aria-describedby', 'id-card');
  }

  #hide(): void {
    window.clearTimeout(this.#timer);
    if (!this.#card.isConnected) return;
    this.#card.remove();
    for (const link of this.#place.querySelectorAll('[aria-describedby="id-card"]'))
      link.removeAttribute('aria-describedby');
  }
}

function hasModifier(event: MouseEvent | KeyboardEvent): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/** Returns the cell or button that shows an ID, if the target is inside one. */
function linkAt(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element
    ? (target.closest<HTMLElement>('.grid-cell[data-look="id"], .id-link') ?? undefined)
    : undefined;
}
