/** Tables as a service lists them become tables with relations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogueTable } from '#core/models/listed-table.ts';

test('keys and references become relations, also to tables of other models', () => {
  const column = (name: string) => ({ name, type: 'integer' });
  const table = catalogueTable(
    {
      name: 'notes',
      kind: 'table',
      description: 'Notes',
      columns: [
        { ...column('id'), class: 'identifier' },
        column('person'),
        { ...column('mood'), values: ['glad'], nullable: true },
      ],
      keys: [{ kind: 'primary', columns: ['id'] }],
      references: [
        { columns: ['person'], model: 'hr', table: 'people', tableColumns: ['id'] },
        { columns: ['mood'], model: 'other', table: 'moods', tableColumns: ['id'] },
      ],
    },
    'hr',
  );
  assert.deepEqual(table, {
    name: 'notes',
    description: 'Notes',
    columns: [
      { name: 'id', type: 'integer', class: 'identifier', isOwnId: true },
      {
        name: 'person',
        type: 'integer',
        class: 'none',
        refersTo: [{ table: 'people', column: 'id', rank: 0 }],
      },
      {
        name: 'mood',
        type: 'integer',
        nullable: true,
        values: ['glad'],
        class: 'none',
        refersTo: [{ model: 'other', table: 'moods', column: 'id', rank: 0 }],
      },
    ],
  });
});
