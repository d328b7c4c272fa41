/** Arranges controls as a tree: by benchmark, by tag or by folder. Has no side effects. */
import { t } from '#base/texts.ts';
import type { Control } from './control.ts';
import { arrangeByBenchmark, type Benchmark, type BenchmarkNode } from './files/benchmarks.ts';
import { frameworkWords } from './tags.ts';

export const controlGroupings = ['benchmark', 'tag', 'folder'] as const;
export type ControlGrouping = (typeof controlGroupings)[number];

export interface ControlGroup<Item> {
  /** Unique among its sibling groups. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly groups: readonly ControlGroup<Item>[];
  readonly items: readonly Item[];
}

export interface GroupedControl {
  readonly control: Pick<Control, 'id' | 'tags'>;
  /** The path of the folder, with slashes. For other groups, the title. */
  readonly folder: string;
}

/** Builds the tree. A control appears in every group it belongs to, and empty groups are omitted. */
export function controlTree<Item extends GroupedControl>(
  items: readonly Item[],
  { by, benchmarks }: { readonly by: ControlGrouping; readonly benchmarks: readonly Benchmark[] },
): readonly ControlGroup<Item>[] {
  switch (by) {
    case 'benchmark':
      return benchmarks.length === 0 ? byFolder(items) : byBenchmark(items, benchmarks);
    case 'tag':
      return byTag(items);
    case 'folder':
      return byFolder(items);
    default:
      return by satisfies never;
  }
}

function byBenchmark<Item extends GroupedControl>(
  items: readonly Item[],
  benchmarks: readonly Benchmark[],
): readonly ControlGroup<Item>[] {
  const { nodes, others } = arrangeByBenchmark(benchmarks, items);
  const groupOf = (node: BenchmarkNode<Item>, index: number): readonly ControlGroup<Item>[] => {
    const groups = node.children.flatMap(groupOf);
    if (groups.length + node.items.length === 0) return [];
    const { title, description } = node.benchmark;
    const id = `${index}:${title}`;
    return [{ id, label: title, groups, items: node.items, ...(description && { description }) }];
  };
  return [...nodes.flatMap(groupOf), ...rest(others, t('Other controls'))];
}

function byTag<Item extends GroupedControl>(items: readonly Item[]): readonly ControlGroup<Item>[] {
  const names = new Map<string, Map<string, Item[]>>();
  for (const item of items)
    for (const { name, value = '' } of item.control.tags) {
      const values = names.get(name) ?? new Map<string, Item[]>();
      names.set(name, values);
      const held = values.get(value) ?? [];
      values.set(value, held);
      if (!held.includes(item)) held.push(item);
    }
  const groups = inOrder(names).map(([name, values]) => ({
    id: name,
    label: frameworkWords(name),
    groups: inOrder(values).flatMap(([value, held]) =>
      value === '' ? [] : [{ id: value, label: value, groups: [], items: held }],
    ),
    items: values.get('') ?? [],
  }));
  return [
    ...groups,
    ...rest(
      items.filter(({ control }) => control.tags.length === 0),
      t('Without tags'),
    ),
  ];
}

function byFolder<Item extends GroupedControl>(items: readonly Item[]): readonly ControlGroup<Item>[] {
  const folders = Map.groupBy(items, ({ folder }) => folder);
  return [...folders].map(([folder, held]) => {
    // A pack's folders differ only in the last part of their path, which a narrow view would truncate.
    const cut = folder.lastIndexOf('/');
    const label = cut > 0 ? `${folder.slice(cut + 1)} (${folder.slice(0, cut)})` : folder;
    return { id: folder, label, groups: [], items: held };
  });
}

function rest<Item>(items: readonly Item[], label: string): readonly ControlGroup<Item>[] {
  return items.length === 0 ? [] : [{ id: 'others', label, groups: [], items }];
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}
