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
  const ways = {
    benchmark: () => (benchmarks.length === 0 ? byFolder(items) : byBenchmark(items, benchmarks)),
    tag: () => byTag(items),
    folder: () => byFolder(items),
  };
  return ways[by]();
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
  const names = new Map<string, Map<string, Set<Item>>>();
  for (const item of items)
    for (const { name, value = '' } of item.control.tags) {
      const values = names.get(name) ?? new Map<string, Set<Item>>();
      names.set(name, values);
      const held = values.get(value) ?? new Set<Item>();
      values.set(value, held);
      held.add(item);
    }
  const groups = inOrder(names).map(([name, values]) => ({
    id: name,
    label: frameworkWords(name),
    groups: inOrder(values).flatMap(([value, held]) =>
      value === '' ? [] : [{ id: value, label: value, groups: [], items: [...held] }],
    ),
    items: [...(values.get('') ?? [])],
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
  const titles = Map.groupBy(folders.keys(), (folder) => folderTitle(folder.split('/').slice(-1)));
  return [...folders].map(([folder, held]) => {
    const parts = folder.split('/');
    const title = folderTitle(parts.slice(-1));
    // The folders around it tell folders of the same title apart.
    const isAlone = parts.length === 1 || titles.get(title)?.length === 1;
    const label = isAlone ? title : `${title} (${folderTitle(parts.slice(0, -1))})`;
    return { id: folder, label, groups: [], items: held };
  });
}

/** Returns a title for folders: a name of words in small letters, such as `no-mfa`, is written as words. */
function folderTitle(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      if (!/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(folder)) return folder;
      const words = folder.replaceAll(/[-_]/g, ' ');
      return words.charAt(0).toUpperCase() + words.slice(1);
    })
    .join(' / ');
}

function rest<Item>(items: readonly Item[], label: string): readonly ControlGroup<Item>[] {
  return items.length === 0 ? [] : [{ id: 'others', label, groups: [], items }];
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}
