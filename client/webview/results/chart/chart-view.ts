/** A chart of the rows: the user chooses its columns, can save the picture, and can read its numbers as a table. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { isSingular } from '#panel-protocol/panel-texts.ts';
import type { ChartData, ChartSpec } from '#panel-protocol/rows.ts';
import { button, element, iconButton } from '../ui/dom.ts';
import { number, rowCountWords } from '../ui/format.ts';
import { language, t } from '../ui/l10n.ts';
import { openMenu } from '../ui/menu.ts';
import { ChartForm, typeWords, type ChartChoices, type ChartStart } from './chart-form.ts';
import type { NamedChart } from './chart-picture.ts';
import { chartTable } from './chart-table.ts';
import { pngOf, svgText } from './save-picture.ts';
import { drawChart } from './svg-chart.ts';

export interface ChartViewEvents {
  readonly ask: (spec: ChartSpec) => Promise<ChartData | undefined>;
  /** Aborts the pending request. */
  readonly drop: () => void;
  /** Which part of the rows there is; undefined if all are. */
  readonly part: () => string | undefined;
  readonly save: (format: 'png' | 'svg', content: string) => void;
  /** The user has made a choice. */
  readonly chosen: () => void;
  /** Gives the panel more height. */
  readonly maximize: () => void;
  readonly say: (text: string) => void;
  readonly close: () => void;
}

