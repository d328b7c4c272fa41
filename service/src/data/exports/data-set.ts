/** An exported data set: subjects from the synthetic company, with columns computed from each subject. */
import type { Collection } from '../collections.ts';
import type { World } from '../company/world.ts';
import { localId } from '../records/record.ts';

export interface DataSet {
  readonly columns: readonly string[];
  /** Rows are created while they are read. A column without a value is absent or undefined. */
  readonly rows: (world: World) => Iterable<object>;
}

export type Columns<Subject> = Readonly<Record<string, (subject: Subject, world: World) => unknown>>;

/** @param subjects yields the subject of each row */
export function dataSet<Subject>(
  subjects: (world: World) => Iterable<Subject>,
  columns: Columns<Subject>,
): DataSet {
  const entries = Object.entries(columns);
  return {
    columns: Object.keys(columns),
    *rows(world) {
      for (const subject of subjects(world))
        yield Object.fromEntries(entries.map(([name, valueOf]) => [name, valueOf(subject, world)]));
    },
  };
}

export function recordsOf({ schema, places, record }: Collection): DataSet {
  return {
    columns: Object.keys(schema.properties),
    *rows(world) {
      for (let place = 0; place < places(world); place += 1) {
        const found = record(world, place);
        if (found !== undefined) yield found;
      }
    },
  };
}

/** Returns the two ID columns at the start of every row. `kind` is the kind in the global IDs. */
export function ids(kind: string): Columns<{ readonly index: number }> {
  return {
    id: ({ index }) => localId(kind, index),
    globalId: ({ index }, world) => world.ids.of(kind, index),
  };
}
