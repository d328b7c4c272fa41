/**
 * A calendar for choosing a day, next to relative days that access reviews use. For a popup, which is low enough for a low panel.
 */
import { isoDate, relativeMoment } from '#panel-protocol/parameters.ts';
import { element } from '../ui/dom.ts';
import { language, t } from '../ui/l10n.ts';

export interface CalendarOptions {
  /** Label of the field. */
  readonly name: string;
  readonly hasTime: boolean;
  /** Initial day: the field's value, if it is a day. */
  readonly current: Date;
  readonly pick: (text: string) => void;
}

const relativeDays = [
  'today',
  'yesterday',
  'today - 7 days',
  'today - 30 days',
  'today - 90 days',
  'start of month',
  'start of quarter',
  'start of year',
] as const;
const relativeTimes = ['now', 'now - 1 hour', 'now - 24 hours', ...relativeDays] as const;

/** Returns the day that a field's text denotes, or today if it denotes none. */
export function dayOf(text: string): Date {
  const relative = relativeMoment(text, new Date());
  if (relative !== undefined) return new Date(relative.epochMilliseconds);
  const match = /^\s*(\d{4})-(\d\d)-(\d\d)/.exec(text);
  const day = match === null ? new Date(Number.NaN) : new Date(`${match[0].trim()}T00:00`);
  return Number.isNaN(day.getTime()) ? new Date() : day;
}

export class Calendar {
  readonly element: HTMLElement;
  readonly #options: CalendarOptions;
  readonly #titles = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  readonly #dayNames = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  readonly #weekdays = new Intl.DateTimeFormat(language, { weekday: 'short' });
  readonly #title = element('h3', { class: 'calendar-title', aria: { live: 'polite' } });
  readonly #grid = element('table', { class: 'calendar-grid', role: 'grid' });
  #active: Date;

  constructor(options: CalendarOptions) {
    this.#options = options;
    this.#active = startOfDay(options.current);
    this.element = element(
      'div',
      { class: 'calendar', role: 'dialog', aria: { label: t('Choose a value for {0}', options.name) } },
      this.#relativeChoices(),
      element(
        'div',
        { class: 'calendar-month' },
        element(
          'div',
          { class: 'calendar-head' },
          this.#moveButton(t('Previous month'), '‹', -1),
          this.#title,
          this.#moveButton(t('Next month'), '›', 1),
        ),
        this.#grid,
      ),
    );
    this.#grid.addEventListener('keydown', (event) => {
      const next = moved(this.#active, event);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#show(next);
      this.focus();
    });
    this.#draw();
  }

  /** Focuses the active day. */
  focus(): void {
    this.#grid.querySelector<HTMLButtonElement>('button[tabindex="0"]')?.focus();
  }

  #show(day: Date): void {
    this.#active = day;
    this.#draw();
  }

  #relativeChoices(): HTMLElement {
    const texts = this.#options.hasTime ? relativeTimes : relativeDays;
    return element(
      'div',
      { class: 'calendar-relative', role: 'group', aria: { label: t('Relative') } },
      ...texts.map((text) => {
        const made = element('button', { class: 'choice' }, text);
        made.type = 'button';
        made.addEventListener('click', () => this.#options.pick(text));
        return made;
      }),
    );
  }

  #moveButton(label: string, sign: string, months: number): HTMLButtonElement {
    const made = element('button', { class: 'icon-button', title: label, aria: { label } }, sign);
    made.type = 'button';
    made.addEventListener('click', () => this.#show(addMonths(this.#active, months)));
    return made;
  }

  #draw(): void {
    const month = this.#active.getMonth();
    const title = this.#titles.format(this.#active);
    this.#title.textContent = title;
    this.#grid.setAttribute('aria-label', title);
    const first = new Date(this.#active.getFullYear(), month, 1);
    first.setDate(1 - ((first.getDay() + 6) % 7));
    const today = isoDate(new Date());
    const names = daysFrom(first).map((day) => element('th', {}, this.#weekdays.format(day)));
    const weeks = Array.from({ length: 6 }, (_, week) =>
      element('tr', {}, ...daysFrom(addDays(first, week * 7)).map((day) => this.#dayCell(day, month, today))),
    );
    this.#grid.replaceChildren(
      element('thead', {}, element('tr', {}, ...names)),
      element('tbody', {}, ...weeks),
    );
  }

  #dayCell(day: Date, month: number, today: string): HTMLTableCellElement {
    const text = isoDate(day);
    const isActive = text === isoDate(this.#active);
    const made = element(
      'button',
      { class: 'calendar-day', tabIndex: isActive ? 0 : -1, aria: { label: this.#dayNames.format(day) } },
      String(day.getDate()),
    );
    made.type = 'button';
    made.classList.toggle('is-outside', day.getMonth() !== month);
    made.classList.toggle('is-active', isActive);
    if (text === today) made.setAttribute('aria-current', 'date');
    made.addEventListener('click', () => this.#options.pick(text));
    return element('td', {}, made);
  }
}

/** Returns the day that a key moves to; undefined for other keys. */
function moved(day: Date, event: KeyboardEvent): Date | undefined {
  switch (event.key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -((day.getDay() + 6) % 7));
    case 'End':
      return addDays(day, 6 - ((day.getDay() + 6) % 7));
    case 'PageUp':
      return addMonths(day, event.shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(day, event.shiftKey ? 12 : 1);
    default:
      return undefined;
  }
}

function startOfDay(moment: Date): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

function addDays(day: Date, count: number): Date {
  const moved = new Date(day);
  moved.setDate(moved.getDate() + count);
  return moved;
}

function daysFrom(first: Date): readonly Date[] {
  return Array.from({ length: 7 }, (_, index) => addDays(first, index));
}

/** Adds months; the 31st becomes the last day of a shorter month. */
function addMonths(day: Date, count: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + count + 1, 0).getDate();
  return new Date(day.getFullYear(), day.getMonth() + count, Math.min(day.getDate(), last));
}
