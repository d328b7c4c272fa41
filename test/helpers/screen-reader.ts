/**
 * Simulates a screen reader: the focused element by role, name, value and description, and the announcements of live
 * regions. As in real screen readers, a region that is inserted with its text is silent unless it is an alert.
 */
import type { Frame, Page } from 'playwright-core';

const timeout = 2_000;

export interface ScreenReader {
  /** Returns the focused element or its active descendant, as one line. Rejects if the focus keeps moving. */
  focus(): Promise<string>;
  /** Returns all announcements, oldest first within a frame. The first call starts listening to a frame. */
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
      // Frames that were just closed have no announcements.
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

/** Returns the accessible description of an element. Runs in the page. */
function descriptionOf(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent.trim() ?? '');
  return texts.filter((text) => text !== '').join(' ');
}

/** Starts listening to the document, or returns the announcements since the last call. Runs in each frame. */
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
