/** Bars as segments. Those of one category are stacked: positive values up from zero, negative ones down. */
import type { ChartPoint } from '#panel-protocol/rows.ts';

export interface Segment {
  readonly point: ChartPoint;
  /** Index of its category. */
  readonly place: number;
  readonly from: number;
  readonly to: number;
}

export interface Stack {
  readonly x: ChartPoint['x'];
  /** Ends of the stack above and below zero. */
  up: number;
  down: number;
}

export interface Stacks {
  readonly stacks: readonly Stack[];
  readonly segments: readonly Segment[];
}

/** A chart that is not split has one segment for each category. */
export function stacksOf(points: readonly ChartPoint[]): Stacks {
  const places = new Map<ChartPoint['x'], number>();
  const stacks: Stack[] = [];
  const segments = points.map((point): Segment => {
    const place = places.get(point.x) ?? stacks.push({ x: point.x, up: 0, down: 0 }) - 1;
    places.set(point.x, place);
    const stack = stacks[place] ?? { x: point.x, up: 0, down: 0 };
    const side = point.y < 0 ? 'down' : 'up';
    const from = stack[side];
    stack[side] = from + point.y;
    return { point, place, from, to: stack[side] };
  });
  return { stacks, segments };
}
