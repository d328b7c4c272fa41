import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { controlTree, type ControlGroup } from '#core/controls/control-tree.ts';
import { parseTag } from '#server/language/text/control-directives.ts';

const item = (id: string, tags: string, folder = 'queries') => ({
  control: { id, tags: tags.split(' ').flatMap((tag) => parseTag(tag) ?? []) },
  folder,
});
type Item = ReturnType<typeof item>;
const items = [
  item('A', 'soc2=CC6.1'),
  item('B', 'soc2=CC6.10 own', 'packs/one'),
  item('C', '', 'packs/two'),
];
const text = (groups: readonly ControlGroup<Item>[]): unknown =>
  Object.fromEntries(
    groups.map(({ label, groups: inner, items: own }) => [
      label,
      [...own.map(({ control }) => control.id), ...(inner.length === 0 ? [] : [text(inner)])],
    ]),
  );
const benchmarks = [
  {
    title: 'SOC 2',
    children: [
      { title: 'Access', description: 'Who may', tag: { name: 'soc2', value: 'CC6.1' }, children: [] },
      { title: 'Nothing', tag: { name: 'soc2', value: 'CC7' }, children: [] },
    ],
  },
];

describe('the tree of controls', () => {
  test('is grouped by benchmark, without empty ones, and other controls at the end', () => {
    assert.deepEqual(text(controlTree(items, { by: 'benchmark', benchmarks })), {
      'SOC 2': [{ Access: ['A'] }],
      'Other controls': ['B', 'C'],
    });
  });
  test('is grouped by folder if there are no benchmarks', () => {
    assert.deepEqual(text(controlTree(items, { by: 'benchmark', benchmarks: [] })), {
      Queries: ['A'],
      One: ['B'],
      Two: ['C'],
    });
    const folders = ['packs/own/no-mfa', 'packs/other/no-mfa', 'packs/own/Keep Me'];
    const tree = controlTree(
      folders.map((folder) => item('D', '', folder)),
      { by: 'folder', benchmarks: [] },
    );
    assert.deepEqual(
      tree.map(({ label }) => label),
      ['No mfa (Packs / Own)', 'No mfa (Packs / Other)', 'Keep Me'],
      'a title, and more only where two have the same',
    );
  });
  test('is grouped by tag, in numeric order, with each control under all its tags', () => {
    assert.deepEqual(text(controlTree(items, { by: 'tag', benchmarks })), {
      own: ['B'],
      'SOC 2': [{ 'CC6.1': ['A'], 'CC6.10': ['B'] }],
      'Without tags': ['C'],
    });
  });
  test('is empty without controls', () => {
    for (const by of ['benchmark', 'tag', 'folder'] as const)
      assert.deepEqual(controlTree([], { by, benchmarks }), []);
  });
});
