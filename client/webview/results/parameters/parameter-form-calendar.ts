/** A calendar for choosing a day, next to relative days for access reviews. Opens in place, by mouse or key. */
import { isoDate, relativeMoment } from '../../../../panel-protocol/parameters.ts';
import { element } from '../ui/dom.ts';
import { language, t } from '../ui/l10n.ts';

export interface CalendarOptions {
  /** Label of the field. */
  readonly name: string;
  readonly hasTime: boolean;
  /** Initial day: the field's value, if it is a day. */
  readonly current: Date;
  readonly pick: (text: string) => void;
  readonly close: () => void;
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

/** The day that a field's text means, else today. */
export function dayOf(text: string): Date {
  const relative = relativeMoment(text, new Date());
  if (relative !== undefined) return relative;
  const match = /^\s*(\d{4})-(\d\d)-(\d\d)/.exec(text);
  const day = match === null ? new Date(Number.NaN) : new Date(`${match[0].trim()}T00:00`);
  return Number.isNaN(day.getTime()) ? new Date() : day;
}

export function createCalendar(options: CalendarOptions): { readonly element: HTMLElement; focus(): void } {
  const titles = new Intl.DateTimeFormat(language, {
    month: 'long',
    year: 'numeric',
  });
  const dayNames = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const weekdays = new Intl.DateTimeFormat(language, { weekday: 'short' });
  let active = startOfDay(options.current);
  const title = element('h3', { class: 'calendar-title', aria: { live: 'polite' } });
  const grid = element('table', { class: 'calendar-grid', role: 'grid' });
  const moveButton = (label: string, sign: string, months: number) => {
    const made = element('button', { class: 'icon-button', title: label, aria: { label } }, sign);
    made.type = 'button';
    made.addEventListener('click', () => {
      active = addMonths(active, months);
      draw();
    });
    return made;
  };
  const root = element(
    'div',
    { class: 'calendar', role: 'dialog', aria: { label: t('Choose a value for {0}', options.name) } },
    element(
      'div',
      { class: 'calendar-relative', role: 'group', aria: { label: t('Relative') } },
      ...(options.hasTime ? relativeTimes : relativeDays).map((text) => {
        const made = element('button', { class: 'choice' }, text);
        made.type = 'button';
        made.addEventListener('click', () => options.pick(text));
        return made;
      }),
    ),
    element(
      'div',
      { class: 'calendar-month' },
      element(
        'div',
        { class: 'calendar-head' },
        moveButton(t('Previous month'), '‹', -1),
        title,
        moveButton(t('Next month'), '›', 1),
      ),
      grid,
    ),
  );
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    options.close();
  });
  grid.addEventListener('keydown', (event) => {
    const next = moved(active, event);
    if (next === undefined) return;
    active = next;
    event.preventDefault();
    event.stopPropagation();
    draw();
    activeDay()?.focus();
  });
  draw();
  return { element: root, focus: () => activeDay()?.focus() };

  function activeDay(): HTMLButtonElement | null {
    return grid.querySelector<HTMLButtonElement>('button[tabindex="0"]');
  }

  function draw(): void {
    const month = active.getMonth();
    title.textContent = titles.format(active);
    grid.setAttribute('aria-label', titles.format(active));
    const first = new Date(active.getFullYear(), month, 1);
    first.setDate(1 - ((first.getDay() + 6) % 7));
    const today = isoDate(new Date());
    const head = element(
      'tr',
      {},
      ...Array.from({ length: 7 }, (_, index) => element('th', {}, weekdays.format(addDays(first, index)))),
    );
    const weeks = Array.from({ length: 6 }, (_, week) =>
      element(
        'tr',
        {},
        ...Array.from({ length: 7 }, (__, day) => dayCell(addDays(first, week * 7 + day), month, today)),
      ),
    );
    grid.replaceChildren(element('thead', {}, head), element('tbody', {}, ...weeks));
  }

  function dayCell(day: Date, month: number, today: string): HTMLTableCellElement {
    const text = isoDate(day);
    const isActive = text === isoDate(active);
    const made = element(
      'button',
      { class: 'calendar-day', tabIndex: isActive ? 0 : -1, aria: { label: dayNames.format(day) } },
      String(day.getDate()),
    );
    made.type = 'button';
    made.classList.toggle('is-outside', day.getMonth() !== month);
    made.classList.toggle('is-active', isActive);
    if (text === today) made.setAttribute('aria-current', 'date');
    made.addEventListener('click', () => options.pick(text));
    return element('td', {}, made);
  }
}

/** The day after a key press; undefined for other keys. */
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

/** The 31st becomes the last day of a shorter month. */
function addMonths(day: Date, count: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + count + 1, 0).getDate();
  return new Date(day.getFullYear(), day.getMonth() + count, Math.min(day.getDate(), last));
}
