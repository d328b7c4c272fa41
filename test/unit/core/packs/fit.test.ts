/** A pack's queries that fit a service, and the names that are missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controlText } from '#core/packs/control-text.ts';
import { fitOf, fitSentences, missingFor } from '#core/packs/fit.ts';
import type { CatalogueModel } from '#server/protocol.ts';

const column = (name: string) => ({ name, type: 'text' });
const models: readonly CatalogueModel[] = [
  {
    name: 'm',
    tables: [
      { name: 'accounts', columns: [column('alias'), column('enabled')] },
      { name: 'roles', columns: [column('name')] },
      { name: 'untold' },
    ],
  },
  { name: 'dark' },
  { name: 'assumed', isAssumed: true, tables: [{ name: 't', columns: [column('c')] }] },
];

describe('fit', () => {
  it('reports the queries that fit, the missing names with their queries, and unknown queries', () => {
    const requires = {
      a: ['m.accounts.alias', 'm.roles.name'],
      b: ['m.roles.privileged', 'm.accounts.alias'],
      c: ['m.roles.privileged', 'm.groups.name'],
      d: ['other.x.y'],
      e: ['m.untold.z'],
      f: ['dark.t.c', 'assumed.t.c', 'assumed.t.d'],
    };
    const report = fitOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'constructor'], requires, models);
    assert.deepEqual(report, {
      queries: 8,
      fitting: ['a'],
      missing: [
        { name: 'm.roles.privileged', files: ['b', 'c'] },
        { name: 'm.groups', files: ['c'] },
        { name: 'other', files: ['d'] },
      ],
      unknown: ['e', 'f', 'g', 'constructor'],
    });
    assert.deepEqual(missingFor(report, 'c'), ['m.roles.privileged', 'm.groups']);
    assert.deepEqual(fitSentences(report), [
      '1 of 8 queries fit your models.',
      '2 lack m.roles.privileged.',
      '1 lacks m.groups.',
      '1 lacks other.',
      'Fit unknown for 4: the service or the pack does not list the columns.',
    ]);
  });

  it('lists at most ten names', () => {
    const requires = { a: Array.from({ length: 30 }, (_, index) => `m.accounts.c${index}`) };
    const sentences = fitSentences(fitOf(['a'], requires, models));
    assert.equal(sentences.length, 12);
    assert.equal(sentences.at(-1), '20 more names are missing.');
  });
});

describe('the description of a query', () => {
  it('consists of its directives and three sections of its comments', () => {
    const text = [
      '-- @control LV-01 Leavers',
      '-- @severity high',
      '-- @tags soc2=CC6.2 iso27001=A.5.18',
      '--',
      '-- Finds: Accounts that',
      '-- are open.',
      '-- Why it matters: They are a risk.',
      '-- What to do: Close them.',
      'SELECT 1 -- What to do: nothing',
    ].join('\n');
    assert.deepEqual(controlText(text), {
      id: 'LV-01',
      title: 'Leavers',
      severity: 'high',
      tags: ['soc2=CC6.2', 'iso27001=A.5.18'],
      finds: 'Accounts that are open.',
      why: 'They are a risk.',
      advice: 'Close them.',
    });
    assert.equal(controlText('SELECT 1'), undefined);
  });
});
