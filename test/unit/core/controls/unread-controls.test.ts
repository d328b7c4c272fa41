/** One of several controls cannot be read or checked: it is no pass, says why, and the others run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import type { FoundControl } from '#core/controls/find-controls.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { fakeService, provenStatement } from '#test/helpers/control-service.ts';

const found = (id: string): FoundControl => {
  const text = `-- @control ${id} Test\nSELECT 1`;
  const control = readControl(text);
  assert.ok(control !== undefined);
  return { control, place: { name: id }, text };
};

test('a control that cannot be read says why, and the others run', async () => {
  const controls = ['A-1', 'A-2', 'A-3', 'A-4'].map(found);
  const results = await runControls(controls, {
    client: fakeService({ columns: ['id'], rows: [] }).client,
    signal: new AbortController().signal,
    atATime: 1,
    check({ control: { id } }) {
      if (id === 'A-1') return Promise.reject(new ExpectedError('Cannot be read: there is no such file.'));
      if (id === 'A-3') return Promise.reject(new TypeError('x is undefined'));
      return Promise.resolve(provenStatement());
    },
    factsOf: () => noFacts,
  });
  assert.deepEqual(
    results.map(({ outcome, code, message }) => [outcome, ...(outcome === 'error' ? [code, message] : [])]),
    [
      ['error', 'NOT_RUN', 'Cannot be read: there is no such file.'],
      ['pass'],
      ['error', 'UNEXPECTED', 'An unexpected error occurred (TypeError).'],
      ['pass'],
    ],
  );
});
