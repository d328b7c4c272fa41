/** The names that a folder owns: what is outside is invisible, and nothing is taken or given away unasked. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { pairQueries, type QueryHere, type QueryThere } from '#core/sync/plan/pair.ts';
import {
  isUnder,
  keepScope,
  overlaps,
  pairsUnder,
  parseUnder,
  readScope,
  scopeOf,
} from '#core/sync/scope.ts';

const top = mkdtempSync(path.join(tmpdir(), 'iq-scope-'));
after(() => rmSync(top, { recursive: true }));

const draft = (name: string) => ({ name, model: 'm', description: '', query_string: name });
const here = (name: string, id?: string): QueryHere => ({
  file: `${name}.identity.sql`,
  draft: draft(name),
  ids: id === undefined ? {} : { s: id },
});
const there = (id: string, name: string): QueryThere => ({ id, version: 1, draft: draft(name) });

describe('a scope', () => {
  it('is a folder of names with its slash', () => {
    for (const good of ['Access reviews/', 'a/b/', 'Ä/', ' a /']) assert.equal(parseUnder(good), good);
    for (const bad of ['', '/', 'a', 'a/b', '//', 'a//', '/a/', ' /'])
      assert.throws(() => parseUnder(bad), /ends with a slash/, bad);
  });

  it('has the names below it, compared as the service does', () => {
    for (const name of ['Access reviews/A', 'access REVIEWS/A', ' Access reviews/x/y'])
      assert.ok(isUnder(name, 'Access reviews/'), name);
    assert.ok(isUnder('E\u0301/x', '\u00C9/'));
    for (const name of ['Access reviews', 'Access reviews 2/A', 'X/Access reviews/A', 'Access reviews/', 'A'])
      assert.equal(isUnder(name, 'Access reviews/'), false, name);
    assert.ok(isUnder('anything', undefined));
  });

  it('of a command is a part of the folder’s own', () => {
    assert.equal(scopeOf(undefined, undefined), undefined);
    assert.equal(scopeOf('a/', undefined), 'a/');
    assert.equal(scopeOf(undefined, 'a/'), 'a/');
    assert.equal(scopeOf('A/b/', 'a/'), 'A/b/');
    for (const other of ['b/', 'ab/']) assert.throws(() => scopeOf(other, 'a/'), /outside of it/);
    assert.throws(() => scopeOf('a/', 'a/b/'), /outside of it/);
    assert.deepEqual(
      [overlaps('a/', 'A/b/'), overlaps('a/b/', 'a/'), overlaps('a/', 'ab/'), overlaps('a/', 'b/')],
      [true, true, false, false],
    );
  });

  it('is kept in the folder, and never lost without a word', async () => {
    const root = path.join(top, 'queries');
    assert.equal(await readScope(root), undefined);
    await keepScope(root, 'Access reviews/');
    assert.equal(await readScope(root), 'Access reviews/');
    const file = path.join(root, 'scope.json');
    for (const text of [
      '{"under":"a/",\n"under":"b/"}',
      '',
      '{',
      '[]',
      '{}',
      '{"under":1}',
      '{"under":"a"}',
      '"a/"',
      '\u0000',
    ]) {
      writeFileSync(file, text);
      await assert.rejects(readScope(root), /scope\.json|slash/, text);
    }
    rmSync(file);
    symlinkSync('/etc/hostname', file);
    await assert.rejects(readScope(root), /link/);
    rmSync(file);
    mkdirSync(file);
    await assert.rejects(readScope(root), /folder/);
  });

  it('hides what is outside on both sides, and tells what is outside on one', () => {
    const folder = {
      queries: [
        here('In/same', '1'),
        here('Out/same', '2'),
        here('In/moved there', '3'),
        here('Out/moved here', '4'),
        here('In/new'),
        here('Out/new'),
        here('In/gone', 'x'),
        here('Out/gone', 'y'),
      ],
      held: [],
    };
    const service = [
      there('1', 'In/same'),
      there('2', 'Out/same'),
      there('3', 'Out/moved there'),
      there('4', 'In/moved here'),
      there('5', 'In/only there'),
      there('6', 'Out/only there'),
    ];
    const all = pairQueries(folder, service, 's');
    const namesOf = (queries: readonly { readonly draft: { readonly name: string } }[]) =>
      queries.map((each) => each.draft.name);
    for (const kept of [undefined, 'In/']) {
      const { pairs, strayed, hidden } = pairsUnder(all, 'In/', kept);
      assert.deepEqual(namesOf(pairs.pairs.map((each) => each.here)), ['In/same']);
      assert.deepEqual(namesOf(pairs.onlyHere.map((each) => each.here)), ['In/new', 'In/gone']);
      assert.deepEqual(namesOf(pairs.onlyThere), ['In/only there']);
      // A file outside of what the folder owns is a mistake; outside of what a command asks about, it is not.
      assert.deepEqual(namesOf(strayed.map((each) => each.here)), [
        ...['In/moved there', 'Out/moved here'],
        ...(kept === undefined ? [] : ['Out/new', 'Out/gone']),
      ]);
      assert.deepEqual([...hidden].sort(), kept === undefined ? ['2', '6', 'y'] : ['2', '6']);
    }
    assert.deepEqual(pairsUnder(all, undefined, undefined).pairs, all);
  });
});
