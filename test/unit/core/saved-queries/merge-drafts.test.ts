/** Three-way merges: overlapping changes are conflicts, all others are kept, and nothing is lost. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { markedRegions, mergeDrafts, mergeTexts, type Draft } from '#core/saved-queries/merge-drafts.ts';

const labels = { mine: 'Mine', theirs: 'Theirs' };
const base = 'SELECT id,\n  alias,\n  email\nFROM accounts\nWHERE enabled\nORDER BY id\n';
const merge = (mine: string, theirs: string, from = base) => mergeTexts({ base: from, mine, theirs, labels });

suite('mergeTexts', () => {
  const clean: readonly (readonly [string, string, string, string])[] = [
    ['nothing changed', base, base, base],
    ['only mine changed', base.replace('id,', 'uid,'), base, base.replace('id,', 'uid,')],
    ['only theirs changed', base, base.replace('id,', 'uid,'), base.replace('id,', 'uid,')],
    ['the same change on both sides', base.replace('alias', 'name'), base.replace('alias', 'name'), base.replace('alias', 'name')],
    [
      'changes apart from each other',
      base.replace('id,', 'uid,'),
      base.replace('BY id', 'BY alias'),
      base.replace('id,', 'uid,').replace('BY id', 'BY alias'),
    ],
    ['a line added at each end', `-- mine\n${base}`, `${base}LIMIT 5\n`, `-- mine\n${base}LIMIT 5\n`],
    ['a line removed here, one added there', base.replace('  alias,\n', ''), `${base}LIMIT 5`, `${base.replace('  alias,\n', '')}LIMIT 5`],
    ['their line ends do not count', base.replace('id,', 'uid,'), base.replaceAll('\n', '\r\n').replace('BY id', 'BY alias'), base.replace('id,', 'uid,').replace('BY id', 'BY alias')],
  ]; // oxfmt-ignore
  for (const [what, mine, theirs, text] of clean) {
    test(what, () => assert.deepEqual(merge(mine, theirs), { kind: 'clean', text }));
  }

  test('my line endings are kept', () => {
    const mine = base.replaceAll('\n', '\r\n').replace('id,', 'uid,');
    const merged = merge(mine, base.replace('BY id', 'BY alias'));
    assert.deepEqual(merged, { kind: 'clean', text: mine.replace('BY id', 'BY alias') });
  });

  test('a line changed by both is put between markers', () => {
    assert.deepEqual(merge(base.replace('enabled', 'is_admin'), base.replace('enabled', 'is_owner')), {
      kind: 'overlap',
      marked: base.replace(
        'WHERE enabled\n',
        '<<<<<<< Mine\nWHERE is_admin\n=======\nWHERE is_owner\n>>>>>>> Theirs\n',
      ),
    });
  });

  test('changes to adjacent lines overlap, because they may depend on each other', () => {
    assert.equal(merge(base.replace('alias', 'a'), base.replace('email', 'e')).kind, 'overlap');
  });

  test('a removal and a change of the same line overlap', () => {
    assert.equal(merge(base.replace('  alias,\n', ''), base.replace('alias', 'name')).kind, 'overlap');
  });

  test('inherited property names are ordinary lines', () => {
    const odd = '__proto__\nconstructor\na\nb\nc\ntoString';
    assert.deepEqual(merge(odd.replace('\na', '\nA'), odd.replace('\nc\n', '\nC\n'), odd), {
      kind: 'clean',
      text: odd.replace('\na', '\nA').replace('\nc\n', '\nC\n'),
    });
  });

  test('fifty thousand empty lines do not block the window', () => {
    const long = '\n'.repeat(50_000);
    const merged = merge(`a${long}b`, `c${long}d`, `x${long}y`);
    assert.equal(merged.kind, 'overlap');
  });

  test('a merge contains every line that either side added', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '');
    const text = fc.array(line, { maxLength: 12 });
    const added = fc.array(fc.tuple(fc.nat(12), fc.nat(99)), { maxLength: 4 });
    const withAdded = (
      lines: readonly string[],
      side: string,
      extra: readonly (readonly [number, number])[],
    ) => extra.reduce<string[]>((all, [at, n]) => all.toSpliced(at, 0, `${side}${n}`), [...lines]);
    fc.assert(
      fc.property(text, added, added, (from, forMine, forTheirs) => {
        const mine = withAdded(from, 'mine', forMine);
        const theirs = withAdded(from, 'theirs', forTheirs);
        const merged = merge(mine.join('\n'), theirs.join('\n'), from.join('\n'));
        const lines = new Set((merged.kind === 'clean' ? merged.text : merged.marked).split('\n'));
        for (const side of [mine, theirs]) {
          for (const each of side) if (each.length > 1) assert.ok(lines.has(each), each);
        }
      }),
      { numRuns: 500 },
    );
  });
});

suite('mergeDrafts', () => {
  const draft: Draft = { name: 'Orphans', query_string: base, model: 'platform_identity', description: '' };
  const labelled = (mine: Partial<Draft>, theirs: Partial<Draft>) =>
    mergeDrafts({ base: draft, mine: { ...draft, ...mine }, theirs: { ...draft, ...theirs }, labels });

  test('each field is taken from the side that changed it', () => {
    const merged = labelled({ name: 'Orphaned', description: 'Mine' }, { model: 'platform_governance' });
    assert.deepEqual(merged.fields, {
      name: 'Orphaned',
      model: 'platform_governance',
      description: 'Mine',
    });
    assert.deepEqual(merged.fieldConflicts, []);
  });

  test('a field changed by both is a conflict with both values', () => {
    const merged = labelled({ name: 'A' }, { name: 'B', description: 'Theirs' });
    assert.deepEqual(merged.fieldConflicts, [{ field: 'name', mine: 'A', theirs: 'B' }]);
    assert.equal(merged.fields.description, 'Theirs');
  });

  test('the same change on both sides is not a conflict', () => {
    assert.deepEqual(labelled({ name: 'A' }, { name: 'A' }).fieldConflicts, []);
  });
});

suite('markedRegions', () => {
  test('markers are found with their lines', () => {
    const text = 'a\n<<<<<<< Mine\nb\n=======\nc\n>>>>>>> Theirs\nd';
    assert.deepEqual(markedRegions(text), [{ mine: 1, middle: 3, theirs: 5 }]);
  });

  for (const text of [
    '=======\n',
    '-- ==== title ====\n=======',
    '<<<<<<< Mine\nb',
    '>>>>>>> Theirs\n=======\n<<<<<<< Mine',
    "SELECT '<<<<<<<'\n=======\n>>>>>>>",
  ]) {
    test(`no conflict: ${JSON.stringify(text)}`, () => assert.deepEqual(markedRegions(text), []));
  }
});
