/** Explanations of missing files of exports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotFoundError } from '#api/client/errors.ts';
import { TargetError } from '#base/files/target-error.ts';
import { explainExport } from '#core/exports/explain-export.ts';
import { ExpiredLinkError, NoFileError } from '#core/exports/fetch-export.ts';

test('the name of an export is quoted, since its words could belong to the sentence', () => {
  const errors = [
    new ExpiredLinkError({}),
    new NotFoundError('gone', { code: 'NOT_FOUND', status: 404, retryable: false }),
    new NoFileError('disk full', 'failed', 'INTERNAL'),
    new NoFileError('', 'running', undefined),
    new TargetError('the disk is full', '/home/a/x.csv'),
  ];
  assert.deepEqual(
    errors.map((error) => explainExport(error, { context: 'platformUsers' })?.message),
    [
      'The link to the file of "Platform users" has expired. Create the export again.',
      'The service no longer has the export "Platform users". Create it again.',
      'The export "Platform users" failed: disk full (INTERNAL)',
      'The export "Platform users" is still being prepared.',
      '"/home/a/x.csv" could not be written: the disk is full. Save it elsewhere.',
    ],
  );
});
