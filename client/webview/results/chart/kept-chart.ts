/** What stays of an open chart while the page is hidden or shows other rows, and in a new run. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { ChartChoices } from './chart-form.ts';

export interface KeptChart {
  /** The column that was active when the chart was opened. */
  readonly column: number;
  /** Undefined if the user has chosen nothing. */
  readonly choices: ChartChoices | undefined;
}

type NamedColumn = Pick<ShownColumn, 'name' | 'type'>;

/** Returns what still fits after a run with other columns, which are the same if name and type are. */
export function fittingChart(
  { column, choices }: KeptChart,
  before: readonly NamedColumn[],
  now: readonly NamedColumn[],
): { readonly column: number | undefined; readonly choices: Partial<ChartChoices> | undefined } {
  const placeOf = (index: number): number | undefined => {
    const known = before[index];
    const isKnown = (other: NamedColumn | undefined) =>
      known !== undefined && other?.name === known.name && other.type === known.type;
    // Of several columns with the same name, the one at the same place.
    const place = isKnown(now[index]) ? index : now.findIndex(isKnown);
    return place < 0 ? undefined : place;
  };
  /** @param choice the index of a column, with what is done to it, or a choice without a column. */
  const fitting = (choice: string): string | undefined => {
    const [index = '', ...how] = choice.split(':');
    if (!/^\d+$/.test(index)) return choice;
    const place = placeOf(Number(index));
    return place === undefined ? undefined : [place, ...how].join(':');
  };
  return { column: placeOf(column), choices: choices && fittingChoices(choices, fitting) };
}

/** The type, the period and the number of rows say something about the horizontal axis, so they go with its column. */
function fittingChoices(
  { type, x, y, period, split }: ChartChoices,
  fitting: (choice: string) => string | undefined,
): Partial<ChartChoices> | undefined {
  const places = { x: fitting(x), y: fitting(y), split: fitting(split) };
  const isKept = places.x !== undefined;
  const kept = Object.entries(places).filter(([, place]) => place !== undefined && (isKept || place !== ''));
  if (kept.length === 0) return undefined;
  return { ...Object.fromEntries(kept), ...(isKept ? { type, period } : {}) };
}
