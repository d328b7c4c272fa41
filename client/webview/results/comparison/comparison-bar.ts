/** A comparison's counts as toggles, and its two sides. */
import type { ComparedSide, ComparisonState, RowsState } from '#panel-protocol/messages.ts';
import { changeColumn, changeKinds, type ChangeKind, type FilterRule } from '#panel-protocol/rows.ts';
import { element, holdsFocus, icon, iconButton } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { sharedStart } from '../ui/short-title.ts';
import { changeWords } from './change-labels.ts';

/** Signs next to the colors; hidden from screen readers. */
const signs: Readonly<Record<ChangeKind, string>> = {
  added: '+',
  removed: '−',
  changed: '±',
  unchanged: '=',
};
/** Keys that show or hide the rows of one kind in the grid. */
const letters: Readonly<Record<string, ChangeKind>> = {
  a: 'added',
  r: 'removed',
  c: 'changed',
  u: 'unchanged',
};

export class ComparisonBar {
  readonly element = element('section', {
    class: 'comparison-bar',
    hidden: true,
    aria: { label: t('Comparison') },
  });
  readonly #filter: (rule: FilterRule | undefined) => void;
  /** In a low panel, shows what the line leaves out, also without a mouse. */
  readonly #whole = iconButton('next', t('Show the whole comparison'), () => this.#toggleWhole());
  #state: RowsState | undefined;
  #drawn = '';
  /** The latest choice until the rows confirm it: keys may be pressed faster than responses arrive. */
  #wanted: ReadonlySet<ChangeKind> | undefined;

  constructor(filter: (rule: FilterRule | undefined) => void) {
    this.#filter = filter;
    this.#whole.classList.add('comparison-whole');
    this.#whole.setAttribute('aria-expanded', 'false');
  }

  update(state: RowsState): void {
    this.#state = state;
    const { comparison } = state;
    this.element.hidden = comparison === undefined;
    const shown = shownKinds(state);
    if (this.#wanted !== undefined && isSame(shown, this.#wanted)) this.#wanted = undefined;
    const stamp = JSON.stringify([comparison, [...shown]]);
    if (comparison === undefined || stamp === this.#drawn) return;
    this.#drawn = stamp;
    const keys = keyWords(state, comparison);
    const isFocused = holdsFocus(this.element);
    const focused = isFocused ? document.activeElement?.getAttribute('data-kind') : undefined;
    const isWholeFocused = isFocused && document.activeElement === this.#whole;
    this.element.replaceChildren(
      this.#switches(comparison, shown),
      this.#whole,
      element(
        'p',
        { class: 'matched-by', title: `${t('Matched by')} ${keys}` },
        element('span', { class: 'side-label' }, t('Matched by')),
        ' ',
        keys,
      ),
      element(
        'dl',
        { class: 'compared-sides' },
        sideWords(t('Before'), comparison.before, comparison.after),
        sideWords(t('After'), comparison.after, comparison.before),
      ),
      ...comparison.notes.map((note) =>
        element('p', { class: 'comparison-note', title: note }, ...warningWords(note)),
      ),
    );
    if (typeof focused === 'string')
      this.element.querySelector<HTMLElement>(`button[data-kind="${focused}"]`)?.focus();
    if (isWholeFocused) this.#whole.focus();
  }

  /** @returns whether the comparison handled the key. */
  onKey(event: KeyboardEvent): boolean {
    const kind = letters[event.key.toLowerCase()];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (kind === undefined || !isPlain || this.#state?.comparison === undefined) return false;
    this.#toggle(kind);
    return true;
  }

  #switches({ counts }: ComparisonState, shown: ReadonlySet<ChangeKind>): HTMLElement {
    const buttons = changeKinds.map((kind) => {
      const isShown = shown.has(kind);
      const made = element(
        'button',
        {
          class: 'change-switch',
          title: switchWords(kind, isShown),
          data: { kind },
          aria: { pressed: String(isShown) },
          on: { click: () => this.#toggle(kind) },
        },
        element('span', { class: 'change-sign', aria: { hidden: 'true' } }, signs[kind]),
        element('span', { class: 'change-count' }, number(counts[kind])),
        element('span', { class: 'change-word' }, ` ${changeWords(kind)}`),
      );
      made.type = 'button';
      return made;
    });
    return element(
      'div',
      { class: 'change-switches', role: 'group', aria: { label: t('Visible rows') } },
      ...buttons,
    );
  }

  #toggleWhole(): void {
    const isWhole = this.element.classList.toggle('is-whole');
    this.#whole.setAttribute('aria-expanded', String(isWhole));
  }

  #toggle(kind: ChangeKind): void {
    if (this.#state === undefined) return;
    const shown = new Set(this.#wanted ?? shownKinds(this.#state));
    if (!shown.delete(kind)) shown.add(kind);
    this.#wanted = shown;
    const values = changeKinds.filter((one) => shown.has(one));
    this.#filter(values.length === changeKinds.length ? undefined : { kind: 'values', values });
  }
}

function switchWords(kind: ChangeKind, isShown: boolean): string {
  const letter = kind.charAt(0).toUpperCase();
  return isShown
    ? t('Hide {0} rows ({1} in the grid)', changeWords(kind), letter)
    : t('Show {0} rows ({1} in the grid)', changeWords(kind), letter);
}

function shownKinds({ filters }: RowsState): ReadonlySet<ChangeKind> {
  const rule = filters.find(({ column }) => column === changeColumn)?.rule;
  if (rule?.kind !== 'values') return new Set(changeKinds);
  return new Set(changeKinds.filter((kind) => rule.values.includes(kind)));
}

function isSame(one: ReadonlySet<ChangeKind>, other: ReadonlySet<ChangeKind>): boolean {
  return changeKinds.every((kind) => one.has(kind) === other.has(kind));
}

/**
 * Says first what tells the sides apart: the rest of the title after what both share, such as the name or the version,
 * or the first fact that differs, such as the time of the run. A low panel shows only that.
 */
function sideWords(label: string, { title, facts, warning }: ComparedSide, other: ComparedSide): HTMLElement {
  const telling = title === other.title ? facts.find((fact) => !other.facts.includes(fact)) : undefined;
  const shared = sharedStart(title, other.title);
  const ordered = telling === undefined ? facts : [telling, ...facts.filter((fact) => fact !== telling)];
  return element(
    'div',
    { class: 'compared-side' },
    element('dt', {}, label),
    element(
      'dd',
      {
        class: telling === undefined ? '' : 'has-telling-fact',
        title: [title, ...facts, ...(warning === undefined ? [] : [warning])].join('\n'),
      },
      element(
        'span',
        { class: 'side-title' },
        shared !== '' && element('span', { class: 'side-shared' }, shared),
        title.slice(shared.length),
      ),
      ...ordered.map((fact) =>
        element('span', { class: fact === telling ? 'side-fact telling' : 'side-fact', title: fact }, fact),
      ),
      warning !== undefined &&
        element('span', { class: 'side-warning', title: warning }, ...warningWords(warning)),
    ),
  );
}

function warningWords(text: string): readonly (Node | string)[] {
  return [icon('error'), element('span', { class: 'warning-text' }, text)];
}

function keyWords({ columns }: RowsState, { keys }: ComparisonState): string {
  if (keys.length === 0) return t('whole rows');
  return keys.map((key) => columns[key]?.name ?? '').join(', ');
}
