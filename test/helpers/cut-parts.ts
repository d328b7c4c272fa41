/** Finds what a page cuts: controls that cannot be reached or are covered, and words that are cut without a tooltip. */
import type { Page } from 'playwright-core';

/** Returns a line for each cut part, with its words; empty if there is none. */
export function cutParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wordsOf = (one: Element) =>
      `<${one.tagName.toLowerCase()}> ${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)}`;
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isOnlyRead = (one: Element) => getComputedStyle(one).clipPath !== 'none';
    const { clientWidth, clientHeight } = document.documentElement;
    const isInside = ({ left, right, top, bottom }: DOMRect) =>
      left >= -1 && top >= -1 && right <= clientWidth + 1 && bottom <= clientHeight + 1;
    const found: string[] = [];
    // A popup is in front of the page.
    const scope = document.querySelector('.popup') ?? document.body;
    // Cells and tabs scroll by design.
    const all = (selector: string) =>
      [...scope.querySelectorAll(selector)].filter(
        (one) => isShown(one) && !isOnlyRead(one) && one.closest('.grid, .tabs, .expected-columns') === null,
      );
    for (const line of all('.buttons')) {
      const box = line.getBoundingClientRect();
      if (!isInside(new DOMRect(box.x, box.y, box.width, Math.min(box.height, 30))))
        found.push(`out of sight: ${wordsOf(line)}`);
      if (box.height > 48) found.push(`several lines of buttons: ${wordsOf(line)}`);
    }
    const scrolled = [...document.querySelectorAll('*')].filter((one) => one.scrollTop > 0);
    const tops = scrolled.map((one) => one.scrollTop);
    for (const one of all('button, input, select, textarea, [role=menuitem], [role=menuitemcheckbox]')) {
      one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const box = one.getBoundingClientRect();
      if (!isInside(box)) found.push(`out of reach: ${wordsOf(one)}`);
      const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (at === null || !(one.contains(at) || at.contains(one)))
        found.push(`covered: ${wordsOf(one)} by ${at === null ? 'nothing' : wordsOf(at)}`);
    }
    for (const one of document.querySelectorAll('.form, .message, .dialog, .menu')) one.scrollTop = 0;
    scrolled.forEach((one, index) => (one.scrollTop = tops[index] ?? 0));
    for (const one of all('*')) {
      if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof SVGElement)
        continue;
      const { overflowX, textOverflow } = getComputedStyle(one);
      const isCut = one.scrollWidth > one.clientWidth + 1 && overflowX !== 'visible' && overflowX !== 'auto';
      const hasWords =
        [...one.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE) ||
        textOverflow === 'ellipsis';
      const tooltip = one.closest('[title]')?.getAttribute('title') ?? '';
      if (isCut && hasWords && tooltip === '') found.push(`cut without a tooltip: ${wordsOf(one)}`);
    }
    for (const svg of all('.chart-picture')) {
      const edge = svg.getBoundingClientRect();
      for (const words of svg.querySelectorAll('text')) {
        const box = words.getBoundingClientRect();
        const isIn =
          box.left >= edge.left - 1 &&
          box.right <= edge.right + 1 &&
          box.top >= edge.top - 1 &&
          box.bottom <= edge.bottom + 1;
        if (!isIn) found.push(`out of the picture: ${words.textContent}`);
        if (words.textContent.endsWith('…') && words.querySelector('title') === null)
          found.push(`cut: ${words.textContent}`);
      }
      // A chart that cannot be drawn says so below.
      const hasMarks = svg.querySelector('.chart-bar, .chart-path, .chart-point') !== null;
      if (!hasMarks && all('.chart-note').length === 0) found.push('a chart without marks');
    }
    return found;
  });
}
