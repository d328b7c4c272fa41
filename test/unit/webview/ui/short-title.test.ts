import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAndFolder } from '../../../../client/webview/results/ui/short-title.ts';

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
