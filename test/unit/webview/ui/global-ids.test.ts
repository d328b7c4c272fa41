/** Finding global IDs, which link to records, in cell text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { idPieces, isGlobalId } from '#webview/results/ui/global-ids.ts';

const uuid = 'e7c86a88-6833-87f3-ac9e-2248b28241e0';
const column = (name: string, kind: ShownColumn['kind'] = 'text'): ShownColumn => ({
  name,
  kind,
  type: kind,
});

suite('global IDs in cells', () => {
  test('a UUID is an ID in any text column, other words only if the column name indicates IDs', () => {
    assert.ok(isGlobalId(uuid, column('anything')));
    assert.ok(isGlobalId(uuid.toUpperCase(), column('anything')));
    for (const name of [
      'global_id',
      'globalId',
      'account_global_id',
      'globalActorAccountId',
      'global_created_by',
    ])
      assert.ok(isGlobalId('acc:0001', column(name)), name);
    for (const name of ['alias', 'globally', 'id', 'global_entity_type', 'globalEntityType'])
      assert.ok(!isGlobalId('acc:0001', column(name)), name);
  });

  test('values with spaces, empty values and values that are not text are not IDs', () => {
    for (const text of ['', 'not known', `${uuid} `, 'a"b-c-d', 'n/a', 'x'.repeat(201)])
      assert.ok(!isGlobalId(text, column('global_id')), text);
    assert.ok(!isGlobalId('12345678', column('global_count', 'number')));
  });

  test('a list is split into its IDs and the text between them; nothing is lost', () => {
    const list = `["${uuid}","acc:0002"]`;
    const pieces = idPieces(list, column('global_membership', 'json'));
    assert.deepEqual(
      pieces.filter((piece) => typeof piece !== 'string').map(({ globalId }) => globalId),
      [uuid, 'acc:0002'],
    );
    assert.equal(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.globalId)).join(''), list);
    assert.deepEqual(idPieces(list, column('membership', 'json')), [list]);
    assert.deepEqual(idPieces('{"a":"bcdef"}', column('global_x', 'json')), ['{"a":"bcdef"}']);
  });
});