export class ChartView {
  readonly element: HTMLElement;
  readonly #events: ChartViewEvents;
  readonly #form = new ChartForm(() => {
    void this.#ask();
    this.#events.chosen();
  });
  readonly #note = element('p', { class: 'chart-note', role: 'status' });
  readonly #place = element('div', { class: 'chart-place' });
  readonly #table = element('div', {
    class: 'chart-table',
    tabIndex: 0,
    hidden: true,
    role: 'region',
    aria: { label: t('Numbers of the chart') },
  });
  readonly #asTable: HTMLButtonElement;
  readonly #observer: ResizeObserver;
  #drawn: NamedChart | undefined;
  #picture: SVGSVGElement | undefined;

  constructor(events: ChartViewEvents) {
    this.#events = events;
    this.#asTable = button(t('Numbers'), () => this.#toggleTable(), {
      kind: 'link',
      title: t('The numbers as a table'),
    });
    this.#asTable.classList.add('chart-numbers');
    this.#asTable.setAttribute('aria-pressed', 'false');
    const maximize = iconButton('maximize', t('Maximize Panel'), events.maximize);
    maximize.classList.add('chart-maximize');
    this.element = element(
      'aside',
      {
        class: 'inspector chart-view',
        aria: { label: t('Chart') },
        on: {
          keydown: (event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            events.close();
          },
        },
      },
      element(
        'div',
        { class: 'inspector-head chart-form' },
        ...this.#form.elements,
        this.#asTable,
        ...this.#saveButtons(),
        this.#moreButton(),
        maximize,
        iconButton('close', t('Close'), events.close),
      ),
      this.#place,
      this.#table,
      this.#note,
    );
    this.#observer = new ResizeObserver(() => this.#draw());
    this.#observer.observe(this.#place);
  }

  open(columns: readonly ShownColumn[], start: ChartStart): void {
    this.#form.start(columns, start);
    void this.#ask();
  }

  get choices(): ChartChoices | undefined {
    return this.#form.choices;
  }

  focus(): void {
    this.#form.focus();
  }

  /** Requests new data after the rows changed. */
  refresh(): void {
    void this.#ask();
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  async #ask(): Promise<void> {
    const { spec } = this.#form;
    if (spec === undefined) {
      this.#events.drop();
      this.#drawn = undefined;
      this.#place.replaceChildren();
      this.#note.classList.remove('only-read');
      this.#note.textContent = this.#form.missingWords;
      return;
    }
    const data = await this.#events.ask(spec);
    if (data === undefined) return;
    if (this.#form.improve(spec, data)) {
      await this.#ask();
      return;
    }
    this.#drawn = { type: spec.type, data, names: this.#form.namesOf(spec, data) };
    this.#draw();
  }

  #draw(): void {
    const drawn = this.#drawn;
    if (drawn === undefined) return;
    const { data } = drawn;
    const part = this.#events.part();
    const notes = notesOf(data);
    // The picture says it if it draws only a part of them.
    const isSaid = part !== undefined && this.#table.hidden !== false;
    const rows = isSaid ? [] : [part ?? rowCountWords(data.rows)];
    this.#note.textContent = [...rows, ...notes].join(' · ');
    this.#note.title = this.#note.textContent;
    // Sighted users already see the row count in the footer.
    this.#note.classList.toggle('only-read', notes.length === 0 && (part === undefined || isSaid));
    // Up to thousands of rows, which are not worth creating for each new size of the panel.
    this.#table.replaceChildren(...(this.#table.hidden ? [] : [chartTable(drawn)]));
    const { clientWidth, clientHeight } = this.#place;
    // Hidden behind the table of numbers; drawn when the chart is visible again.
    if (clientWidth === 0 || clientHeight === 0) return;
    const size = { width: clientWidth, height: clientHeight };
    const label = [labelOf(drawn), ...(part === undefined ? [] : [part])].join(' ');
    this.#picture = drawChart({ ...drawn, ...size, label, part });
    this.#place.replaceChildren(this.#picture);
    // A picture that is higher than its place is scrolled, also with the keyboard.
    this.#place.tabIndex = this.#picture.height.baseVal.value > clientHeight ? 0 : -1;
  }

  #saveButtons(): readonly HTMLElement[] {
    const buttons = [
      button('PNG', () => void this.#savePng(), { kind: 'link', title: t('Save as PNG') }),
      button('SVG', () => this.#saveSvg(), { kind: 'link', title: t('Save as SVG') }),
    ];
    for (const one of buttons) one.classList.add('chart-save');
    return buttons;
  }

  /** Returns a menu of the buttons that the style sheet hides because they do not fit. */
  #moreButton(): HTMLElement {
    const more = iconButton('more', t('More...'), () => {
      const isNumbersHidden = !this.#asTable.checkVisibility();
      const numbers = {
        ...{ label: this.#asTable.title, isChecked: !this.#table.hidden },
        act: () => this.#toggleTable(),
      };
      const save = [
        { label: t('Save as PNG'), act: () => void this.#savePng() },
        { label: t('Save as SVG'), act: () => this.#saveSvg() },
      ];
      openMenu(t('More...'), [isNumbersHidden ? [numbers] : [], save], more.getBoundingClientRect());
    });
    more.classList.add('chart-more');
    more.setAttribute('aria-haspopup', 'menu');
    return more;
  }

  #toggleTable(): void {
    this.#table.hidden = !this.#table.hidden;
    this.#place.hidden = !this.#table.hidden;
    this.#asTable.setAttribute('aria-pressed', String(!this.#table.hidden));
    this.#draw();
  }

  #saveSvg(): void {
    if (this.#picture !== undefined) this.#events.save('svg', svgText(this.#picture));
  }

  async #savePng(): Promise<void> {
    if (this.#picture === undefined) return;
    try {
      this.#events.save('png', await pngOf(this.#picture));
    } catch (error) {
      this.#events.say(error instanceof Error ? error.message : t('The picture could not be drawn'));
    }
  }
}

function labelOf({ type, data, names: { x, y, split } }: NamedChart): string {
  const points = pointWords(data.points.length);
  return split === undefined
    ? t('{0}: {1} by {2}, {3}. The numbers are in a table.', typeWords[type], y, x, points)
    : t(
        '{0}: {1} by {2}, split by {3}, {4}. The numbers are in a table.',
        typeWords[type],
        y,
        x,
        split,
        points,
      );
}

function pointWords(count: number): string {
  return t(isSingular(count, language) ? '{0} point' : '{0} points', number(count));
}

/** Returns notes about what the picture omits. */
function notesOf({
  mixedAmounts,
  skipped,
  untimed = 0,
  sampled,
  others,
  points,
}: ChartData): readonly string[] {
  const notes: string[] = [];
  // The reason comes first, since a low panel shows the beginning of the line.
  if (mixedAmounts === 'currencies') notes.push(t('amounts of several currencies'));
  if (mixedAmounts === 'separators') notes.push(t('unclear decimal separator, as in {0}', '1.234'));
  if (points.length === 0) notes.push(t('nothing to draw'));
  if (untimed > 0) notes.push(t('{0} omitted (no time)', number(untimed)));
  if (skipped > 0 && mixedAmounts === undefined) notes.push(t('{0} omitted (no number)', number(skipped)));
  if (sampled !== undefined) notes.push(t('reduced to {0} points', number(sampled)));
  if (others !== undefined)
    notes.push(
      t(
        'The {0} largest of {1} values are drawn. Filter the rows to see others.',
        number(drawnValues(points)),
        number(drawnValues(points) + others.count),
      ),
    );
  return notes;
}

/** Returns the number of categories; each may have several series. */
function drawnValues(points: ChartData['points']): number {
  return new Set(points.map(({ x }) => x)).size;
}
