/**
 * `.identity-queries/benchmarks.json`: a tree of controls by tag, with titles and descriptions. Packs contain their own
 * file.
 */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { parseTag, type Tag } from '#server/language/text/control-directives.ts';
import type { Control } from '../control.ts';
import { hasTag } from '../tags.ts';
import { readJsonFile, type JsonFile } from './control-file.ts';

export const benchmarksName = 'benchmarks.json';

export interface Benchmark {
  readonly title: string;
  readonly description?: string;
  /** Controls with this tag belong to the benchmark. If undefined, only the controls of its children do. */
  readonly tag?: Tag;
  readonly children: readonly Benchmark[];
}

/**
 * Reads the benchmarks; empty if the file is missing.
 * @throws ControlFileError
 */
export async function readBenchmarks(target: string, shownAs?: string): Promise<readonly Benchmark[]> {
  const file = await readJsonFile(target, shownAs);
  return file === undefined ? [] : parseBenchmarks(file);
}

const depthMax = 20;

/** @throws ControlFileError */
function parseBenchmarks({ value, fail }: JsonFile): readonly Benchmark[] {
  const listAt = (list: unknown, path: string, depth: number): readonly Benchmark[] => {
    if (!Array.isArray(list)) throw fail(path, t('"{0}" must be a list of benchmarks.', path));
    if (depth > depthMax) throw fail(path, t('Benchmarks are nested too deeply.'));
    return list.map((entry: unknown, index) => benchmarkAt(entry, `${path}.${index}`, depth));
  };
  const benchmarkAt = (entry: unknown, path: string, depth: number): Benchmark => {
    if (!isObject(entry)) throw fail(path, t('A benchmark must be an object.'));
    const { title, description, tag, children } = entry;
    if (typeof title !== 'string' || title.trim() === '') throw fail(path, t('A benchmark needs a "title".'));
    const parsed = typeof tag === 'string' ? parseTag(tag) : undefined;
    if (tag !== undefined && parsed === undefined)
      throw fail(path, t('"tag" must be a tag such as soc2=CC6.1.'));
    if (description !== undefined && typeof description !== 'string')
      throw fail(path, t('"description" must be a string.'));
    return {
      title,
      ...(description === undefined ? {} : { description }),
      ...(parsed === undefined ? {} : { tag: parsed }),
      children: children === undefined ? [] : listAt(children, `${path}.children`, depth + 1),
    };
  };
  return listAt(value['benchmarks'], 'benchmarks', 0);
}

export interface BenchmarkNode<Item> {
  readonly benchmark: Benchmark;
  readonly children: readonly BenchmarkNode<Item>[];
  /** Controls that are not in any child. */
  readonly items: readonly Item[];
}

/** Puts each control under every matching benchmark, at the deepest level. `others` contains the rest. */
export function arrangeByBenchmark<Item extends { readonly control: Pick<Control, 'tags'> }>(
  benchmarks: readonly Benchmark[],
  items: readonly Item[],
): { readonly nodes: readonly BenchmarkNode<Item>[]; readonly others: readonly Item[] } {
  const placed = new Set<Item>();
  const nodeOf = (
    benchmark: Benchmark,
  ): { readonly node: BenchmarkNode<Item>; readonly held: ReadonlySet<Item> } => {
    const children = benchmark.children.map(nodeOf);
    const below = new Set(children.flatMap(({ held }) => [...held]));
    const { tag } = benchmark;
    const own =
      tag === undefined ? [] : items.filter((item) => !below.has(item) && hasTag(item.control.tags, tag));
    for (const item of own) placed.add(item);
    return {
      node: { benchmark, children: children.map(({ node }) => node), items: own },
      held: new Set([...below, ...own]),
    };
  };
  const nodes = benchmarks.map((benchmark) => nodeOf(benchmark).node);
  return { nodes, others: items.filter((item) => !placed.has(item)) };
}
