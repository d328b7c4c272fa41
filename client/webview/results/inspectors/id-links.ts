/**
 * Global ids as links: what an id names is shown where the mouse rests, Ctrl or Cmd and click, or F12, opens its record.
 * A plain click in the grid selects, as in any cell.
 */
import { element } from '../ui/dom.ts';
import { idPieces } from '../ui/global-ids.ts';
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import { t } from '../ui/l10n.ts';

/** How long the mouse rests before anybody is asked: a person on the way elsewhere wants to know nothing. */
const restMs = 350;
const rememberedMax = 500;

const isMac = navigator.userAgent.includes('Macintosh');

export class IdLinks {
  readonly #on: { readonly identify: (globalId: string) => void; readonly open: (globalId: string) => void };
  readonly #place: HTMLElement;
  readonly #names = element('div', { class: 'id-card-names' });
  readonly #card = element(
    'div',
    { class: 'id-card', role: 'tooltip', id: 'id-card' },
    this.#names,
    element('div', { class: 'id-card-hint' }, t('{0}+click or F12 opens the record', isMac ? 'Cmd' : 'Ctrl')),
  );
  /** What ids name; null: that is not known. */
  readonly #known = new Map<string, string | null>();
  readonly #waiting = new Map<string, ((words: string | null) => void)[]>();
  #timer = 0;

  /** @param place what holds the grid and what opens beside it. */
  constructor(
    place: HTMLElement,
    on: { readonly identify: (globalId: string) => void; readonly open: (globalId: string) => void },
  ) {
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
    // Before whoever handles the key.
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

  /** A value with its ids as buttons; one text where it holds none. */
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

  /** Tells what an id names, now or when the host has said. */
  describe(globalId: string, tell: (words: string | null) => void): void {
    const known = this.#known.get(globalId);
    if (known !== undefined) {
      tell(known);
      return;
    }
    const waiting = this.#waiting.get(globalId);
    if (waiting !== undefined) {
      waiting.push(tell);
      return;
    }
    this.#waiting.set(globalId, [tell]);
    this.#on.identify(globalId);
  }

  identified(globalId: string, words: string | undefined): void {
    // What nobody knows now may be known next time.
    if (words !== undefined) this.#known.set(globalId, words);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= rememberedMax) break;
      this.#known.delete(oldest);
    }
    const waiting = this.#waiting.get(globalId) ?? [];
    this.#waiting.delete(globalId);
    for (const tell of waiting) tell(words ?? null);
  }

  dispose(): void {
    this.#hide();
  }

  #rest(link: HTMLElement | undefined): void {
    this.#hide();
    if (link === undefined) return;
    const globalId = link.textContent;
    // A cell is used again for another value when the grid scrolls.
    const isThere = () => link.isConnected && link.textContent === globalId && link.matches(':hover');
    this.#timer = window.setTimeout(() => {
      this.describe(globalId, (words) => {
        if (isThere()) this.#show(link, words ?? t('What it names is not known now'));
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

/** The cell or button that shows an id. */
function linkAt(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element
    ? (target.closest<HTMLElement>('.grid-cell[data-look="id"], .id-link') ?? undefined)
    : undefined;
}
