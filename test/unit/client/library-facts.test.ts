/** The details line of a library query, of which a narrow list shows only the start. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { factsLine } from '#client/features/library/facts-line.ts';

suite('the details of a library query', () => {
  test('show the fit before the tags', () => {
    const tags = ['soc2=CC6.2', 'soc2=CC6.3', 'iso27001=A.8.2'];
    assert.equal(
      factsLine({ severity: 'critical', tags }, 'lacks roles.privileged'),
      'critical · lacks roles.privileged · soc2=CC6.2 soc2=CC6.3 iso27001=A.8.2',
    );
  });
  test('omit missing facts', () => {
    assert.equal(factsLine({ severity: '', tags: [] }, 'fits'), 'fits');
    assert.equal(factsLine(undefined, 'fit unknown'), 'fit unknown');
  });
});
