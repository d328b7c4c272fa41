import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAndFolder, sharedStart, titleParts } from '#webview/results/ui/short-title.ts';

for (const [title, name, folder] of [
  ['Untitled-1', 'Untitled-1', ''],
  ['Access reviews/Admins today v2', 'Admins today v2', 'Access reviews'],
  ['a/b/c by department', 'c by department', 'a/b'],
  ['Joiners / leavers', 'Joiners / leavers', ''],
  ['HR/Joiners / leavers', 'Joiners / leavers', 'HR'],
  ['/', '/', ''],
  ['a/Admins now → a/Admins today · comparison', 'Admins now → Admins today · comparison', 'a'],
  ['a/Admins now → b/Admins today', 'Admins now → Admins today', ''],
  ['', '', ''],
] as const) {
  test(`the name of "${title}" comes before its folder`, () => {
    assert.deepEqual(nameAndFolder(title), { name, folder });
  });
}

for (const [title, summarized, parts] of [
  ['a/b v3 by c', 'a/b v3', ['', 'b v3', ' by c', 'a']],
  ['按 c 的 a/b', 'a/b', ['按 c 的 ', 'b', '', 'a']],
  ['a/b by c', undefined, ['', 'b by c', '', 'a']],
  ['x', 'y', ['', 'x', '', '']],
] as const) {
  test(`the name that gives way in "${title}" is "${parts[1]}"`, () => {
    const { before, name, after, folder } = titleParts(title, summarized);
    assert.deepEqual([before, name, after, folder], parts);
  });
}

for (const [one, other, shared] of [
  ['a/Admins now v1', 'a/Admins today v5 (edited)', 'a/'],
  ['Admins now v1', 'Admins today v5', ''],
  ['a/Admins now v1', 'b/Admins now v1', ''],
  ['a/Admins today v1', 'a/Admins today v5 (edited)', 'a/Admins today '],
  ['a/Admins today', 'a/Admins today v5', ''],
  ['a/Admins today v5', 'a/Admins today', 'a/Admins today '],
  ['Admins', 'Admins', ''],
] as const) {
  test(`"${one}" shares "${shared}" with "${other}"`, () => {
    assert.equal(sharedStart(one, other), shared);
  });
}
