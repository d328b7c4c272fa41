/**
 * The output of a screen reader: the focused element by role, name, value and description, and the announcements of
 * live regions. A region that arrives together with its text stays silent, as with real readers; an alert does not.
 */
import type { Frame, Page } from 'playwright-core';

const timeout = 2_000;

export interface ScreenReader {
  /** The focused element, or its active descendant, on one line. Rejects within seconds while the focus moves. */
  focus(): Promise<string>;
  /** Announcements so far, oldest first within a frame. A frame counts from the first call after it was loaded. */
  heard(): Promise<readonly string[]>;
}

export function listenTo(page: Page): ScreenReader {
  const all: string[] = [];
  return {
    async focus() {
      const frame = await focusedFrame(page);
      const focused = frame.locator(':focus');
      const active = await focused.getAttribute('aria-activedescendant', { timeout });
      const element = active === null || active === '' ? focused : frame.locator(`[id="${active}"]`);
      const snapshot = await element.ariaSnapshot({ timeout });
      const description = await element.evaluate(descriptionOf, undefined, { timeout });
      return [snapshot.replaceAll(/\s+/g, ' '), description].filter((part) => part !== '').join(' - ');
    },
    async heard() {
      // A frame that just closed says nothing more.
      const texts = page.frames().map((frame) => frame.evaluate(takeAnnouncements).catch(() => []));
      all.push(...(await Promise.all(texts)).flat());
      return all;
    },
  };
}

async function focusedFrame(page: Page): Promise<Frame> {
  let frame = page.mainFrame();
  for (;;) {
    const focused = await frame.evaluateHandle(() => document.activeElement);
    const inner = await focused.asElement()?.contentFrame();
    if (inner === null || inner === undefined) return frame;
    frame = inner;
  }
}

/** Runs in the page. */
function descriptionOf(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent.trim() ?? '');
  return texts.filter((text) => text !== '').join(' ');
}

/** Runs in each frame: starts listening to its document, or returns the announcements since the last call. */
function takeAnnouncements(): string[] {
  const listening = document as Document & { announcements?: string[] };
  if (listening.announcements !== undefined) return listening.announcements.splice(0);
  const announcements: string[] = (listening.announcements = []);
  const alerts = '[role=alert], [aria-live=assertive]';
  const regions = `${alerts}, [role=status]:not([aria-live=off]), [role=log], [aria-live=polite]`;
  const known = new WeakSet<Element>();
  const know = () => document.querySelectorAll(regions).forEach((region) => known.add(region));
  know();
  new MutationObserver((changes) => {
    const changed = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(regions);
      if (region !== undefined && region !== null && known.has(region)) changed.add(region);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const one of [node, ...node.querySelectorAll(alerts)]) if (one.matches(alerts)) changed.add(one);
      }
    }
    for (const region of changed) {
      const text = region instanceof HTMLElement ? region.innerText.replaceAll(/\s+/g, ' ').trim() : '';
      if (region.isConnected && text !== '') announcements.push(text);
    }
    know();
  }).observe(document, { subtree: true, childList: true, characterData: true });
  return [];
}
